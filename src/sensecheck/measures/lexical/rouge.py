"""ROUGE-N and ROUGE-L: the runs of words, and the longest row of words, that two texts share."""

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, NamedTuple, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.measures.lexical.tokens import (
    REMEMBERED_CHARS,
    REMEMBERED_PAIRS,
    REMEMBERED_TEXTS,
    ngrams,
    nothing_to_compare,
    shared,
    treebank_tokens,
)

Share = Literal["f1", "precision", "recall"]
SHARES: tuple[Share, ...] = get_args(Share)
_KEPT = (string.ascii_lowercase + string.digits).encode()
_SPACED = bytes(code if code in _KEPT else ord(" ") for code in range(256))


@dataclass(frozen=True, slots=True)
class RougeN:
    """The F1 of runs of words that both texts have, from 0 to 1: Lin's ROUGE-N, in small letters."""

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    n: int = 1
    """How many words make a run."""

    def __post_init__(self) -> None:
        if self.n < 1:
            raise SpecError(f"`n` must be 1 or more words; got {self.n}")

    @property
    def name(self) -> str:
        """What people call it."""
        return "rouge_n"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """Twice the shared runs by all runs."""
        expected = sample.require_expected() if self.expected is None else self.expected
        mine, theirs = (ngrams(treebank_tokens(text.lower()), self.n) for text in (sample.answer, expected))
        both, total = shared(mine, theirs), mine.total() + theirs.total()
        value = 2 * both / total if total else 0.0
        because = f"the ROUGE-{self.n} beside the expected answer is {value:.3f}: {both} runs are shared"
        return Reading(value, because)


@dataclass(frozen=True, slots=True)
class RougeL:
    """The longest common row of words by all words, from 0 to 1: what the package `rouge_score` gives.

    Words are runs of the letters a to z and of digits, in small letters and unstemmed. A text in another
    script has none: it reads 0, and the reading says why.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""
    of: Share = "f1"
    """By whose words: `precision` by the answer's, `recall` by the expected answer's, `f1` by both."""

    def __post_init__(self) -> None:
        if self.of not in SHARES:
            raise SpecError(did_you_mean("share of ROUGE-L", self.of, SHARES))

    @property
    def name(self) -> str:
        """What people call it."""
        return "rouge_l"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The share that is asked for."""
        expected = sample.require_expected() if self.expected is None else self.expected
        value: float = getattr(rouge_l(sample.answer, expected), self.of)
        missing = None if value else nothing_to_compare(_words(sample.answer), _words(expected))
        return Reading(value, missing or f"the ROUGE-L {self.of} beside the expected answer is {value:.3f}")


class RowShares(NamedTuple):
    """How much of either text the longest common row of words is."""

    precision: float = 0.0
    """Of the answer's words."""
    recall: float = 0.0
    """Of the expected answer's words."""
    f1: float = 0.0


def rouge_l(answer: str, expected: str) -> RowShares:
    """All three shares; a short pair is compared once."""
    short = len(answer) + len(expected) <= REMEMBERED_CHARS
    return _remembered_shares(answer, expected) if short else _row_shares(answer, expected)


def _row_shares(answer: str, expected: str) -> RowShares:
    mine, theirs = _words(answer), _words(expected)
    row = _longest_row()(mine, theirs)
    if not row:
        return RowShares()
    precision, recall = row / len(mine), row / len(theirs)
    return RowShares(precision, recall, 2 * precision * recall / (precision + recall))


_remembered_shares = lru_cache(maxsize=REMEMBERED_PAIRS)(_row_shares)


@cache
def _longest_row() -> Callable[[Sequence[bytes], Sequence[bytes]], int]:
    with extra("lexical"):
        from rapidfuzz.distance.LCSseq import similarity  # noqa: PLC0415 - an extra
    return similarity


def _words(text: str) -> tuple[bytes, ...]:
    """The words of ROUGE-L; a short text is divided once."""
    return _remembered_words(text) if len(text) <= REMEMBERED_CHARS else _divided(text)


def _divided(text: str) -> tuple[bytes, ...]:
    """As bytes: what is no letter from a to z and no digit is one space each, by a table of 256 places."""
    return tuple(text.lower().encode("ascii", "replace").translate(_SPACED).split())


_remembered_words = lru_cache(maxsize=REMEMBERED_TEXTS)(_divided)
