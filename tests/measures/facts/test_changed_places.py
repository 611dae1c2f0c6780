"""Amounts and names that have changed places, and others that only stand in another order."""

import time

import pytest
from tests.pace import usual_seconds

from sensecheck.measures.facts.agreement import compare


def notes(answer: str, expected: str) -> set[str]:
    return {found.note for found in compare(answer, [expected]).differences if found.change == "changed"}


@pytest.mark.parametrize(
    ("answer", "expected", "changed"),
    [
        (
            "3 kg of apples and 5 kg of pears",
            "5 kg of apples and 3 kg of pears",
            {"`3 kg` instead of `5 kg`", "`5 kg` instead of `3 kg`"},
        ),
        (
            "After every two compressions you give thirty rescue breaths.",
            "30 compressions followed by 2 breaths",
            {"`two` instead of `30`", "`thirty` instead of `2`"},
        ),
        (
            "The Rockets finished with 34 wins and 48 defeats.",
            "The Rockets finished the season with 48 wins and 34 defeats.",
            {"`34` instead of `48`", "`48` instead of `34`"},
        ),
        (
            "Anna Reyes and Tom Keller started it in 2009.",
            "It was founded in 2009 by Anna Keller and Tom Reyes.",
            {"`Anna Reyes` instead of `Anna Keller`", "`Tom Keller` instead of `Tom Reyes`"},
        ),
    ],
)
def test_what_has_changed_places_differs(answer: str, expected: str, changed: set[str]) -> None:
    assert notes(answer, expected) == changed


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("3 kg of pears and 5 kg of apples", "5 kg of apples and 3 kg of pears"),
        (
            "Two rooms have 4 beds and four rooms have 2 beds.",
            "Four rooms have 2 beds and two rooms have 4 beds.",
        ),
        ("Children pay 5 euros, adults 12 euros.", "Adults pay 12 euros and children 5 euros."),
        ("Tom Reyes and Anna Keller founded it.", "It was founded by Anna Keller and Tom Reyes."),
        ("Anna Reyes, born Keller, founded it.", "It was founded by Anna Reyes."),
        ("Anna Keller met Tom Keller.", "Anna Keller and Tom Keller met."),
        ("2 of 3 took part.", "3 were asked, of whom 2 took part."),
    ],
)
def test_what_only_stands_in_another_order_does_not(answer: str, expected: str) -> None:
    assert notes(answer, expected) == set()


def test_a_sentence_is_found_among_others() -> None:
    passage = "Fast track opens early. It costs £8 if bought online and £12 at the airport. Bring a card."
    found = compare("It costs £12 if bought online and £8 at the airport.", [passage]).differences
    assert [passage[slice(*one.source)] for one in found if one.change == "changed" and one.source] == [
        "£8",
        "£12",
    ]


def test_a_sentence_of_many_numbers_takes_no_longer_than_others() -> None:
    many = " and ".join(f"{number} things{number}" for number in range(2, 1500))
    begun = time.thread_time()
    compare(many, [many.replace("things", "other")])
    assert usual_seconds(begun) < 10
