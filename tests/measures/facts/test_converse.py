"""Comparisons that are said from the other side."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import usual_seconds

from sensecheck.core.sample import Sample
from sensecheck.measures.facts.equivalence import turned_as
from sensecheck.measures.meaning import pairs_both_ways


@pytest.mark.parametrize(
    ("text", "other", "turned"),
    [
        (
            "The Rhine is shorter than the Danube.",
            "The Danube is longer than the Rhine.",
            "The Danube is longer than the Rhine.",
        ),
        (
            "Last year's exam was much harder than this one.",
            "This one was easier than last year's exam.",
            "This one was much easier than Last year's exam.",
        ),
        (
            "Fewer men than women cast a ballot.",
            "More women than men voted.",
            "More women than men cast a ballot.",
        ),
        (
            "The revolution began after the declaration was signed.",
            "The declaration came before the revolution.",
            "The declaration was signed before the revolution began.",
        ),
    ],
)
def test_a_comparison_is_said_from_the_side_of_the_other_text(text: str, other: str, turned: str) -> None:
    assert turned_as(text, other) == turned


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The Danube is shorter than the Rhine.", "The Danube is longer than the Rhine."),
        ("The Rhine is longer than the Danube.", "The Danube is longer than the Rhine."),
        ("The Rhine is not shorter than the Danube.", "The Danube is longer than the Rhine."),
        ("The Rhine is shorter than the Danube, but wider.", "The Danube is longer than the Rhine."),
        ("The Rhine is shorter than the Elbe.", "The Danube is longer than the Rhine."),
        ("Wash your hands after you touch the food.", "Wash your hands before you touch the food."),
        ("The bride is shorter than her father.", "The bride is taller than her father."),
        ("", "The Danube is longer than the Rhine."),
    ],
)
def test_what_says_something_else_stays_as_it_is(text: str, other: str) -> None:
    assert turned_as(text, other) == text


def test_an_answer_is_read_from_the_side_of_what_was_expected() -> None:
    expected = "The Danube is longer than the Rhine."
    pairs = pairs_both_ways(Sample("The Rhine is shorter than the Danube.", expected=expected))
    assert set(pairs) == {(expected, expected)}


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_may_be_turned(text: str, other: str) -> None:
    assert isinstance(turned_as(text, other), str)


@pytest.mark.parametrize("text", ["a " * 29 + "than b", "a is b than " * 3, "x" * 100_000, "a before " * 14])
def test_no_text_takes_long(text: str) -> None:
    begun = time.thread_time()
    turned_as(text, "b is longer than a before a")
    assert usual_seconds(begun) < 1
