"""Amounts and dates of one text as they are written in another one."""

import pytest

from sensecheck.measures.facts.equivalence import spelled_as


@pytest.mark.parametrize(
    ("text", "other", "spelled"),
    [
        ("Tuesday, at noon.", "It starts on Tuesday at 12:00.", "Tuesday, at 12:00."),
        ("It arrives in about 14 days.", "Delivery takes two weeks.", "It arrives in about two weeks."),
        ("It shuts at 17:30.", "It closes at half past five.", "It shuts at half past five."),
        ("Ten euros, by May 3rd.", "On 3 May, 10 EUR are due.", "10 EUR, by 3 May."),
        ("Chapter 3 is long.", "chapter three", "Chapter three is long."),
        ("It takes 2 days, then 2 days.", "two days", "It takes two days, then two days."),
    ],
)
def test_the_same_amount_or_date_is_written_as_there(text: str, other: str, spelled: str) -> None:
    assert spelled_as(text, other) == spelled


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The third chapter has pages.", "It has three pages."),
        ("It is on the 3rd floor.", "It has three floors."),
        ("One of them is late.", "The first is late."),
        ("It takes three weeks.", "It takes 14 days."),
        ("It is 5 km long.", "It is 5 miles long."),
        ("It opens at nine.", ""),
    ],
)
def test_what_is_another_amount_or_only_its_place_in_a_row_stays(text: str, other: str) -> None:
    assert spelled_as(text, other) == text
