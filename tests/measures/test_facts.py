import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.corpus import each_row
from tests.examples import examples
from tests.pace import usual_seconds

from sensecheck.measures.facts.agreement import compare, differences
from sensecheck.measures.facts.fact import Difference


def telling(answer: str, *references: str) -> list[Difference]:
    return [found for found in differences(answer, references) if found.change != "missing"]


@each_row
def test_the_same_fact_in_other_words_agrees(answer: str, reference: str) -> None:
    assert telling(answer, reference) == []


@each_row
def test_another_fact_in_the_same_place_is_a_change(kind: str, answer: str, reference: str) -> None:
    found = telling(answer, reference)

    assert (kind, "changed") in {(one.kind, one.change) for one in found}


@each_row
def test_what_means_the_same_does_not_fire(kind: str, answer: str, reference: str) -> None:
    assert telling(answer, reference) == [], kind


@each_row
def test_what_means_something_else_fires(kind: str, answer: str, reference: str) -> None:
    assert telling(answer, reference) != [], kind


def test_what_the_question_says_is_not_added_by_an_answer_that_repeats_it() -> None:
    answer, question = "The Danube is 2,850 km long, and Linz lies on it.", "Does Linz lie on the Danube?"

    def added(asked: str | None) -> list[str]:
        found = compare(answer, ["Yes, and it is 2,850 km long."], asked).differences
        return [answer[slice(*one.answer)] for one in found if one.change == "added" and one.answer]

    assert added(None) == ["Danube", "Linz"]
    assert added(question) == []


def test_no_to_what_was_asked_is_another_answer_than_yes() -> None:
    found = compare("It isn't vegan, as it has cream.", ["Yes, no animals at all."], "Is the soup vegan?")

    assert [(one.kind, one.change) for one in found.differences] == [("negation", "changed")]


def test_a_number_that_can_be_calculated_is_marked() -> None:
    compared = compare("Three of them come to €14.70.", ["One costs €4.90. Delivery is free."])

    assert [(one.kind, one.derived) for one in compared.differences if one.answer] == [
        ("number", True),
        ("number", True),
    ]
    assert not any(one.derived for one in compare("It costs €15.20.", ["One costs €4.90."]).differences)


@pytest.mark.parametrize(
    ("kind", "answer"),
    [
        ("number", "The bridge is open and 300 m long."),
        ("date", "The bridge was opened in 1932."),
        ("name", "The bridge was designed by Bradfield."),
    ],
)
def test_a_fact_of_the_answer_alone_is_added(kind: str, answer: str) -> None:
    found = telling(answer, "The bridge is open. It is used by cars.")

    assert [(one.kind, one.change, one.source) for one in found] == [(kind, "added", None)]


def test_a_fact_of_the_reference_alone_is_missing() -> None:
    found = differences("The bridge is open.", ["The bridge is open. It opened in 1932."])

    assert [(one.kind, one.change, one.answer) for one in found] == [("date", "missing", None)]


def test_a_negation_about_something_else_is_no_difference() -> None:
    answer = "The shop is open. Parking is not free."

    assert telling(answer, "The shop is open until late. Parking is not free of charge.") == []
    assert [one.kind for one in telling(answer, "The shop is open. Parking is free.")] == ["negation"]


def test_a_fact_in_any_of_the_references_agrees() -> None:
    assert telling("It opened in 1932 and is 503 m long.", "It opened in 1932.", "It is 503 m long.") == []


def test_the_note_says_what_stands_there_instead() -> None:
    (found,) = telling("It opened in 1963.", "It opened in 1969.")

    assert found.note == "`1963` is not there; it says `1969`"


WORDS = (
    "the shop is not open no never 5 km 1969 July 20 Neil Armstrong closed more than at least all some "
    ". , \n U.S. Monday 5 pm"
)
BUILT = st.lists(st.sampled_from([*WORDS.split(" "), "twenty-one", "$5", "few", "1.", "’s"])).map(" ".join)


@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(), BUILT))
def test_a_text_never_differs_from_itself(text: str) -> None:
    assert differences(text, [text]) == []


@settings(max_examples=examples(200), deadline=None)
@given(BUILT, st.lists(BUILT, max_size=2))
def test_every_difference_stands_where_it_says(answer: str, references: list[str]) -> None:
    compared = compare(answer, references)

    assert compared.agreeing >= 0
    for found in compared.differences:
        assert (found.answer is None) == (found.change == "missing")
        assert found.answer is None or 0 <= found.answer[0] < found.answer[1] <= len(answer)
        if found.source is not None and found.reference is not None:
            assert references[found.reference][slice(*found.source)].strip()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "1" * 50_000,
        "1." * 25_000,
        "Ab " * 8_000,
        "not " * 8_000,
        "no a. " * 4_000,
        "open not closed " * 2_000,
        " ".join(f"x {n} km" for n in range(3_000)),
        ". ".join(f"We saw {n} in Xo{n}" for n in range(1_500)),
    ],
)
def test_nonsense_is_compared_in_little_time(text: str) -> None:
    begun = time.thread_time()
    differences(text, [text, text[::-1]])

    assert usual_seconds(begun) < 10
