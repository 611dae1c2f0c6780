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
    normalized = " ".join(_MARK.sub("", text.casefold()).split()).strip(_EDGES)
    if normalized.isascii():
        return normalized
    indices = [at for at, sign in enumerate(normalized) if not _decorates(sign)]
    return normalized[indices[0] : indices[-1] + 1].strip(_EDGES) if indices else ""


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


def _parsed(passages: tuple[str, ...]) -> ParsedPassages:
    order = sorted(range(len(passages)), key=lambda at: (passages[at], at))
    sentences: list[PassageSentence] = []
    all_words: list[Word] = []
    spread: list[tuple[int, int, int]] = []
    for passage in order:
        first_word = len(all_words)
        for piece in pieces(passages[passage]):
            piece_words = [
                Word(w.text, w.start + piece.start, w.end + piece.start) for w in words(piece.text)
            ]
            stems = frozenset(stem(word.text) for word in piece_words if not is_stop_word(word.text))
            first, last = len(all_words), len(all_words) + len(piece_words)
            sentences.append(PassageSentence(passage, piece.start, piece.end, piece.text, first, last, stems))
            all_words += piece_words
        spread.append((passage, first_word, len(all_words)))
    stems_of = tuple(stem(word.text) for word in all_words)
    rare = rarity([sentence.stems for sentence in sentences])
    return ParsedPassages(
        passages,
        tuple(spread),
        tuple(sentences),
        tuple(all_words),
        stems_of,
        np.array(
            [at for at, sentence in enumerate(sentences) for _ in range(sentence.first, sentence.last)],
            np.intp,
        ),
        frozenset(stems_of),
        frozenset(
            pair for sentence in sentences for pair in pairwise(stems_of[sentence.first : sentence.last])
        ),
        frozenset(plain(sentence.text) for sentence in sentences),
        any(map(_CODE.search, passages)),
        rare,
        SentenceIndex(
            [sentence.stems for sentence in sentences],
            lengths=[sentence.last - sentence.first for sentence in sentences],
            rare=rare,
        ),
        tuple((at, *injection) for at, passage in enumerate(passages) for injection in injections(passage)),
    )


_kept = lru_cache(maxsize=64)(_parsed)
_last = lru_cache(maxsize=1)(_parsed)


def _means(rows: Matrix, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Matrix:
    """The direction of the mean of each run of rows."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)])
    total = sums[np.maximum(last, first)] - sums[first]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    directions: Matrix = np.where(length > 1e-9, total / np.maximum(length, 1e-9), 0.0).astype(np.float32)
    return directions
