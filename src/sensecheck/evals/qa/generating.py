"""Asking the system under test: each question with its references, several at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.core.errors import CannotJudge
from sensecheck.core.run import Placed
from sensecheck.evals.qa.given import Given
from sensecheck.evals.qa.guarding import Candidates, Guard, Left, not_guarded
from sensecheck.evals.qa.prompting import Block, Template
from sensecheck.evals.sources.asking import Heard, ask_in_order
from sensecheck.evals.sources.source import NoAnswer, Question, Source

NO_QUESTION = "there is no question to be asked"


@dataclass(frozen=True, slots=True)
class Generating:
    """Who is asked, and how a question is put."""

    source: Source
    template: Template
    block: Block
    guard: Guard | None = None
    """What is left of the passages before they enter the prompt; None leaves them all."""
    at_once: int = 4

    def __call__(self, some: Sequence[Placed]) -> list[Given]:
        """One a question, in order; a failed one says why, and holds up no other."""
        found = [Candidates(placed.pair.question, placed.pair.passages) for placed in some]
        left: Sequence[Left] = [one.passages for one in found] if self.guard is None else self.guard(found)
        asked = [self._asked(p, passages) for p, passages in zip(some, left, strict=True)]
        questions = [one for one in asked if isinstance(one, Question)]
        heard = ask_in_order(((self.source, one) for one in questions), at_once=self.at_once)
        return [
            one if isinstance(one, Given) else _given(next(heard), passages)
            for one, passages in zip(asked, left, strict=True)
        ]

    def _asked(self, placed: Placed, left: Left) -> Question | Given:
        """The question as it is put; or what there is instead of an answer, if it cannot be."""
        if isinstance(left, CannotJudge):
            return not_guarded(left)
        if placed.pair.question is None:
            return Given(None, NO_QUESTION)
        prompt = self.template.filled(placed.pair.question, left, self.block)
        return Question(prompt, test=placed.pair.name, number=placed.position + 1)


def _given(heard: Heard, left: Left) -> Given:
    passages = None if isinstance(left, CannotJudge) else left
    if isinstance(heard, NoAnswer):
        return Given(None, heard.because, passages)
    return Given(heard.text, None, passages, heard.latency_ms, heard.cost)
