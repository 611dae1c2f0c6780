"""Sentences that the encoder cannot read, between others that it can."""

import pytest

from sensecheck.core.errors import CannotJudge
from sensecheck.grounding.extractive import answers_in, extraction, to_extract
from sensecheck.sense import Sense

OPEN = "The museum closes at 17:30 on weekdays."
ODD = ["∀x ∈ ℝ: ∃y", "ภาษาไทย", "b" * 971]


def answers(question: str, passage: str, sense: Sense) -> list[str]:
    asked = to_extract(question, passage)
    assert asked is not None
    verdict = sense.judge(asked, extraction())
    return [passage[start:end] for (start, end), _ in answers_in(verdict)]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
@pytest.mark.parametrize("question", ["When does the museum close?", "What is this?", "Summarise this."])
def test_the_others_answer_all_the_same(question: str, odd: str, sense: Sense) -> None:
    assert answers(question, f"{odd}\n\n{OPEN}\n\n{odd}", sense) == [OPEN]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_they_count_as_not_read(odd: str, sense: Sense) -> None:
    asked = to_extract("When does the museum close?", f"{OPEN}\n\n{odd}")
    assert asked is not None
    reading = sense.judge(asked, extraction()).reading

    assert reading is not None
    assert reading.unread_chars == len(odd)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_a_passage_of_nothing_else_cannot_be_read(odd: str, sense: Sense) -> None:
    with pytest.raises(CannotJudge, match="cannot read"):
        answers("When does the museum close?", odd, sense)
