"""Claims with another unit."""

import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.unit import unit

ARTICLE = Article("Road", ("The road is 40 km long.", "It cost $5 million and took three years."))


def edits(claim: str, seed: int = 0) -> list[Edit]:
    return list(unit(claim, ARTICLE, Random(seed)))


def texts(claim: str) -> set[str]:
    return {edit.text for edit in edits(claim)}


def test_marks_hold_exactly_the_new_words() -> None:
    for edit in edits("It cost $5 million and took three years."):
        [(start, end)] = edit.changed
        assert edit.text[start:end].strip() == edit.text[start:end]
        assert edit.text[start:end] not in ("$", "million", "years", "")


def test_a_length_gets_another_unit() -> None:
    assert "The road is 40 miles long." in texts("The road is 40 km long.")


def test_magnitude_currency_and_time_change() -> None:
    found = texts("It cost $5 million and took three years.")

    assert "It cost $5 billion and took three years." in found
    assert "It cost €5 million and took three years." in found
    assert "It cost $5 million and took three months." in found


def test_percent_and_percentage_points_differ() -> None:
    assert "Rents rose by 5 percentage points." in texts("Rents rose by 5%.")
    assert "Rents rose by 5 percent." in texts("Rents rose by 5 percentage points.")


def test_a_unit_that_is_said_twice_stays() -> None:
    assert not edits("The wall is 40 km (25 mi) long.")


def test_ages_and_ages_of_the_earth_keep_their_years() -> None:
    assert not [
        text for text in texts("The 27-year-old found a 66 million years old bone.") if "month" in text
    ]


def test_a_rhythm_changes_with_its_article() -> None:
    assert "They hold a monthly fair." in texts("They hold an annual fair.")


def test_a_verb_is_no_number_with_a_unit() -> None:
    assert not edits("I am here.")
