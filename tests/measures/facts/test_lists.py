"""Lists of which an answer leaves out a member, and answers that only seem to."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import usual_seconds

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.facts.lists import lists_in, shorter_lists
from sensecheck.measures.facts.references import taken_apart


def notes(answer: str, expected: str) -> list[str]:
    return [found.note for found in shorter_lists(taken_apart(answer).parsed, taken_apart(expected).parsed)]


def listed(text: str) -> list[list[str]]:
    return [
        [text[item.words[0].start : item.words[-1].end] for item in found.items]
        for found in lists_in(taken_apart(text).parsed)
    ]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Green, red, and blue.", ["Green", "red", "blue"]),
        ("It comes in green, red or blue.", ["green", "red", "blue"]),
        ("Salt & pepper", ["Salt", "pepper"]),
        ("Yes, the cake and the pie are vegan.", ["the cake", "the pie"]),
        ("In summer, tea and coffee are free.", ["tea", "coffee"]),
        (
            "You need a photo, a certificate and a letter of motivation.",
            ["a photo", "a certificate", "a letter"],
        ),
    ],
)
def test_the_items_of_a_list_are_told_apart(text: str, items: list[str]) -> None:
    assert listed(text) == [items]


@pytest.mark.parametrize(
    "text",
    [
        "It is red.",
        "Red, green.",
        "He came, and she stayed.",
        "2, 3 and 5",
        "Paris, France, and Bonn, Ohio",
    ],
)
def test_what_is_no_list_of_things_is_left_alone(text: str) -> None:
    assert listed(text) == []


@pytest.mark.parametrize(
    ("answer", "expected", "left_out"),
    [
        ("Red and blue.", "Green, red, and blue.", "`Green`"),
        ("Alice and Bob.", "Alice, Bob and Carol.", "`Carol`"),
        ("It comes in red and blue.", "It comes in green, red and blue.", "`green`"),
        ("We sell pears and plums.", "We sell apples, pears and plums.", "`apples`"),
        ("Alice and Bob came.", "Alice, Bob and Carol came.", "`Carol`"),
        (
            "You need a certificate and a photo.",
            "A photo, a certificate and a letter of intent.",
            "`a letter`",
        ),
        ("Oil and salt", "Oil, vinegar, mustard and salt", "`vinegar`, `mustard`"),
    ],
)
def test_a_member_that_a_list_leaves_out_is_named(answer: str, expected: str, left_out: str) -> None:
    (note,) = notes(answer, expected)

    assert note.endswith(f"leaves out {left_out}")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Blue, red and green.", "Green, red and blue."),
        ("Red and blue, plus a shade of green.", "Green, red and blue."),
        ("Red and blue. It also comes in a leafy shade.", "Green, red and blue."),
        ("Red and blue. The green one is new.", "Green, red and blue."),
        ("HDMI and wired network", "HDMI, USB-C and Ethernet"),
        ("Food and drink and warm clothes.", "Water, food and warm clothes."),
        ("Provisions and warm clothes.", "Water, food and warm clothes."),
        ("The French and the Germans", "France, Germany and Belgium"),
        ("Berlin and Paris", "Berlin, the capital of Germany, and Paris"),
        ("Peter and Tom", "Peter and Mary, who live in Rome, and Tom"),
        ("Paris and London", "Paris, France, and London, England"),
        ("Iron and nickel", "Only some metals, such as iron, nickel and cobalt"),
        ("Tea and coffee are free.", "Dear guests, tea and coffee are free."),
        ("Tom and Ann got married a year ago.", "Last summer, Tom and Ann got married."),
        ("Every Saturday and every Tuesday", "Yes, two a week, on Tuesdays and Saturdays."),
        ("Alice.", "Alice, Bob and Carol."),
        ("Red", "Red and blue"),
    ],
)
def test_whoever_may_have_said_it_in_other_words_left_nothing_out(answer: str, expected: str) -> None:
    assert notes(answer, expected) == []


def test_a_shorter_list_lowers_the_reading_where_less_counts() -> None:
    sample = Sample.of("Red and blue.", expected="Green, red and blue.")
    reading = FactAgreement(count=("changed", "less")).read(sample, Space())
    (found,) = reading.evidence

    assert reading.value < 1
    assert (found.kind, found.answer and found.answer.text) == ("list", "Red and blue")
    assert (found.source and found.source.text) == "Green"
    assert FactAgreement().read(sample, Space()).value == 1


def test_next_to_passages_a_shorter_list_is_no_difference() -> None:
    sample = Sample.of("It comes in red and blue.", passages=("It comes in green, red and blue.",))

    assert FactAgreement(against="passages", count=("changed", "less")).read(sample, Space()).value == 1


PARTS = "the red a blue and or & in green, , . ; yes, Bob 5 ( ) - no"
BUILT = st.lists(st.sampled_from(PARTS.split(" "))).map(" ".join)


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(), BUILT), BUILT)
def test_no_list_leaves_out_what_it_says(text: str, other: str) -> None:
    assert notes(text, text) == []
    for found in lists_in(taken_apart(other).parsed):
        assert len(found.items) > 1
        assert 0 <= found.start < found.end <= len(other)


@pytest.mark.slow
@pytest.mark.parametrize("text", ["a, b and c. " * 3_000, "red, " * 9_000 + "and blue", "x and " * 9_000])
def test_nonsense_is_searched_for_lists_in_little_time(text: str) -> None:
    begun = time.thread_time()
    notes(text, text[::-1] + text)

    assert usual_seconds(begun) < 10
