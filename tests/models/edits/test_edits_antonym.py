"""Claims with one word replaced by its opposite."""

import sys
from pathlib import Path
from random import Random

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.antonym import antonym
from models.verifier.edits.edit import Article

NOTHING = Article("", ())


@pytest.mark.parametrize(
    ("claim", "said", "changed"),
    [
        ("Prices increased in May.", "Prices decreased in May.", "decreased"),
        ("He bought the firm.", "He sold the firm.", "sold"),
        ("They live in northern Italy.", "They live in southern Italy.", "southern"),
        ("It was an unusual case.", "It was a usual case.", "usual"),
        ("He left before the war.", "He left after the war.", "after"),
    ],
)
def test_a_word_becomes_its_opposite(claim: str, said: str, changed: str) -> None:
    found = {edit.text: edit for edit in antonym(claim, NOTHING, Random(1))}

    assert said in found
    start, end = found[said].changed[0]
    assert said[start:end] == changed


@pytest.mark.parametrize(
    "claim", ["He went to high school.", "It is not large.", "Male and female birds sing."]
)
def test_fixed_expressions_and_denials_are_left_alone(claim: str) -> None:
    assert list(antonym(claim, NOTHING, Random(1))) == []
