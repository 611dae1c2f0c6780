"""The relevance set is labelled as it says, and its benchmark counts what it says."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.figures.relevance import lines as shown_lines
from benchmarks.figures.relevance import promise as shown_promise
from benchmarks.quality.relevance import lines, missed_goals, promises
from benchmarks.quality.relevance_lines import HeldOut, by_mix
from benchmarks.quality.relevance_promise import Groups, Parted, by_article, by_group
from benchmarks.quality.relevance_set import FILE, RelevanceSet, effects_rows
from benchmarks.quality.squad_articles import articles
from models.heads.public import rows_of

from sensecheck.calibration.split import Labelled
from sensecheck.calibration.target import Target
from sensecheck.config import Settings
from sensecheck.core.cutoff import at_least
from sensecheck.encoders.hashing import HashingEncoder
from tests.benchmarks.small_results import RESULTS

FPR = Target("false_accepts", 0.1, 0.95)


def paragraph(number: int, thing: str, other: str) -> list[dict[str, str]]:
    """What the public file says of one paragraph; `other` is said in another one of its article."""
    said = f"The {thing} weighs {number + 100} grams."
    row = {
        "group": str(number),
        "context": f"{said} People like it.",
        "question": f"What weighs the {thing}?",
    }
    return [
        {**row, "kind": "grounded_sentence", "response": said},
        {**row, "kind": "grounded_short_answer", "response": f"{number + 100} grams"},
        {**row, "kind": "other_paragraph_same_article", "response": f"The {other} weighs"},
    ]


ROWS = [
    *paragraph(0, "camera", "laptop"),
    *paragraph(2, "phone", "camera"),
    *paragraph(4, "laptop", "phone"),
    *paragraph(5, "tiger", "lion"),
    *paragraph(7, "lion", "tiger"),
]


@pytest.fixture(scope="module")
def small() -> RelevanceSet:
    return RelevanceSet.of(ROWS, "paragraph", HashingEncoder())


def test_an_article_is_a_stretch_of_paragraphs_that_sentences_tie_together() -> None:
    assert articles(ROWS) == {"0": 0, "2": 0, "4": 0, "5": 1, "7": 1}


def test_each_query_has_its_own_text_and_one_of_each_irrelevant_kind(small: RelevanceSet) -> None:
    drawn = list(small.drawn())

    assert [pair.kind for pair in drawn[:4]] == [
        *("its own", "same article"),
        *("another article, near", "another article"),
    ]
    assert all((pair.kind == "its own") == small.answers[pair.query, pair.reference] for pair in drawn)
    assert list(small.drawn()) == drawn


def test_a_text_that_holds_the_answer_too_is_neither_relevant_nor_irrelevant() -> None:
    again = paragraph(8, "zebra", "lion")
    again[0]["response"] = again[0]["context"] = "The zebra weighs 105 GRAMS, and so does the tiger; 1050."
    found = RelevanceSet.of([*ROWS, *again], "paragraph", HashingEncoder())
    tiger, zebra = 3, 5

    assert found.answers[tiger].tolist() == [False, False, False, True, False, True]
    assert zebra not in [pair.reference for pair in found.retrieved() if pair.query == tiger]
    told = {one["text"]: one for one in list(effects_rows(found))[tiger]["references"]}
    assert "relevant" not in told[found.references[zebra]]
    assert [text for text, one in told.items() if one.get("relevant")] == [found.references[tiger]]


def test_rows_for_the_effects_report_hold_the_nearest_first(small: RelevanceSet) -> None:
    first, *_ = rows = list(effects_rows(small, k=3))

    assert [row["item"] for row in rows] == ["article 1"] * 3 + ["article 2"] * 2
    near = [one["closeness"] for one in first["references"]]
    assert len(near) == 3
    assert near == sorted(near, reverse=True)
    assert {one["encoder"] for one in first["references"]} == {HashingEncoder().fingerprint}


def test_the_true_rate_is_that_of_one_reading_a_group() -> None:
    groups = Groups(Parted.of([[0.9], [0.4]]), Parted.of([[0.1, 0.6], [0.6, 0.6, 0.6]]), np.array([0, 1]))

    assert groups.true_rate(FPR, 0.5) == 0.75
    assert groups.true_rate(Target("false_rejects", 0.1), 0.5) == 0.5


@pytest.mark.parametrize("halves", [by_group, by_article])
def test_halves_share_no_group_and_where_asked_no_article(halves: object) -> None:
    rows = [Labelled(0.5, good, str(group)) for group in range(20) for good in (True, False)]
    groups = Groups.of(rows, lambda group: int(group) // 5)
    assert callable(halves)
    one, other = halves(groups, np.random.default_rng(1))

    assert sorted((*one, *other)) == list(range(20))
    shared = set(groups.articles[one]) & set(groups.articles[other])
    assert halves is by_group or not shared


def test_a_line_is_counted_on_both_labels() -> None:
    kinds = ("same article", "another article, near", "another article")
    bad = [Labelled(0.1 + 0.3 * at, False, str(at), {"kind": kind}) for at, kind in enumerate(kinds)]
    good = [Labelled(0.3 + 0.3 * at, True, str(at), {"kind": "its own"}) for at in range(3)]
    held = HeldOut.of({"drawn": [*good, *bad], "retrieved": bad})

    found = held.under(at_least(0.5))

    assert found["relevant_lost"]["share"] == found["irrelevant_kept"]["drawn"]["share"] == 0.3333
    assert found["irrelevant_kept_by_kind"]["another article"]["share"] == 1.0


def test_a_promise_that_is_broken_too_often_is_said() -> None:
    row = {"table": "promise", "unit": "paragraph", "mix": "drawn", "target": {"fpr": 0.1}}

    assert not list(missed_goals({**row, "broken": {"share": 0.06, "low": 0.04}}))
    assert "broken in 9.0% of fits" in next(missed_goals({**row, "broken": {"share": 0.09, "low": 0.07}}))


def test_the_tables_say_what_was_measured() -> None:
    told, promised = shown_lines(RESULTS["relevance"]), shown_promise(RESULTS["relevance"])

    assert "| paragraphs | picked by hand | 0.524 | 50.0% (40.0–60.0) |" in told
    assert "card, at most 10% of irrelevant ones kept, fitted on drawn |" in told
    assert "50.0% (40.0–60.0), **broken** |" in told
    assert told.count("of relevant ones lost") == 1
    assert (
        "| sentences | the 20 nearest | at most 10% of irrelevant ones kept | 3.1% (40.0–60.0) |" in promised
    )


def test_on_the_public_file_a_card_keeps_its_promise() -> None:
    data = Settings.from_environment().data
    if not data:
        pytest.skip("SENSECHECK_DATA does not name a folder of labelled public data")
    found = RelevanceSet.of(rows_of(Path(data), FILE), "sentence", HashingEncoder())

    assert (len(found.queries), len({query.article for query in found.queries})) == (1000, 16)
    assert len(by_mix(found)["drawn"]) == 4000
    assert [row["by"] for row in lines(found)] == ["hand"] * 4 + ["card"] * 6
    assert not [said for row in promises(found, 30) for said in missed_goals(row)]
