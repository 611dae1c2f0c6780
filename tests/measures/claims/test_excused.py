"""Only the part of a claim that says that the passage does not say is excused."""

import time

import pytest
from tests.corpus import each_row
from tests.pace import usual_seconds

from sensecheck.measures.claims.abstention import excused

OPEN = "The passage does not mention the cost"
WHOLE = [
    "The passage does not mention the cost.",
    "The passage does not mention the cost, the owner, and the size.",
    "The passage does not mention the cost, the owner, or the size.",
    "The passage does not mention the cost and the size of the plant.",
    "The passage does not say who built it and when it was sold.",
    "The passage does not say how much it cost, or who paid.",
    "Based on the provided passages, the price is not explicitly stated.",
    "However, the passages do not say who paid.",
    "Therefore, based on the given passages, it is difficult to say which is better.",
    "I cannot say more, because the passage does not mention it.",
    "The passages do not say how to plan a trip, such as booking tours or finding trains.",
    "The text makes no mention of a refund, a discount, or a gift.",
    "Note: the passages do not mention the size of the roast.",
    "Therefore, I must reply with: Unable to answer based on given passages.",
    "Unknown (no passage mentions any side effects)",
    "I cannot answer this, as the passages do not contain the price.",
    "There is no mention of watching stories as a factor in the score.",
]
BEFORE = [
    ("The mayor was arrested, and ", "the passage does not mention the cost."),
    ("The mayor was arrested; ", "the passage does not mention the cost."),
    ("The mayor was arrested in Paris. ", "However, the passage does not mention the cost."),
    ("The mayor stole the money (", "not mentioned in the passage)"),
]


@each_row
def test_what_follows_the_open_part_is_not_excused(more: str) -> None:
    found = excused(OPEN + more)

    assert found is not None
    assert (OPEN + more)[slice(*found)] == OPEN


@pytest.mark.parametrize("text", WHOLE)
def test_what_only_says_more_of_what_is_open_is_excused(text: str) -> None:
    assert excused(text) == (0, len(text))


@pytest.mark.parametrize(("before", "text"), BEFORE)
def test_what_stands_before_the_open_part_is_not_excused(before: str, text: str) -> None:
    found = excused(before + text)

    assert found is not None
    assert (before + text)[slice(*found)].removeprefix("and ") == text


@pytest.mark.parametrize(
    "unit", [" ", "\n ", ", and it ", "— ", "a, ", " (", "The passage does not mention it, "]
)
def test_much_nonsense_takes_little_time(unit: str) -> None:
    begun = time.thread_time()
    excused(f"{OPEN} {unit * (20_000 // len(unit))}")

    assert usual_seconds(begun) < 5
