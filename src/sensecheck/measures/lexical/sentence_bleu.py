"""BLEU of one answer, the number that sacrebleu reads."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.clipped import clipped
from sensecheck.measures.lexical.mteval import tokens
from sensecheck.measures.lexical.nothing import nothing_to_compare
from sensecheck.measures.lexical.remembering import PAIRS, SHORT

LONGEST_RUN = 4


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
        expected = sample.must_have_expected() if self.expected is None else self.expected
        value = sentence_bleu(sample.answer, expected)
        missing = None if value else nothing_to_compare(tokens(sample.answer), tokens(expected))
        return Reading(value, missing or f"the sentence BLEU beside the expected answer is {value:.3f}")


def sentence_bleu(answer: str, expected: str) -> float:
    """The BLEU of an answer beside the expected one; a short pair is counted once."""
    short = len(answer) + len(expected) <= SHORT
    return _remembered(answer, expected) if short else _counted(answer, expected)


def _counted(answer: str, expected: str) -> float:
    mine, theirs = tokens(answer), tokens(expected)
    shared = _shared_runs(mine, theirs)
    if not shared[0]:
        return 0.0
    order, logs, halved = min(LONGEST_RUN, len(mine)), 0.0, 1
    for n, both in enumerate(shared[:order]):
        halved *= 1 if both else 2
        logs += math.log((both or 1 / halved) / (len(mine) - n))
    short = math.exp(min(0.0, 1 - len(theirs) / len(mine)))
    return min(1.0, short * math.exp(logs / order))  # rounding must not make a perfect answer better


_remembered = lru_cache(maxsize=PAIRS)(_counted)


def _shared_runs(mine: Sequence[str], theirs: Sequence[str]) -> list[int]:
    """How many runs of one to four words both have, each counted as often as it occurs in both."""
    few, many = (mine, theirs) if len(mine) < len(theirs) else (theirs, mine)
    shared = [0] * LONGEST_RUN
    fewer, more = [], []
    for n in range(LONGEST_RUN):
        fewer.append(few[n:])
        more.append(many[n:])
        wanted = set(_runs(fewer))
        if len(wanted) == len(few) - n:  # nothing comes twice in one of the texts: there is nothing to count
            shared[n] = len(wanted.intersection(_runs(more)))
        else:
            shared[n] = clipped(_runs(fewer), _runs(more))
        if shared[n] < 2:  # a longer run holds two that are shorter
            break
    return shared


def _runs(shifted: Sequence[Sequence[str]]) -> Iterable[str | tuple[str, ...]]:
    """Runs of words, from the same words shifted by none, one, two, …"""
    return shifted[0] if len(shifted) == 1 else zip(*shifted, strict=False)
