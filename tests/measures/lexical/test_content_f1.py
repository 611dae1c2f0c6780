"""Content words are shared whatever their case, numbers by value, and negations are never lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.content import ContentF1, carried, content_f1


def test_stop_words_do_not_count_and_case_does_not_either() -> None:
    assert content_f1("A BOAT was on the Lake", "the boat, in a lake") == 1


def test_half_of_the_words_is_half() -> None:
    reading = ContentF1("red boats").read(Sample("The red cars."), Space())

    assert (reading.value, reading.because) == (0.5, "the F1 of shared content words is 0.500")


@pytest.mark.parametrize(
    "negated", ["is not safe", "isn't safe", "isn’t safe", "cannot be safe", "can't be safe"]
)
def test_a_negation_is_a_word_that_counts(negated: str) -> None:
    assert carried(negated) == ("not", "safe")
    assert content_f1(f"It {negated}", "It is safe") == pytest.approx(2 / 3)


def test_no_is_an_answer() -> None:
    assert content_f1("No.", "no") == 1
    assert content_f1("No.", "yes") == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("1,000", "1000"), ("1,234,567.50", "1234567.5"), ("2.0", "2"), ("−5", "-5"), ("(-5)", "-5")],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert content_f1(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("1,00", "100"), ("1.5", "15"), ("1.2.0", "1.2"), ("007", "7"), ("-5", "5"), ("100", "1")],
)
def test_other_numbers_are_others(one: str, other: str) -> None:
    assert content_f1(one, other) == 0


def test_a_dash_between_numbers_is_no_minus() -> None:
    assert carried("3-5 and 7 -9") == ("3-5", "7", "-9")


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_share_lies_between_0_and_1_and_has_no_direction(one: str, other: str) -> None:
    assert 0 <= content_f1(one, other) <= 1
    assert content_f1(one, other) == content_f1(other, one)
    assert content_f1(one, one) == (1 if carried(one) else 0)


@pytest.mark.parametrize(
    ("answer", "expected", "where"),
    [("", "cat", "in the answer"), ("cat", "it is", "in the expected answer"), ("", "", "in either text")],
)
def test_a_text_without_content_reads_0_and_says_so(answer: str, expected: str, where: str) -> None:
    reading = ContentF1(expected).read(Sample(answer), Space())

    assert (reading.value, reading.because) == (
        0.0,
        f"there is nothing to compare {where}, which counts as 0",
    )
