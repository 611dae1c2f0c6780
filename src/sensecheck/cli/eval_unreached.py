"""A model that nobody reaches: told before anything is kept, so that its questions can be asked again."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sensecheck.core.errors import Unreachable
from sensecheck.core.run import Placed, Run
from sensecheck.evals.qa.given import Given
from sensecheck.evals.qa.running import AnswerEach
from sensecheck.evals.sources.source import Answer, NoAnswer, Question, Source


@dataclass(slots=True)
class Heeded:
    """A source, and whether anything came of asking it; several threads may ask."""

    source: Source
    reached: bool = False
    """Whether it has said anything in this batch, be it that a question is wrong."""
    because: list[str] = field(default_factory=list)
    """Why it was not reached, each time."""

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.source.label

    @property
    def fingerprint(self) -> str:
        """Changes whenever other answers are to be expected."""
        return self.source.fingerprint

    @property
    def at_once(self) -> int:
        """How many questions it takes at the same time."""
        return self.source.at_once

    @property
    def kept(self) -> bool:
        """Whether its answers are worth keeping."""
        return self.source.kept

    def forget(self) -> None:
        """What came of asking it before."""
        self.reached = False
        self.because.clear()

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer, or why there is none."""
        heard = self.source.answer(question)
        if isinstance(heard, NoAnswer) and heard.unreachable:
            self.because.append(heard.because)
        else:
            self.reached = True
        return heard


@dataclass(frozen=True, slots=True)
class UnlessUnreached:
    """Whoever answers; an error where the source was not reached by a batch, or is given up within it.

    An answer that is not there is kept for good, and is not asked for again when a run goes on: so a batch
    that met with nobody is not kept, and its questions are asked again.
    """

    answering: AnswerEach
    source: Heeded
    run: Run
    url: str
    """Where the source is, as it may be shown."""

    def __call__(self, some: Sequence[Placed]) -> Sequence[Given]:
        """One a question."""
        self.source.forget()
        given = self.answering(some)
        because = self.source.because
        if because and (not self.source.reached or len(because) >= 2 * self.source.at_once):
            more = " more" if self.run.done or some[0].position else ""
            raise Unreachable(
                f"nobody answered at `{self.url}`: {because[0]}; nothing{more} was evaluated; "
                f"try again with `--resume {self.run.key}` and the same options"
            )
        return given
