"""BLEU: how many of the answer's runs of words stand in a reference."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.given import must_be_texts
from sensecheck.measures.lexical.ngrams import ngrams, shared

LONGEST_RUN = 4
NONE_SHARED = 1e-7
"""What no shared run counts as, so that one missing length does not make everything 0."""


@dataclass(frozen=True, slots=True)
class Bleu:
    """The BLEU of one answer, from 0 to 1, as promptfoo defines it.

    Words are what stands between spaces, in small letters; runs of one to four words weigh the same, and
    lengths that the answer is too short for are left out. Of several references, the one that shares most
    counts, for each length anew. Others tokenize and smooth otherwise, and read other numbers.
    """

    references: tuple[str, ...] | None = None
    """The texts to compare with; None takes the sample's expected answer."""

    def __post_init__(self) -> None:
        if self.references is not None:
            must_be_texts("references", self.references)

    @property
    def name(self) -> str:
        """What people call it."""
        return "bleu"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The mean of the shares, less where the answer is shorter than the references."""
        texts = (sample.must_have_expected(),) if self.references is None else self.references
        value = bleu(_words(sample.answer), [_words(text) for text in texts])
        return Reading(value, f"the BLEU beside the expected answer is {value:.3f}")


def bleu(words: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """The geometric mean of the shares of runs, times the penalty for a short answer."""
    if not words:
        return 0.0
    shares = list(_shares(words, references))
    mean = math.exp(sum(math.log(share or NONE_SHARED) for share in shares) / len(shares))
    nearest = min((len(one) for one in references), key=lambda length: (abs(length - len(words)), length))
    return mean * (1.0 if len(words) > nearest else math.exp(1 - nearest / len(words)))


def _shares(words: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[float]:
    for n in range(1, min(LONGEST_RUN, len(words)) + 1):
        mine = ngrams(words, n)
        yield max(shared(mine, ngrams(one, n)) for one in references) / mine.total()


def _words(text: str) -> list[str]:
    return text.lower().split()
