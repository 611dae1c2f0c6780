"""The benchmark of groundedness counts what it says."""

import json
import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from benchmarks.figures import figures
from benchmarks.quality.groundedness import OF_SET, READ_AS, UNSEEN_PART, learned, shares
from benchmarks.quality.grounding import rows as sets
from benchmarks.quality.grounding import scores, tables
from benchmarks.quality.grounding.ranks import auroc, balanced, best_line, cross_fitted, f1, parts_of, ranked
from benchmarks.quality.grounding.rows import Row, chosen
from benchmarks.quality.grounding.scores import DECIDE, RULES, RowRead, Scored, read
from models.reader.shipped import Made, Stage

from sensecheck.core.backends import Backends, PairScore
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense
from tests.benchmarks.small_results import RESULTS


def row(
    value: float = 0.0, *, bad: bool = False, group: str = "g", kind: str = "k", states: bool = True
) -> RowRead:
    said = ("pass", "fail" if bad else "pass", "fail" if bad else "unsure", "fail")
    outcomes = dict(zip(DECIDE, said, strict=True))
    return RowRead(bad, group, kind, dict.fromkeys(RULES, value) if states else {}, outcomes)


def some_rows(count: int) -> list[RowRead]:
    """Answers of which every third is unsupported, and reads so."""
    return [row(float(at % 3 == 0), bad=at % 3 == 0, group=f"g{at}") for at in range(count)]


class Doubting:
    """A reader that doubts what has a digit, and counts what it is asked."""

    fingerprint = "doubting:1"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        self.asked += pairs
        return [PairScore(3.0 if any(map(str.isdigit, claim)) else -3.0) for claim, _ in pairs]


def test_every_rule_reads_every_answer_and_every_policy_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores, "AT_ONCE", 2)
    passages = ("The shop opens at nine on weekdays. It sells bread and cheese, and closes at noon.",)
    answers = ("Cheese and bread are sold.", "The shop has 12 rooms.", "Sure!")
    held = [Row(Sample(answer, passages=passages), "12" in answer, answer, "k") for answer in answers]
    reader = Doubting()
    good, bad, nothing = read(held, Sense(Backends(load_encoder("minilm"), reader)), "s")

    assert tuple(good.scores) == RULES
    assert bad.scores[scores.WORDS] > good.scores[scores.WORDS]
    assert nothing.scores == {}
    assert all(tuple(one.outcomes) == DECIDE for one in (good, bad, nothing))
    assert reader.asked


def test_an_answer_that_states_nothing_is_left_out_and_counted() -> None:
    found = Scored.of([row(states=False), row()])

    assert (len(found.unsupported), found.left_out) == (1, 1)


def test_auroc_counts_ties_by_halves() -> None:
    bad = np.array([True, True, False, False])

    assert auroc(np.array([2.0, 1.0, 1.0, 0.0]), bad) == 0.875
    assert math.isnan(auroc(np.array([1.0, 2.0]), np.array([True, True])))


def test_intervals_hold_the_figure_and_are_the_same_every_time() -> None:
    chance = np.random.default_rng(0)
    bad = np.arange(200) % 2 == 0
    values = chance.normal(size=200) + bad
    groups = np.array([str(at // 4) for at in range(200)])
    found = ranked(values, bad, groups)

    assert found["low"] < found["value"] < found["high"]
    assert ranked(values, bad, groups) == found


def test_a_line_is_placed_on_other_groups_than_it_is_used_on() -> None:
    values = np.array([0.0, 1.0, 10.0, 11.0])
    bad = np.array([False, True, False, True])

    assert best_line(values[:2], bad[:2], f1) == 0.5
    assert cross_fitted(values, bad, np.array([0, 0, 1, 1]), balanced).tolist() == [False, False, True, True]


def test_a_group_is_never_torn_apart() -> None:
    parts = parts_of(np.array(["a", "b", "a", "c"] * 5), 5)

    assert len(set(parts[0::4]) | set(parts[2::4])) == 1


def test_f1_and_balanced_accuracy_are_counted_as_usual() -> None:
    said, bad = np.array([True, True, False, False]), np.array([True, False, True, False])

    assert f1(said, bad) == 0.5
    assert balanced(said, bad) == 0.5
    assert f1(np.zeros(4, bool), bad) == 0.0


def test_a_line_without_any_row_calls_nothing_unsupported() -> None:
    assert best_line(np.array([]), np.array([], bool), f1) == math.inf


def test_detection_is_told_as_rules_ship_and_at_a_line_of_other_groups() -> None:
    lines = {one["rule"]: one for one in tables.detecting("s", Scored.of(some_rows(30)))}

    assert lines[scores.WORDS]["at_shipped"]["value"] == 1.0
    assert lines[scores.DEFAULT]["at_shipped"]["value"] == 1.0
    assert lines[scores.COMMON]["at_shipped"]["value"] == 0.0
    assert lines[scores.DEFAULT]["cross_fitted"]["value"] == 1.0


def test_domains_are_told_one_by_one() -> None:
    held = [
        row(bad=bool(bad), group=f"{domain}{bad}{at}", kind=f"d{domain}")
        for domain in (0, 1)
        for bad in (0, 1)
        for at in range(3)
    ]
    told = next(tables.domains("s", Scored.of(held)))

    assert told["bacc"] == {"d0": 0.5, "d1": 0.5}


def test_a_domain_that_lacks_a_label_has_no_figure() -> None:
    held = [
        row(bad=bad, group=f"{kind}{bad}", kind=kind)
        for kind, bad in (("d0", False), ("d0", True), ("d1", True), ("d2", False))
    ]
    told = next(tables.domains("s", Scored.of(held)))

    assert (told["bacc"]["d1"], told["bacc"]["d2"]) == (None, None)
    assert list(tables.domains("s", Scored.of(held[2:]))) == []


def test_changes_are_held_against_kept_claims() -> None:
    held = [row(kind="kept", group="a"), row(2.0, bad=True, kind="date")]
    told = {(one["kind"], one["rule"]): one for one in tables.changes("s", Scored.of(held))}

    assert told["date", scores.DEFAULT]["auroc"]["value"] == 1.0
    assert list(tables.changes("s", Scored.of(held[1:]))) == []


def test_accepted_answers_are_counted_by_policy_and_kind() -> None:
    told = list(tables.accepted("s", [row(kind="answer_swapped", bad=True)]))

    assert [(one["policy"], one["pass"]["share"]) for one in told] == [
        ("similarity-or-keywords", 1.0),
        ("fast", 0.0),
        ("default", 0.0),
        ("strict", 0.0),
    ]
    assert told[0]["kind"] == "answer swapped"


def test_the_contrast_suite_counts_labels_and_what_becomes_of_answers() -> None:
    held = [{"family": "role", "wanted": wanted} for wanted in ("supported", "partially_supported")]
    role, everything = tables.by_family("default", held, ["supported", "unsupported"])

    assert (role["right"]["share"], role["accepted_or_not"]["share"]) == (0.5, 1.0)
    assert everything["family"] == "all"


def test_of_the_contrast_suite_some_cases_of_every_family_are_taken() -> None:
    families = [case["family"] for case in tables.cases(most=2)]

    assert set(families) == {case["family"] for case in tables.cases(most=1000)}
    assert max(map(families.count, families)) == 2


def labelled(count: int, *, bad: int) -> list[Row]:
    """Rows of which so many are unsupported, four of a group."""
    return [Row(Sample(str(at), passages=("p",)), at < bad, f"g{at // 4}", "k") for at in range(count)]


def test_rows_are_chosen_by_the_share_of_their_label_and_of_many_groups() -> None:
    held = labelled(40, bad=12)
    some = chosen(held, 10)

    assert [one.unsupported for one in some].count(True) == 3
    assert len({one.group for one in some}) == 10
    assert some == chosen(held, 10) == sorted(some, key=held.index)
    assert chosen(held, 40) == held


def test_a_choice_of_a_few_rows_has_both_labels_and_lies_within_a_larger_one() -> None:
    held = labelled(100, bad=2)

    assert [one.unsupported for one in chosen(held, 3)].count(True) == 1
    assert set(map(held.index, chosen(held, 3))) <= set(map(held.index, chosen(held, 60)))


def test_what_a_reader_has_learned_from_is_counted_over_all_its_runs() -> None:
    first = Stage("first", 3000, 1.0, 1e-5, 0, {"begin": 0.5, "edits": 0.5})
    last = Stage("last", 1000, 1.0, 1e-5, 0, {"begin": 1.0})
    made = Made("mpnet", 4, "", (first, last), {"begin": ("", 1), "edits": ("", 1)}, "")

    assert shares(made) == {"begin": 0.625, "edits": 0.375}
    assert learned("perturbed", made) == {"learned": 0.375, "other_domains": True}
    assert learned("ragtruth_qa", made) == {"learned": 0.0, "other_domains": False}
    assert learned("begin", None)["learned"] is None


def test_every_set_that_is_named_is_one_that_is_read() -> None:
    assert {*OF_SET, *READ_AS, *UNSEEN_PART, *sets.MOST_OF} <= set(sets.SETS)


def test_results_are_plain_json(tmp_path: Path) -> None:
    found = Scored.of(some_rows(12))
    path = tmp_path / "results.json"
    path.write_text(json.dumps(list(tables.ranking("s", found)), allow_nan=False))

    assert json.loads(path.read_text())[0]["n"] == 12


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A folder with small results."""
    (tmp_path / "groundedness.json").write_text(json.dumps(RESULTS["groundedness"]))
    return tmp_path


def test_rules_stand_side_by_side_and_what_was_not_measured_stays_empty(results: Path) -> None:
    text = figures("groundedness", results)

    assert "| set | answers | unsupported | left out | cosine | words |" in text
    assert "| ragtruth_qa | 829 | 160 | 2 | 0.812 (0.790–0.833) | 0.812 (0.790–0.833) |" in text
    assert "| begin | 829 | 160 | 2 |  | 0.812 (0.790–0.833) |" in text


def test_results_that_are_preliminary_say_so_first(tmp_path: Path) -> None:
    told = {**RESULTS["groundedness"], "note": "Preliminary."}
    (tmp_path / "groundedness.json").write_text(json.dumps(told))

    assert figures("groundedness", tmp_path).startswith("**Preliminary.**\n\n| set |")


def test_what_the_reader_has_learned_from_stands_beside_the_sets(results: Path) -> None:
    text = figures("groundedness_sets", results)

    assert "| begin | 150 | 1457 | the set: 3.1% of its pairs |" in text
    assert "| faithbench | 100 | 800 | nothing |" in text
    assert "of the run `first`, then `second`. " in text
    assert text.endswith("Shares of its training pairs: begin 3.1%.")


def test_what_others_published_stands_below_ours(results: Path) -> None:
    ours, theirs = figures("groundedness_telling", results).splitlines()[2:4]

    assert ours.startswith("| begin | words | 0.812")
    assert theirs == "| begin | another's | 0.777 |  |"


def test_policies_are_shown_by_what_they_let_pass(results: Path) -> None:
    text = figures("groundedness_accepted", results)

    assert "| answers | expected | rows | common rule passes | `default` passes |" in text
    assert "| role | 500 | 50%; 75% |" in figures("groundedness_contrast", results)
