"""ROUGE-N: how many words the answer and the expected one share."""

from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.ngrams import ngrams, shared
from sensecheck.measures.lexical.treebank import tokens


@dataclass(frozen=True, slots=True)
class RougeN:
    """The F1 of runs of words that both texts have, from 0 to 1: Lin's ROUGE-N, in small letters."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    n: int = 1
    """How many words make a run."""

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SpecError(f"`n` wants 1 or more words; found {self.n}")

    @property
    def name(self) -> str:
        """What people call it."""
        return "rouge_n"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Twice the shared runs by all runs."""
        expected = sample.must_have_expected() if self.expected is None else self.expected
        mine, theirs = (ngrams(tokens(text.lower()), self.n) for text in (sample.answer, expected))
        both, total = shared(mine, theirs), mine.total() + theirs.total()
        value = 2 * both / total if total else 0.0
        because = f"the ROUGE-{self.n} beside the expected answer is {value:.3f}: {both} runs are shared"
        return Reading(value, because)
