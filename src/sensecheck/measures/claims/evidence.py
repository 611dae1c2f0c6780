"""Which sentences of the passages a claim is compared with."""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.text.sentences import sentences

WORDS = 120
"""How many words of evidence are gathered for a claim."""
NEAR = 0.5
"""How much a sentence's similarity counts next to the share of the claim's words that it adds."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence: `text` is exactly its characters `start` to `end`."""

    start: int
    end: int
    text: str


def pieces(passage: str) -> list[Piece]:
    """The sentences of a passage."""
    return [Piece(start, end, passage[start:end]) for start, end in sentences(passage)]


def rarity(sentences: Sequence[Collection[str]]) -> dict[str, float]:
    """How much each word says: a word that stands in every sentence says little."""
    counts = Counter(word for sentence in sentences for word in set(sentence))
    return {word: math.log(1 + len(sentences) / count) for word, count in counts.items()}


class SentenceIndex:
    """Sentences by the words that they hold, so that evidence is found without reading all of them."""

    def __init__(
        self, sentences: Sequence[Collection[str]], *, lengths: Sequence[int], rare: Mapping[str, float]
    ) -> None:
        self._lengths = np.asarray(lengths, np.float64)
        self._rare = rare
        self._places: dict[str, list[int]] = {}
        for at, sentence in enumerate(sentences):
            for word in set(sentence):
                self._places.setdefault(word, []).append(at)

    def gather(
        self, claim: Collection[str], near: npt.NDArray[np.float32] | None = None, *, words: int = WORDS
    ) -> list[int]:
        """The sentences that together hold most of the claim, best first, as far as the words allow.

        A sentence counts for the words of the claim that no earlier choice holds, each by its rarity, and for
        how near it is where that is known. The best one is always taken, however long it is.
        """
        shared_words = sorted(set(claim) & self._rare.keys())
        size = self._lengths
        holds = np.zeros((len(size), len(shared_words)))
        for column, word in enumerate(shared_words):
            holds[self._places.get(word, ()), column] = 1.0
        weights = np.array([self._rare[word] for word in shared_words])
        weights /= weights.sum() or 1.0
        room = float(words)
        available = size > 0  # a line without a word says nothing, and would cost nothing
        available |= not available.any()
        close = np.zeros(len(size)) if near is None else NEAR * near
        gains = holds @ weights + close
        chosen: list[int] = []
        while available.any():
            best = int(np.argmax(np.where(available, gains, -np.inf)))
            chosen.append(best)
            room -= size[best]
            available[best] = False
            available &= size <= room
            if holds[best].any():
                weights = weights * (1 - holds[best])
                gains = holds @ weights + close
        return chosen


def gather(
    claim: Collection[str],
    sentences: Sequence[Collection[str]],
    near: npt.NDArray[np.float32] | None = None,
    *,
    lengths: Sequence[int],
    rare: Mapping[str, float],
    words: int = WORDS,
) -> list[int]:
    """`SentenceIndex.gather` for a single claim."""
    return SentenceIndex(sentences, lengths=lengths, rare=rare).gather(claim, near, words=words)
