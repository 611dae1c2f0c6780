"""A model that goes away in the middle of a run costs no question."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from sensecheck.core.errors import Unreachable
from sensecheck.core.run import Item, PlacedItem, QuestionSet, RecordedAnswer, Run, Test
from sensecheck.evaluation.batches import ObservedSource, UnlessUnreached
from sensecheck.sources.source import Answer, NoAnswer, Question

RUN = Run(
    7, "id", Test(1, "t", "p", "n", {}, {}), QuestionSet(1, 40, ""), "", "", {}, datetime.now(UTC), None, 0
)


class GoesAway:
    """Answers so many questions, and then nobody is there."""

    label, fingerprint, concurrency, cacheable = "model", "mark", 4, True

    def __init__(self, after: int) -> None:
        self.left = after

    def answer(self, question: Question) -> Answer | NoAnswer:
        self.left -= 1
        return Answer("Yes.") if self.left >= 0 else NoAnswer("connection refused", unreachable=True)


def asking(source: ObservedSource) -> UnlessUnreached:
    def each(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        heard = [source.answer(Question(one.item.question or "")) for one in some]
        return [
            RecordedAnswer(one.text) if isinstance(one, Answer) else RecordedAnswer(None, one.because)
            for one in heard
        ]

    return UnlessUnreached(each, source, RUN, "http://127.0.0.1:9/v1")


def batch(first: int) -> list[PlacedItem]:
    return [PlacedItem(at, at, Item(f"Is it {at}?", "Yes.")) for at in range(first, first + 10)]


@pytest.mark.parametrize("after", [0, 2, 10, 12])
def test_a_batch_that_met_with_nobody_is_not_kept(after: int) -> None:
    ask = asking(ObservedSource(GoesAway(after)))
    if after >= 10:
        assert len(ask(batch(0))) == 10
    with pytest.raises(Unreachable, match=r"connection refused; nothing.* was evaluated; .*`--resume 7`"):
        ask(batch(10 if after >= 10 else 0))


def test_a_few_questions_without_an_answer_are_kept_as_what_they_are() -> None:
    given = asking(ObservedSource(GoesAway(7)))(batch(0))

    assert [one.answer for one in given] == ["Yes."] * 7 + [None] * 3
