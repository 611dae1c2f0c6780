"""A source that is left alone once it has answered nobody for a while."""

from sensecheck.core.endpoint import Failure
from sensecheck.evals.sources.around import Around
from sensecheck.evals.sources.source import Answer, NoAnswer, Question, Source
from sensecheck.judges.patience import Patience


class Patient(Around):
    """The same answers as the source inside, until too many in a row found nobody there."""

    def __init__(self, inner: Source) -> None:
        super().__init__(inner)
        self._patience = Patience(inner.at_once)

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the source inside answers, or why it is not asked any more."""
        if given_up := self._patience.ended():
            return NoAnswer(given_up.because, unreachable=True)
        heard = self._inner.answer(question)
        self._patience.heard(_failure(heard) if isinstance(heard, NoAnswer) else None)
        return heard


def _failure(heard: NoAnswer) -> Failure:
    return Failure(heard.because, heard.unreachable, heard.absent)
