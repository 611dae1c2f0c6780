"""What guards leave of the passages that a retriever found, before anything is asked or read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sensecheck.core.errors import CannotJudge
from sensecheck.core.run import Placed
from sensecheck.evals.qa.given import Given
from sensecheck.evals.qa.running import AnswerEach

NOT_GUARDED = "its references could not be judged"


class Candidates(NamedTuple):
    """A question, and what was found for it."""

    question: str | None
    passages: tuple[str, ...]


Left = tuple[str, ...] | CannotJudge
"""The passages that may enter the prompt, or why nobody can say."""
Guard = Callable[[Sequence[Candidates]], Sequence[Left]]


@dataclass(frozen=True, slots=True)
class Guarded:
    """Recorded answers, whose passages are what a guard leaves of them.

    A question whose references cannot be judged has no answer, rather than one beside an empty prompt.
    """

    answer_each: AnswerEach
    guard: Guard

    def __call__(self, some: Sequence[Placed]) -> list[Given]:
        """One a question, in order."""
        given = self.answer_each(some)
        found = [
            Candidates(p.pair.question, p.pair.passages if one.passages is None else one.passages)
            for p, one in zip(some, given, strict=True)
        ]
        return [_with(one, left) for one, left in zip(given, self.guard(found), strict=True)]


def not_guarded(reason: CannotJudge) -> Given:
    """What there is instead of an answer."""
    return Given(None, f"{NOT_GUARDED}: {reason}")


def _with(given: Given, left: Left) -> Given:
    if isinstance(left, CannotJudge):
        return not_guarded(left)
    return replace(given, passages=left)
