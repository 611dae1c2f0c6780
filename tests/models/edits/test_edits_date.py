"""Claims with another time."""

import re
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))  # `models` is a folder of recipes, not installed

from models.verifier.edits.date import date
from models.verifier.edits.edit import Article, Edit

SENTENCES = (
    "The bridge was opened on Monday, March 3, 1952.",
    "A flood destroyed the mill in August 1987.",
    "He lived from 1901 to 1980 and wrote in the late 1960s.",
    "In the 19th century, and in 300 BC, the valley was empty.",
    "The shop opens at 9:30 am on Sundays.",
    "She left the town after the war.",
)
ARTICLE = Article("Bridge", SENTENCES)


def edits(claim: str, seed: int = 0) -> list[Edit]:
    return list(date(claim, ARTICLE, Random(seed)))


def texts(claim: str, seeds: int = 10) -> set[str]:
    return {edit.text for seed in range(seeds) for edit in edits(claim, seed)}


def test_marks_lie_in_order_inside_a_text_that_differs() -> None:
    for claim in SENTENCES:
        found = edits(claim)
        assert found
        for edit in found:
            assert edit.text != claim
            assert all(0 <= start < end <= len(edit.text) for start, end in edit.changed)


def test_a_year_of_another_event_is_used() -> None:
    assert "The bridge was opened in 1987." in texts("The bridge was opened in 1952.")


def test_every_part_of_a_date_can_change() -> None:
    words = {edit.text[start:end] for edit in edits(SENTENCES[0]) for start, end in edit.changed}

    assert {"August", "1987"} <= words
    assert any(word.endswith("day") for word in words)
    assert any(word.isdigit() and int(word) < 29 for word in words)


def test_years_stay_in_order() -> None:
    for text in texts("He lived from 1901 to 1980."):
        first, last = (int(year) for year in re.findall(r"\d{4}", text))
        assert first < last


def test_a_later_year_is_no_change_after_by() -> None:
    assert all(int(text[-5:-1]) < 1952 for text in texts("The bridge was open by 1952."))


def test_months_without_capitals_change_without_capitals() -> None:
    found = texts("the mill was sold in may 1987.")

    assert any("in august 1987" in text or "in june 1987" in text for text in found)
    assert not texts("it may rain and they march on.")


def test_centuries_decades_and_eras_change() -> None:
    assert any("18th century" in text for text in texts(SENTENCES[3]))
    assert any("300 AD" in text for text in texts(SENTENCES[3]))
    assert "He wrote in the early 1960s." in texts("He wrote in the late 1960s.")
    assert "He wrote in the 1950s." in texts("He wrote in the 1960s.")


def test_before_and_after_change_only_where_they_speak_of_time() -> None:
    assert texts("She left the town after the war.") == {"She left the town before the war."}
    assert not texts("She was named after her aunt.")
    assert not texts("He appeared before the court.")


def test_feasts_keep_their_day() -> None:
    assert not texts("Shops close on Good Friday.")
