"""Claims with another quantity, frequency, rank or modal."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.quantifier import quantifier

ARTICLE = Article("Birds", ("Most birds can fly.", "Some birds never leave, and the old birds sing."))


def edits(claim: str, seed: int = 0) -> list[Edit]:
    return list(quantifier(claim, ARTICLE, Random(seed)))


@pytest.mark.parametrize(
    ("claim", "wanted"),
    [
        ("Most birds can fly.", "All birds can fly."),
        ("Some of the birds stay.", "None of the birds stay."),
        ("Birds always return.", "Birds never return."),
        ("At least 40 people came.", "At most 40 people came."),
        ("It holds more than 300 seats.", "It holds less than 300 seats."),
        ("Save up to 30% a month.", "Save at least 30% a month."),
        ("It is the largest lake of the country.", "It is the smallest lake of the country."),
        ("She was the first woman to win.", "She was the only woman to win."),
        ("He used it for the first time.", "He used it for the last time."),
        ("Members must pay a fee.", "Members may pay a fee."),
        ("The fee may be waived.", "The fee must be waived."),
        ("The fruit is grown in Spain.", "The fruit is grown only in Spain."),
        ("Birds are found there.", "Only birds are found there."),
        ("The most important of them died.", "The least important of them died."),
    ],
)
def test_a_claim_becomes_stronger_or_contrary(claim: str, wanted: str) -> None:
    assert wanted in {edit.text for edit in edits(claim)}


def test_marks_hold_the_new_words() -> None:
    for edit in edits("Most birds can fly and always return."):
        [(start, end)] = edit.changed
        assert edit.text[start:end].strip() == edit.text[start:end] != ""


@pytest.mark.parametrize(
    "claim",
    ["Not at all.", "After all, he left.", "His first name is Ed.", "It has three rooms.", "At last!"],
)
def test_fixed_phrases_stay(claim: str) -> None:
    assert not edits(claim)


def test_all_never_becomes_some_which_would_still_be_true() -> None:
    assert not [edit for edit in edits("All birds fly.") if edit.text.startswith("Some")]
