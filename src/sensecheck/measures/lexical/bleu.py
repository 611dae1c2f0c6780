"""BLEU: how many of the answer's runs of words stand in a reference.

Of one answer, as promptfoo defines it, and as sacrebleu does.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.exemplars import require_texts
from sensecheck.measures.lexical.tokens import (
    REMEMBERED_CHARS,
    REMEMBERED_PAIRS,
    clipped,
    mteval_tokens,
    ngrams,
    nothing_to_compare,
    shared,
)

MAX_NGRAM = 4
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
            require_texts("references", self.references)

    @property
    def name(self) -> str:
        """What people call it."""
        return "bleu"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The mean of the shares, less where the answer is shorter than the references."""
        texts = (sample.require_expected(),) if self.references is None else self.references
        value = bleu(sample.answer.lower().split(), [text.lower().split() for text in texts])
        return Reading(value, f"the BLEU beside the expected answer is {value:.3f}")


@dataclass(frozen=True, slots=True)
class SentenceBleu:
    """The BLEU of one answer, from 0 to 1: a hundredth of what `sacrebleu.sentence_bleu` gives.

    Words are those of mteval-v13a, in the letters they are written in; runs of one to four words weigh the
    same, and lengths that the answer is too short for are left out. The first length of which nothing is
    shared counts as half a run, the next as a quarter, and so on. `bleu` is another number, promptfoo's.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "sentence_bleu"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The mean of the shares, less where the answer is shorter than the expected one."""
        expected = sample.require_expected() if self.expected is None else self.expected
        value = sentence_bleu(sample.answer, expected)
        missing = None if value else nothing_to_compare(mteval_tokens(sample.answer), mteval_tokens(expected))
        return Reading(value, missing or f"the sentence BLEU beside the expected answer is {value:.3f}")


def bleu(words: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """The geometric mean of the shares of runs, times the penalty for a short answer."""
    if not words:
        return 0.0
    shares = list(_shares(words, references))
    mean = math.exp(sum(math.log(share or NONE_SHARED) for share in shares) / len(shares))
    nearest = min(
        (len(reference) for reference in references), key=lambda length: (abs(length - len(words)), length)
    )
    return mean * (1.0 if len(words) > nearest else math.exp(1 - nearest / len(words)))


def sentence_bleu(answer: str, expected: str) -> float:
    """The BLEU of an answer next to the expected one; a short pair is counted once."""
    short = len(answer) + len(expected) <= REMEMBERED_CHARS
    return _remembered_bleu(answer, expected) if short else _counted_bleu(answer, expected)


def _shares(words: Sequence[str], references: Sequence[Sequence[str]]) -> Iterator[float]:
    """For each length, the share of the answer's runs that the best reference has."""
    for n in range(1, min(MAX_NGRAM, len(words)) + 1):
        mine = ngrams(words, n)
        yield max(shared(mine, ngrams(reference, n)) for reference in references) / mine.total()


def _counted_bleu(answer: str, expected: str) -> float:
    mine, theirs = mteval_tokens(answer), mteval_tokens(expected)
    runs = _shared_runs(mine, theirs)
    if not runs[0]:
        return 0.0
    order, logs, halved = min(MAX_NGRAM, len(mine)), 0.0, 1
    for n, both in enumerate(runs[:order]):
        halved *= 1 if both else 2
        logs += math.log((both or 1 / halved) / (len(mine) - n))
    short = math.exp(min(0.0, 1 - len(theirs) / len(mine)))
    return min(1.0, short * math.exp(logs / order))  # rounding must not make a perfect answer better


_remembered_bleu = lru_cache(maxsize=REMEMBERED_PAIRS)(_counted_bleu)


def _shared_runs(mine: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """How many runs of one to four words both have, each counted as often as it occurs in both."""
    few, many = (mine, theirs) if len(mine) < len(theirs) else (theirs, mine)
    both = [0] * MAX_NGRAM
    fewer, more = [], []
    for n in range(MAX_NGRAM):
        fewer.append(few[n:])
        more.append(many[n:])
        runs = set(_runs(fewer))
        if len(runs) == len(few) - n:  # nothing comes twice in one of the texts: there is nothing to count
            both[n] = len(runs.intersection(_runs(more)))
        else:
            both[n] = clipped(_runs(fewer), _runs(more))
        if both[n] < 2:  # a longer run holds two that are shorter
            break
    return both


def _runs(shifted: Sequence[Sequence[str]]) -> Iterable[str | tuple[str, ...]]:
    """Runs of words, from the same words shifted by none, one, two, …"""
    return shifted[0] if len(shifted) == 1 else zip(*shifted, strict=False)
