"""The passages that answers are compared with, taken apart once, and words and sentences as vectors.

One pass of the encoder over a whole text gives the vectors of all its words.
"""

import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import TokenVectors
from sensecheck.measures.claims.evidence import WORDS, SentenceIndex, pieces, rarity
from sensecheck.measures.claims.injection import injections
from sensecheck.text.words import Word, is_stop_word, stem, words

Matrix = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]

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
_REFUSING = "❌❎✖✗✘☒🚫⛔👎🙅"
"""Pictures that deny what they stand before; all others only decorate it."""


@dataclass(frozen=True, slots=True)
class PassageSentence:
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
class ParsedPassages:
    """Passages as sentences and words, in an order that does not depend on how the passages were ordered."""

    passages: tuple[str, ...]
    spread: tuple[tuple[int, int, int], ...]
    """Each passage by its number, with its first word and the one after its last."""
    sentences: tuple[PassageSentence, ...]
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
    index: SentenceIndex
    """The sentences by the words that they hold."""
    injections: tuple[tuple[int, int, int, str], ...]
    """Where a passage speaks to the model: its number, start, end, and why it looks so."""

    def gathered(
        self, stems: Collection[str], near: Matrix | None = None, *, words: int = WORDS
    ) -> list[int]:
        """The sentences that hold most of these words, the best first; those that lie near count for more."""
        return self.index.gather(stems, near, words=words)


def source_of(passages: tuple[str, ...]) -> ParsedPassages:
    """The passages taken apart; once for all the answers that are compared with them in a row."""
    return _kept(passages) if sum(map(len, passages)) <= _KEPT_CHARS else _last(passages)


def plain(text: str) -> str:
    """What two ways of writing the same sentence share: no capitals, single spaces, nothing around it."""
    said = " ".join(_MARK.sub("", text.casefold()).split()).strip(_EDGES)
    if said.isascii():
        return said
    own = [at for at, sign in enumerate(said) if not _decorates(sign)]
    return said[own[0] : own[-1] + 1].strip(_EDGES) if own else ""


def _decorates(sign: str) -> bool:
    """Whether it is a space, a picture that denies nothing, or what joins and colours pictures."""
    return sign == " " or (unicodedata.category(sign) in ("So", "Sk", "Cf", "Mn") and sign not in _REFUSING)


def word_vectors(tokens: TokenVectors, words: Sequence[Word]) -> Matrix:
    """One unit row a word, the mean of its tokens; a word that no token stands for is all zeros."""
    width = tokens.vectors.shape[1]
    if not words or not len(tokens.spans):
        return np.zeros((len(words), width), np.float32)
    spans = np.asarray(tokens.spans, np.int64)
    first = np.searchsorted(spans[:, 1], [word.start for word in words], side="right")
    last = np.searchsorted(spans[:, 0], [word.end for word in words], side="left")
    return _means(tokens.vectors, first, last)


def stretch_vectors(vectors: Matrix, bounds: Sequence[tuple[int, int]]) -> Matrix:
    """One unit row a stretch of words, their mean."""
    if not bounds:
        return np.zeros((0, vectors.shape[1]), np.float32)
    first, last = np.asarray(bounds, np.int64).T
    return _means(vectors, first, last)


def _taken_apart(passages: tuple[str, ...]) -> ParsedPassages:
    order = sorted(range(len(passages)), key=lambda at: (passages[at], at))
    found: list[PassageSentence] = []
    held: list[Word] = []
    spread: list[tuple[int, int, int]] = []
    for passage in order:
        begun = len(held)
        for piece in pieces(passages[passage]):
            own = [Word(w.text, w.start + piece.start, w.end + piece.start) for w in words(piece.text)]
            stems = frozenset(stem(word.text) for word in own if not is_stop_word(word.text))
            first, last = len(held), len(held) + len(own)
            found.append(PassageSentence(passage, piece.start, piece.end, piece.text, first, last, stems))
            held += own
        spread.append((passage, begun, len(held)))
    stems_of = tuple(stem(word.text) for word in held)
    rare = rarity([one.stems for one in found])
    return ParsedPassages(
        passages,
        tuple(spread),
        tuple(found),
        tuple(held),
        stems_of,
        np.array([at for at, one in enumerate(found) for _ in range(one.first, one.last)], np.intp),
        frozenset(stems_of),
        frozenset(pair for one in found for pair in pairwise(stems_of[one.first : one.last])),
        frozenset(plain(one.text) for one in found),
        any(map(_CODE.search, passages)),
        rare,
        SentenceIndex(
            [one.stems for one in found], lengths=[one.last - one.first for one in found], rare=rare
        ),
        tuple((at, *one) for at, passage in enumerate(passages) for one in injections(passage)),
    )


_kept = lru_cache(maxsize=64)(_taken_apart)
_last = lru_cache(maxsize=1)(_taken_apart)


def _means(rows: Matrix, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Matrix:
    """The direction of the mean of each run of rows."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)])
    total = sums[np.maximum(last, first)] - sums[first]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    found: Matrix = np.where(length > 1e-9, total / np.maximum(length, 1e-9), 0.0).astype(np.float32)
    return found
