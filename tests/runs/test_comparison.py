"""Two runs held against each other: what moved, what is claimed, and what could not be compared."""

import sys
import time
import tracemalloc
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.errors import MissingExtra, SpecError
from sensecheck.core.run import Item
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.comparison import compare
from sensecheck.runs.comparison_result import Comparison
from sensecheck.runs.comparison_text import comparison_markdown
from sensecheck.runs.encoders import compare_encoders
from sensecheck.runs.pairs import QuestionWordings
from sensecheck.runs.shift import ENOUGH_TO_CLAIM, HEADLINE, is_headline
from sensecheck.runs.sql import EvalStore
from sensecheck.stats.paired_tests import holm
from tests.pace import usual_seconds
from tests.runs.stores import kept
from tests.runs.tables import NA, Numbers, table

VALUES = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=12)


def noise(n: int, seed: int = 0, middle: float = 0.5) -> Numbers:
    return np.random.default_rng(seed).normal(middle, 0.1, n).clip(0, 1)


def test_a_metric_that_fell_on_all_questions_is_claimed_and_one_that_did_not_is_not() -> None:
    old, new = noise(60), noise(60, 1)
    found = compare(
        table({"bleu": old, "rouge_l": old}), table({"bleu": old - 0.1 + new / 50, "rouge_l": new}, key=2)
    )

    bleu, rouge = found.metrics
    assert (bleu.metric, bleu.n, bleu.claim, bleu.worse) == ("bleu", 60, True, 1.0)
    assert bleu.difference == pytest.approx((bleu.after or 0) - (bleu.before or 0))
    assert bleu.low is not None
    assert bleu.high is not None
    assert bleu.difference is not None
    assert bleu.low < bleu.difference < bleu.high < 0
    assert not rouge.claim
    assert [one.metric for one in found.worse] == ["bleu"]


def test_the_effect_is_the_mean_in_standard_deviations_of_the_differences() -> None:
    old, new = noise(40), noise(40, 1)
    (bleu,) = compare(table({"bleu": old}), table({"bleu": new}, key=2)).metrics

    assert bleu.effect == pytest.approx((new - old).mean() / (new - old).std(ddof=1))
    assert bleu.better == pytest.approx((new > old).mean())


def test_a_run_without_its_store_is_refused_with_how_to_compare_it(tmp_path: Path) -> None:
    run = kept(tmp_path / "runs.sqlite3", {"bleu": [0.1, 0.2, 0.3]})

    with pytest.raises(SpecError, match=r"as `compare\(\(store, before\), \(store, after\)\)`; got a Run al"):
        compare(run, run)  # type: ignore[arg-type]


def test_large_runs_name_the_extra_that_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("sensecheck.runs.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "duckdb", None)

    with pytest.raises(MissingExtra, match=r"pip install 'sensecheck\[scale\]'"):
        compare(object(), object())  # type: ignore[arg-type]


@given(VALUES)
def test_swapping_the_runs_turns_the_difference_round(pairs: list[tuple[float, float]]) -> None:
    old, new = ([pair[side] for pair in pairs] for side in (0, 1))
    forth = compare(table({"bleu": old}), table({"bleu": new}, key=2)).metrics[0]
    back = compare(table({"bleu": new}), table({"bleu": old}, key=2)).metrics[0]

    assert back.difference == pytest.approx(-(forth.difference or 0))
    assert back.p == pytest.approx(forth.p)
    assert (back.better, back.worse) == (forth.worse, forth.better)


def test_of_few_questions_nothing_is_claimed() -> None:
    steps = np.linspace(0.3, 0.4, ENOUGH_TO_CLAIM - 1)
    (bleu,) = compare(table({"bleu": steps * 0}), table({"bleu": steps}, key=2)).metrics

    assert bleu.adjusted is not None
    assert bleu.adjusted < 0.001
    assert not bleu.claim


def test_questions_are_matched_by_their_ids_in_any_order() -> None:
    old = table({"bleu": [0.1, 0.2, 0.3]}, names=["a", "b", "c"])
    new = table({"bleu": [0.3, 0.9, 0.1]}, names=["c", "d", "a"], key=2)
    found = compare(old, new)

    assert found.n == 2
    assert found.metrics[0].difference == pytest.approx(0.0)
    assert (found.only_before, found.only_after) == (("b",), ("d",))


def test_a_question_in_other_words_is_told_apart_under_the_same_id() -> None:
    old, new = table({"bleu": [0.1, 0.2]}), table({"bleu": [0.1, 0.9]}, key=2)
    asked = QuestionWordings(("q0", "q1"), ("x", "y")), QuestionWordings(("q0", "q1"), ("x", "z"))
    found = compare(old, new, wordings=asked)

    assert found.reworded == ("q1",)
    assert "worded otherwise, so not compared: 1" in found.not_known
    assert found.n == 1
    assert (found.only_before, found.only_after) == ((), ())


def test_questions_that_a_run_has_not_come_to_are_left_out() -> None:
    asked = QuestionWordings(("q0", "q1", "q2"), ("x", "y", "z"))
    found = compare(
        table({"bleu": [0.1, 0.2, 0.3]}), table({"bleu": [0.1, 0.9]}, key=2), wordings=(asked, asked)
    )

    assert (found.n, found.only_before) == (2, ("q2",))


def test_a_question_without_an_id_is_known_by_its_words_whatever_was_retrieved_for_it() -> None:
    before = QuestionWordings.of([Item("Where?", "There.", ("a passage",))])
    after = QuestionWordings.of([Item("Where?", "There.", ("another",), {"topic": "places"})])

    assert before == after


def test_what_was_read_before_and_is_not_now_is_told_and_never_dropped_in_silence() -> None:
    old = table({"bleu": [0.1, 0.2, NA, 0.4], "rouge_l": [1, 1, 1, 1]})
    new = table({"bleu": [0.1, NA, 0.5, NA], "rouge_l": [1, 1, 1, 1]}, key=2)
    found = compare(old, new)
    bleu, rouge = found.metrics

    assert (bleu.n, bleu.na_before, bleu.na_after, bleu.lost, bleu.gained) == (1, 1, 2, 2, 1)
    assert (rouge.n, rouge.lost) == (4, 0)
    assert [(lost.metric, lost.ids) for lost in found.lost] == [("bleu", ("q1", "q3"))]


def test_a_metric_that_no_question_has_in_both_runs_has_no_numbers() -> None:
    found = compare(
        table({"bleu": [NA, 0.1], "rouge_l": [0.1, 0.2]}),
        table({"bleu": [0.1, NA], "rouge_l": [0, 0]}, key=2),
    )
    data = found.to_data()["metrics"][0]

    assert (data["n"], data["p"], data["adjusted"], data["claim"]) == (0, None, None, False)


def test_each_slice_is_compared_and_small_ones_are_named() -> None:
    slices = [{"topic": "billing"}] * 30 + [{"topic": "travel"}] * 30 + [{"topic": "rare"}] * 4
    old = noise(64)
    new = old + np.concatenate([np.linspace(-0.2, -0.1, 30), np.tile([0.01, -0.01], 17)])
    found = compare(table({"bleu": old}, slices=slices), table({"bleu": new}, slices=slices, key=2))

    told = {one.slice: one.metrics[0] for one in found.slices}
    assert set(told) == {"topic=billing", "topic=travel"}
    assert told["topic=billing"].claim
    assert not told["topic=travel"].claim
    assert told["topic=travel"].n == 30
    assert "slices with fewer than 5 questions are not compared: `topic=rare`" in found.notes
    assert found.tested.slices == 2


def test_a_slice_of_which_nothing_can_be_claimed_takes_no_part_in_the_correction() -> None:
    """One Holm step for all: the slice is tested together with the metric as a whole."""
    slices = [{"topic": "billing"}] * 20 + [{"topic": f"small {at % 5}"} for at in range(50)]
    old, new = noise(70), noise(70, 1)
    found = compare(table({"bleu": old}, slices=slices), table({"bleu": new}, slices=slices, key=2))
    billing, *small = (one.metrics[0] for one in found.slices)

    assert len(small) == 5
    assert [(one.n, one.p, one.adjusted, one.claim) for one in small] == [(10, None, None, False)] * 5
    bleu = found.metrics[0]
    assert [billing.adjusted, bleu.adjusted] == pytest.approx(holm([billing.p, bleu.p]))
    assert found.tested.slices == 1


def test_headline_metrics_come_first_and_p_is_corrected_for_all_metrics_in_one_step() -> None:
    """Headline metrics and parts were two families: now the promise of alpha is for the comparison."""
    old, new = noise(40), noise(40, 1, 0.53)
    names = ["bleu", "lexical_aggregate", "rouge_l", "correctness", "somebodys_own"]
    found = compare(table(dict.fromkeys(names, old)), table(dict.fromkeys(names, new), key=2))
    chance = found.metrics[0].p or 0.0

    told = [one.metric for one in found.metrics]
    assert told == ["lexical_aggregate", "correctness", "somebodys_own", "bleu", "rouge_l"]
    assert [one.adjusted for one in found.metrics] == [pytest.approx(min(1, chance * 5))] * 5
    assert found.tested.correction == "p is corrected for 5 tests: 3 headline metrics, 2 parts"
    assert found.to_data()["tested"] == {"headline": 3, "parts": 2, "labels": 0, "slices": 0}


def test_every_metric_of_the_catalogue_is_a_headline_or_a_part() -> None:
    assert set(KNOWN) >= HEADLINE
    assert {name for name in KNOWN if is_headline(name)} == HEADLINE
    assert is_headline("somebodys_own")


def test_a_metric_that_moved_on_no_question_is_unchanged_and_was_not_tested() -> None:
    old, new = noise(40), noise(40, 1)
    found = compare(table({"bleu": old, "rouge_l": old}), table({"bleu": old, "rouge_l": new}, key=2))
    bleu, rouge = found.metrics

    assert (bleu.unchanged, bleu.n, bleu.difference, bleu.claim) == (True, 40, 0.0, False)
    assert (bleu.low, bleu.high, bleu.p, bleu.adjusted) == (None,) * 4
    assert not rouge.unchanged
    assert rouge.adjusted == rouge.p
    assert found.tested.correction == "p is corrected for 1 test: 1 part"


def test_a_metric_that_moved_both_ways_alike_was_tested() -> None:
    steps = np.tile([0.125, -0.125], 20)
    (bleu,) = compare(table({"bleu": steps * 0 + 0.5}), table({"bleu": 0.5 + steps}, key=2)).metrics

    assert (bleu.unchanged, bleu.difference, bleu.p) == (False, 0.0, 1.0)
    assert bleu.low is not None


def test_the_questions_that_moved_most_come_by_the_size_of_the_change_in_both_directions() -> None:
    old, new = [0.5] * 6, [0.4, 0.9, 0.5, 0.2, 0.55, NA]
    found = compare(table({"bleu": old, "correctness": old}), table({"bleu": old, "correctness": new}, key=2))

    assert [(one.id, one.metric) for one in found.moved] == [
        ("q1", "correctness"),
        ("q3", "correctness"),
        ("q0", "correctness"),
        ("q4", "correctness"),
    ]


def test_of_two_changes_of_one_size_the_loss_comes_first() -> None:
    found = compare(table({"bleu": [0.5, 0.5]}), table({"bleu": [1.0, 0.0]}, key=2))

    assert [one.id for one in found.moved] == ["q1", "q0"]


def test_gains_and_losses_among_what_moved_most_have_a_word_each() -> None:
    found = compare(table({"bleu": [0.5, 0.5]}), table({"bleu": [0.75, 0.0]}, key=2))

    assert comparison_markdown(found).endswith(
        "| moved most by bleu | before | now | change | direction |\n|---|---|---|---|---|\n"
        "| q1 | 0.500 | 0.000 | -0.500 | lower |\n| q0 | 0.500 | 0.750 | &#43;0.250 | higher |\n"
    )


def test_the_same_metric_by_another_encoder_is_not_compared_which_is_told() -> None:
    old = table({"bleu": [0.1, 0.2], "semantic_similarity@minilm": [0.1, 0.2]})
    new = table({"bleu": [0.1, 0.2], "semantic_similarity@other": [0.5, 0.6]}, key=2)
    found = compare(old, new)

    assert [one.metric for one in found.metrics] == ["bleu"]
    assert "only before, so not compared: `semantic_similarity` by `minilm`" in found.notes
    assert "only now, so not compared: `semantic_similarity` by `other`" in found.notes


def test_what_people_said_of_both_runs_is_compared_too() -> None:
    old, new = noise(40), noise(40, 1)
    said = np.ones(40)
    found = compare(
        table({"bleu": old}, labels={"correct": said, "polite": said}),
        table({"bleu": new}, labels={"correct": np.where(np.arange(40) < 30, 0.0, NA)}, key=2),
    )

    (correct,) = found.labels
    assert (correct.metric, correct.n, correct.difference, correct.claim) == ("correct", 30, -1.0, True)
    assert [one.metric for one in found.metrics] == ["bleu"]
    assert set(found.to_data()["labels"][0]) == set(found.to_data()["metrics"][0])


def test_what_people_said_is_the_first_that_counts_as_worse() -> None:
    good, bad = np.linspace(0.8, 0.9, 40), np.linspace(0.5, 0.7, 40)
    found = compare(
        table({"bleu": good, "correctness": good}, labels={"correct": np.ones(40)}),
        table({"bleu": bad, "correctness": bad}, labels={"correct": np.zeros(40)}, key=2),
    )

    assert [one.metric for one in found.worse] == ["correct", "correctness", "bleu"]
    assert found.tested.labels == 1


def test_what_else_differs_between_the_runs_is_told() -> None:
    old, new = table({"bleu": [0.1, 0.2]}), table({"bleu": [0.1, 0.2]}, key=2)
    changed = replace(new.run, done=1, conditions={"guards": ["top"]}, test=replace(new.run.test, name="x"))
    found = compare(old, replace(new, run=changed, names=("q0",), values=new.values[:1]))

    assert "the run 2 is not complete: 1 of its 2 questions are there" in found.notes
    assert "the test was `nightly` and is `x`" in found.notes
    assert "the conditions of the runs differ in: `guards`" in found.notes
    assert found.only_before == ("q1",)


@pytest.mark.parametrize(
    ("names", "column", "more", "complaint"),
    [
        (["x", "y"], "bleu", {}, "the runs 1 and 2 have no question in common"),
        (None, "rouge_l", {}, "have no metric in common, by the same encoder: `bleu` and `rouge_l`"),
        (None, "bleu", {"alpha": 5}, "`alpha` must be a number between 0 and 1; got 5"),
        (None, "bleu", {"metric": "blue"}, "did you mean `bleu`"),
    ],
)
def test_what_cannot_be_compared_is_an_error(
    names: list[str] | None, column: str, more: dict[str, float | str], complaint: str
) -> None:
    old, new = table({"bleu": [0.1, 0.2]}), table({column: [0.1, 0.2]}, names=names, key=2)

    with pytest.raises(SpecError, match=complaint.replace("(", r"\(")):
        compare(old, new, **more)  # type: ignore[arg-type]


@pytest.mark.slow
def test_alike_runs_have_any_claim_at_all_as_seldom_as_alpha_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sensecheck.stats.paired_tests.DRAWS", 499)
    monkeypatch.setattr("sensecheck.stats.paired_tests.MIN_DRAWS", 499)
    drawn, runs = np.random.default_rng(4), 150
    names = ["correctness", "grounded", "m0", "bleu", "rouge_l", "squad_em"]
    slices = [{"topic": "even" if at % 2 else "odd"} for at in range(60)]
    false: Counter[str] = Counter()
    for _ in range(runs):
        before, after = (
            table(
                dict(zip(names, drawn.normal(0.5, 0.1, (6, 60)), strict=True)),
                labels={
                    name: drawn.integers(0, 2, 60).astype(float) for name in ("correct", "polite", "brief")
                },
                slices=slices,
                key=key,
            )
            for key in (1, 2)
        )
        false["any"] += bool(claimed_in(compare(before, after)))
    most = 0.05 + 2 * (0.05 * 0.95 / runs) ** 0.5
    assert false["any"] / runs <= most


def claimed_in(found: Comparison) -> set[str]:
    """Where anything is claimed."""
    families = {
        "headline": [one for one in found.metrics if is_headline(one.metric)],
        "parts": [one for one in found.metrics if not is_headline(one.metric)],
        "labels": found.labels,
        "slices": [one for held in found.slices for one in held.metrics],
    }
    assert {name: len(held) for name, held in families.items()} == found.tested.to_data()
    return {name for name, held in families.items() if any(one.claim for one in held)}


@pytest.mark.slow
def test_a_hundred_thousand_questions_take_seconds() -> None:
    names = [f"q{at}" for at in range(100_000)]
    slices = [{"topic": str(at % 5)} for at in range(100_000)]
    runs = [
        table({f"m{m}": noise(100_000, 10 * key + m) for m in range(10)}, names=names, slices=slices, key=key)
        for key in (1, 2)
    ]
    start = time.thread_time()
    found = compare(*runs)

    assert usual_seconds(start) < 10
    assert len(found.slices) == 5


def test_two_encoders_of_one_run_are_held_against_each_other() -> None:
    one = noise(50)
    other = one / 2 + 0.3
    other[7] = 0.0
    (found,) = compare_encoders(
        table({"semantic_similarity@minilm": one, "semantic_similarity@large": other, "bleu": one})
    )

    assert (found.one, found.other, found.shift.n) == ("minilm", "large", 50)
    assert found.correlation is not None
    assert 0.8 < found.correlation.value < 1
    assert found.disagreements[0].id == "q7"


def test_one_encoder_alone_has_nobody_to_be_held_against() -> None:
    with pytest.raises(SpecError, match="by one encoder only, `minilm`"):
        compare_encoders(table({"semantic_similarity@minilm": [0.1, 0.2]}))


def test_the_data_has_the_names_that_pages_read() -> None:
    data = compare(table({"bleu": [0.1, 0.2]}), table({"bleu": [0.2, 0.2]}, key=2)).to_data()

    assert {"before", "after", "metrics", "slices", "moved", "only_before", "only_after"} <= set(data)
    assert data["before"]["run"] == 1
    assert {"metric", "encoder", "n", "before", "after", "difference", "low", "high", "p", "adjusted"} <= set(
        data["metrics"][0]
    )
    assert {"claim", "effect", "better", "worse", "na_before", "na_after"} <= set(data["metrics"][0])
    assert data["moved"] == [{"id": "q0", "metric": "bleu", "before": 0.1, "after": 0.2}]


def test_a_slice_with_a_value_for_every_question_takes_no_room() -> None:
    size = 20_000
    kinds = [{"author": f"author {at}"} for at in range(size)]
    columns = {"bleu": np.linspace(0, 1, size)}
    tracemalloc.start()
    found = compare(table(columns, slices=kinds), table(columns, key=2, slices=kinds))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert found.slices == ()
    assert most < size * size / 10


def test_what_there_was_before_and_is_not_now_is_told_as_not_known() -> None:
    columns = {"bleu": [0.5] * 30, "rouge_l": [0.5] * 30}
    fewer = {"bleu": [NA] + [0.5] * 28}
    found = compare(table(columns), table(fewer, key=2))

    assert [one.metric for one in found.gone] == ["rouge_l"]
    assert found.not_known == (
        "only before: `rouge_l`",
        "questions only before: 1",
        "n/a now but not before: 1 of `bleu`",
    )
    assert compare(table(fewer), table(fewer | {"rouge_l": [0.5] * 29}, key=2)).not_known == ()


def test_of_too_few_questions_nobody_knows_whether_they_got_worse() -> None:
    before, after = [0.9] * 19, [0.2] * 19
    few = compare(table({"bleu": before}), table({"bleu": after}, key=2))
    some = compare(table({"bleu": [*before, 0.9]}), table({"bleu": [*after, 0.2]}, key=2))
    same = compare(table({"bleu": before}), table({"bleu": before}, key=2))

    assert (few.worse, few.not_known) == (
        (),
        ("fewer than 20 questions have a number in both, too few to claim a fall",),
    )
    assert ([one.metric for one in some.worse], some.not_known) == (["bleu"], ())
    assert (same.worse, same.not_known) == ((), ())


def test_questions_are_known_again_without_reading_what_was_retrieved_for_them(tmp_path: Path) -> None:
    passage = "x" * 10_000
    asked = [Item(f"What is {at}?", "It is.", (passage + str(at),), id=f"q{at}") for at in range(1500)]
    run = kept(tmp_path / "evals.sqlite3", {"bleu": [0.5] * len(asked)}, pairs=asked)
    store = EvalStore.open(str(tmp_path / "evals.sqlite3"))
    tracemalloc.start()
    found = QuestionWordings.in_run(store, run)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    store.close()

    assert found == QuestionWordings.of(asked)
    assert most < len(asked) * len(passage) / 4


def test_an_id_that_comes_twice_is_refused() -> None:
    twice = table({"bleu": [0.1, 0.9, 0.5]}, names=("x", "x", "y"))
    once = table({"bleu": [0.1, 0.9, 0.5]}, key=2, names=("x", "z", "y"))

    for before, after in ((twice, once), (once, twice)):
        with pytest.raises(SpecError, match="the run 1 has the id `x` more than once"):
            compare(before, after)
