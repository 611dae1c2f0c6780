"""A source that is left alone once it has answered nobody for a while."""

from sensecheck.evals.sources.around import Around
from sensecheck.evals.sources.source import Answer, NoAnswer, Question, Source
from sensecheck.io.retry import FailureStreak


class Patient(Around):
    """The same answers as the source inside, until too many in a row found nobody there."""

    def __init__(self, inner: Source) -> None:
        super().__init__(inner)
        self._streak = FailureStreak(inner.at_once)

    def answer(self, question: Question) -> Answer | NoAnswer:
        """What the source inside answers, or why it is not asked any more."""
        if self._streak.given_up:
            return NoAnswer(self._streak.given_up, unreachable=True)
        heard = self._inner.answer(question)
        if isinstance(heard, NoAnswer) and heard.unreachable:
            self._streak.failed(heard.because, absent=heard.absent)
        else:
            self._streak.answered()
        return heard
