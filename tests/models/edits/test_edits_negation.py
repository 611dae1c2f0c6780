"""Claims with a negation put in or taken out."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.negation import negation

NOTHING = Article("", ())


def edits(claim: str) -> list[Edit]:
    return [edit for seed in range(20) for edit in negation(claim, NOTHING, Random(seed))]


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Obama won the election.", "Obama did not win the election."),
        ("The house was built in 1990.", "The house was not built in 1990."),
        ("She can swim.", "She cannot swim."),
        ("He did not win the cup.", "He won the cup."),
        ("The law isn't clear.", "The law is clear."),
        ("They failed to reach the summit.", "They reached the summit."),
        ("He left without the book.", "He left with the book."),
        ("It had no effect.", "It had an effect."),
    ],
)
def test_a_claim_is_turned_round(claim: str, said: str) -> None:
    assert said in {edit.text for edit in edits(claim)}


@pytest.mark.parametrize(
    "claim", ["Is it open?", "Some of them were old.", 'He said "it was late".', "It is not red but blue."]
)
def test_a_claim_that_would_not_become_false_is_left_alone(claim: str) -> None:
    assert edits(claim) == []


def test_the_marks_lie_on_what_changed() -> None:
    for edit in edits("Obama won the election and was praised in the press."):
        assert all(edit.text[start:end].strip() for start, end in edit.changed)
        assert edit.kind == "negation"
        assert edit.changed
