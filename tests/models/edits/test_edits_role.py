"""Those who act and those who are acted upon, exchanged."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article
from models.verifier.edits.role import role


def texts(claim: str) -> set[str]:
    return {edit.text for edit in role(claim, Article("", (claim,)), Random(1))}


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Japan invaded Thailand in 1941.", "Thailand invaded Japan in 1941."),
        ("Japan invaded Thailand in 1941.", "Japan was invaded by Thailand in 1941."),
        ("Warsaw was occupied by Germany until 1918.", "Germany was occupied by Warsaw until 1918."),
        ("Warsaw was occupied by Germany until 1918.", "Warsaw occupied Germany until 1918."),
        ("He taught Peter Brown in Leeds.", "Peter Brown taught him in Leeds."),
        ("The flood caused the famine.", "The famine caused the flood."),
        ("The drought led to the famine.", "The famine led to the drought."),
        ("The river is longer than the canal.", "The canal is longer than the river."),
        ("She moved from Paris to Berlin.", "She moved from Berlin to Paris."),
        ("John Smith's teacher Peter Brown died.", "Peter Brown's teacher John Smith died."),
        ("France sold the land to Spain.", "Spain sold the land to France."),
        ("There were more men than women.", "There were more women than men."),
        ("The war began because the king had died.", "The king had died because the war began."),
        ("the flood caused the famine.", "the famine caused the flood."),
        ("Max Weber said that Peter Brown lied.", "Peter Brown said that Max Weber lied."),
    ],
)
def test_a_claim_is_said_the_other_way_round(claim: str, wanted: str) -> None:
    assert wanted in texts(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "John Smith married Mary Brown.",
        "France and Germany signed it.",
        "The talks between France and Germany failed.",
        "John Smith met Mary Brown in Leeds.",
        "It rained.",
    ],
)
def test_what_holds_both_ways_is_left_alone(claim: str) -> None:
    assert texts(claim) == set()


def test_the_marks_cover_what_moved() -> None:
    claim = "The drought led to the famine."
    (edit,) = role(claim, Article("", (claim,)), Random(1))

    assert edit.kind == "role"
    assert [edit.text[start:end] for start, end in edit.changed] == ["The famine", "the drought"]
