"""The benchmark of groundedness counts what it says."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from benchmarks.figures import figures
from benchmarks.quality.grounding import scores, tables
from benchmarks.quality.grounding.contrast import by_family
from benchmarks.quality.grounding.ranks import auroc, balanced, best_line, cross_fitted, f1, parts_of, ranked
from benchmarks.quality.grounding.readings import ClaimRead, RowRead
from benchmarks.quality.grounding.rows import Row, some
from benchmarks.quality.grounding.scores import both, doubt, scored
from benchmarks.quality.grounding.trained import taught
from benchmarks.quality.grounding.word_features import added_up, word_features

from sensecheck.core.cutoff import at_most
from sensecheck.core.sample import Sample
from sensecheck.measures.support.model import shipped_model
from sensecheck.measures.support.words import FEATURES
from tests.benchmarks.small_results import RESULTS

HELD = tuple(0.0 for _ in FEATURES)
STRANGE = tuple(float(name in ("missing", "missing_and_far", "far_near")) for name in FEATURES)


def claim(*, strange: int = 0, pair: float = -2.0, verbatim: bool = False) -> ClaimRead:
    words = (STRANGE,) * strange + (HELD,) * 3
    places = tuple((4 * at, 4 * at + 3) for at in range(len(words)))
    doubts = tuple((*place, pair) for place in places)
    return ClaimRead((0, 40), places, words, (), 0.8, verbatim, False, {"0": pair, "1": pair - 1}, doubts)


def row(
    *claims: ClaimRead, bad: bool = False, group: str = "g", kind: str = "k", fold: int | None = None
) -> RowRead:
    outcomes = {"similarity-or-keywords": "pass", "default": "fail" if bad else "pass", "strict": "fail"}
    spans = ((0, 3),) if bad else ()
    return RowRead(bad, group, kind, fold, 40, spans, 0.8, 0.9, 0.6, claims, "", outcomes)


def some_rows(count: int) -> list[RowRead]:
    """Answers of which every third is unsupported, and reads so."""
    return [
        row(
            claim(strange=2 * (at % 3 == 0), pair=3.0 if at % 3 == 0 else -3.0),
            bad=at % 3 == 0,
            group=f"g{at}",
        )
        for at in range(count)
    ]


def test_a_row_is_kept_as_it_was_read() -> None:
    kept = row(claim(strange=1), claim(verbatim=True), bad=True, fold=2)

    assert RowRead.from_line(kept.to_line()) == kept
    assert "\n" not in row(claim(), group="two\u2028lines").to_line()


def test_what_stands_in_the_passages_word_by_word_has_nothing_against_it() -> None:
    model = shipped_model()

    assert claim(strange=3, verbatim=True).against(model) == 0
    assert claim(strange=3).against(model) > claim(strange=1).against(model) > claim().against(model)


def test_words_and_verifier_add_up_against_a_claim() -> None:
    assert both(0.5, -30.0) == pytest.approx(0.5)
    assert both(0.5, 2.0) > both(0.5, 1.0) > both(0.4, 1.0)
    assert doubt(800.0) == 800.0


def test_an_answer_reads_no_better_than_its_worst_claim() -> None:
    alone = scored([row(claim(pair=1.5))]).by_rule
    longer = scored([row(claim(pair=-4.0), claim(pair=1.5))]).by_rule

    assert longer[scores.VERIFIER] >= alone[scores.VERIFIER]
    assert longer[scores.BOTH] >= alone[scores.BOTH]


def test_an_answer_that_states_nothing_is_left_out_and_counted() -> None:
    found = scored([row(), row(claim())])

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


def test_detection_is_told_at_the_shipped_line_and_without_one_as_not_measured() -> None:
    found = scored(some_rows(30))
    lines = {one["rule"]: one for one in tables.detecting("s", found, {})}
    with_card = {one["rule"]: one for one in tables.detecting("s", found, {"verifier": at_most(0.0)})}

    assert lines[scores.WORDS]["at_shipped"]["value"] == 1.0
    assert lines[scores.VERIFIER]["at_shipped"] is None
    assert with_card[scores.VERIFIER]["at_shipped"]["value"] == 1.0
    assert lines[scores.VERIFIER]["cross_fitted"]["value"] == 1.0


def test_a_taught_model_is_asked_only_about_groups_that_it_has_not_seen() -> None:
    found = scored(some_rows(60))

    for words in (False, True):
        said = taught(found, words=words)
        assert (said.said == found.unsupported).all()


def test_words_that_people_marked_are_found_by_their_place() -> None:
    _, marked, home = word_features([row(claim(strange=1), bad=True), row(claim())])

    assert marked.tolist() == [True, False, False, False, False, False, False]
    assert home.tolist() == [0] * 4 + [1] * 3


def test_words_add_up_to_their_worst_and_to_their_chances() -> None:
    found = added_up(np.array([2.0, 0.0, 1.0]), np.array([0, 0, 0]), 2)

    assert found[0].tolist()[:3] == [2.0, 1.0, 0.0]
    assert found[1].tolist() == [-10.0, -10.0, -10.0, 0.0]


def test_domains_are_told_one_by_one() -> None:
    held = [
        row(claim(pair=float(bad)), bad=bool(bad), group=f"{fold}{bad}{at}", kind=f"d{fold}", fold=fold)
        for fold in (0, 1)
        for bad in (0, 1)
        for at in range(3)
    ]
    told = {one["rule"]: one for one in tables.domains(scored(held))}

    assert told[scores.COSINE]["bacc"] == {"d0": 0.5, "d1": 0.5}


def test_a_domain_that_lacks_a_label_has_no_figure() -> None:
    held = [
        row(claim(), bad=bad, group=f"{fold}{bad}", kind=kind, fold=fold)
        for fold, kind, bad in ((0, "d0", False), (0, "d0", True), (1, "d1", True), (1, "d2", False))
    ]
    told = next(tables.domains(scored(held)))

    assert (told["bacc"]["d1"], told["bacc"]["d2"]) == (None, None)


def test_changes_are_held_against_kept_claims() -> None:
    held = [row(claim(), kind="kept", fold=0, group="a"), row(claim(pair=2.0), bad=True, kind="date", fold=0)]
    told = {(one["kind"], one["rule"]): one for one in tables.changes(scored(held))}

    assert told["date", scores.VERIFIER]["auroc"]["value"] == 1.0


def test_accepted_answers_are_counted_by_policy_and_kind() -> None:
    told = list(tables.accepted("s", [row(claim(), kind="answer_swapped", bad=True)]))

    assert [(one["policy"], one["pass"]["share"]) for one in told] == [
        ("similarity-or-keywords", 1.0),
        ("default", 0.0),
        ("strict", 0.0),
    ]
    assert told[0]["kind"] == "answer swapped"


def test_the_contrast_suite_counts_labels_and_what_becomes_of_answers() -> None:
    held = [{"family": "role", "wanted": wanted} for wanted in ("supported", "partially_supported")]
    role, everything = by_family("default", held, ["supported", "unsupported"])

    assert (role["right"]["share"], role["accepted_or_not"]["share"]) == (0.5, 1.0)
    assert everything["family"] == "all"


def test_some_rows_are_drawn_of_each_label() -> None:
    held = [Row(Sample(str(at), passages=("p",)), at < 3, "g", "k", None) for at in range(20)]

    assert [one.unsupported for one in some(held, 8)].count(True) == 3
    assert len(some(held, 8)) == 7
    assert some(held, 8) == some(held, 8)


def test_results_are_plain_json(tmp_path: Path) -> None:
    found = scored(some_rows(12))
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


def test_a_line_that_does_not_ship_yet_is_not_measured(results: Path) -> None:
    assert "| words | not measured | 0.812 (0.790–0.833) |" in figures("groundedness_detecting", results)


def test_what_others_published_stands_below_ours(results: Path) -> None:
    ours, theirs = figures("groundedness_telling", results).splitlines()[2:4]

    assert ours.startswith("| begin | words | 0.812")
    assert theirs == "| begin | another's | 0.777 |  |"


def test_policies_are_shown_by_what_they_let_pass(results: Path) -> None:
    text = figures("groundedness_accepted", results)

    assert "| answers | wanted | rows | common rule passes | `default` passes |" in text
    assert "| role | 500 | 50%; 75% |" in figures("groundedness_contrast", results)
