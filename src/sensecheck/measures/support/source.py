"""The passages that answers are held against, taken apart once."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sensecheck.measures.claims.gathering import WORDS, gather, rarity
from sensecheck.measures.claims.injection import injections
from sensecheck.measures.claims.pieces import pieces
from sensecheck.measures.support.vectors import Matrix
from sensecheck.text.words import Word, is_stop_word, stem, words

_KEPT_CHARS = 200_000
"""Of longer passages only the last are kept: their parts would take too much memory."""
_CODE = re.compile(
    r"```|=>|\bdef \w+\(|\bfunction\b[^\n]{0,80}\{|\w\(\)|\w\(\w+, \w+\)|\bSELECT\b[^;]{1,200}\bFROM\b"
    r"|^[ \t]{0,40}(?:class|import|const|let|var) [^\n]{0,80}[;:{=]",
    re.MULTILINE,
)
_MARK = re.compile(r"^\s*(?:[-*+•>#]+|\d{1,3}[.)])\s+")
_EDGES = " \t\n\r.,;!…。\"'“”‘’«»()[]*_`"
"""What stands around a sentence and does not belong to what it says; a question mark does."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a passage."""

    passage: int
    start: int
    end: int
    text: str
    first: int
    """The first of the source's words that is its own."""
    last: int
    """The word after its last one."""
    stems: frozenset[str]
    """Its words that carry content, in the form in which they match."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """Passages as sentences and words, in an order that does not depend on how the passages were ordered."""

    passages: tuple[str, ...]
    spread: tuple[tuple[int, int, int], ...]
    """Each passage by its number, with its first word and the one after its last."""
    sentences: tuple[Sentence, ...]
    words: tuple[Word, ...]
    """With their places in their own passages."""
    stems: tuple[str, ...]
    """One a word."""
    home: npt.NDArray[np.intp]
    """The sentence of each word."""
    held: frozenset[str]
    """The stems, each once."""
    neighbours: frozenset[tuple[str, str]]
    """Words that stand side by side somewhere."""
    said: frozenset[str]
    """The sentences without capitals and what stands around them."""
    code: bool
    """Whether any of it looks like code."""
    rarity: Mapping[str, float]
    """How much each word says."""
    injections: tuple[tuple[int, int, int, str], ...]
    """Where a passage speaks to the model: its number, start, end, and why it looks so."""

    def gathered(
        self, stems: Collection[str], near: Matrix | None = None, *, words: int = WORDS
    ) -> list[int]:
        """The sentences that hold most of these words, the best first; those that lie near count for more."""
        return gather(
            stems,
            [sentence.stems for sentence in self.sentences],
            near,
            lengths=[sentence.last - sentence.first for sentence in self.sentences],
            rare=self.rarity,
            words=words,
        )


def source_of(passages: tuple[str, ...]) -> Source:
    """The passages taken apart; once for all the answers that are held against them in a row."""
    return _kept(passages) if sum(map(len, passages)) <= _KEPT_CHARS else _last(passages)


def plain(text: str) -> str:
    """What two ways of writing the same sentence share: no capitals, single spaces, nothing around it."""
    return " ".join(_MARK.sub("", text.casefold()).split()).strip(_EDGES)


@lru_cache(maxsize=64)
def _kept(passages: tuple[str, ...]) -> Source:
    return _taken_apart(passages)


@lru_cache(maxsize=1)
def _last(passages: tuple[str, ...]) -> Source:
    return _taken_apart(passages)


def _taken_apart(passages: tuple[str, ...]) -> Source:
    order = sorted(range(len(passages)), key=lambda at: (passages[at], at))
    found: list[Sentence] = []
    held: list[Word] = []
    spread: list[tuple[int, int, int]] = []
    for passage in order:
        begun = len(held)
        for piece in pieces(passages[passage]):
            own = [Word(w.text, w.start + piece.start, w.end + piece.start) for w in words(piece.text)]
            stems = frozenset(stem(word.text) for word in own if not is_stop_word(word.text))
            first, last = len(held), len(held) + len(own)
            found.append(Sentence(passage, piece.start, piece.end, piece.text, first, last, stems))
            held += own
        spread.append((passage, begun, len(held)))
    stems_of = tuple(stem(word.text) for word in held)
    return Source(
        passages,
        tuple(spread),
        tuple(found),
        tuple(held),
        stems_of,
        np.array([at for at, one in enumerate(found) for _ in range(one.first, one.last)], np.intp),
        frozenset(stems_of),
        frozenset(_pairs(found, stems_of)),
        frozenset(plain(sentence.text) for sentence in found),
        any(map(_CODE.search, passages)),
        rarity([sentence.stems for sentence in found]),
        tuple((at, *one) for at, passage in enumerate(passages) for one in injections(passage)),
    )


def _pairs(sentences: Sequence[Sentence], stems: Sequence[str]) -> Iterator[tuple[str, str]]:
    for sentence in sentences:
        own = stems[sentence.first : sentence.last]
        yield from pairwise(own)
