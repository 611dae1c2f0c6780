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
    held = Counter(word for sentence in sentences for word in set(sentence))
    return {word: math.log(1 + len(sentences) / count) for word, count in held.items()}


def gather(
    claim: Collection[str],
    sentences: Sequence[Collection[str]],
    near: npt.NDArray[np.float32] | None = None,
    *,
    lengths: Sequence[int],
    rare: Mapping[str, float],
    words: int = WORDS,
) -> list[int]:
    """The sentences that together hold most of the claim, best first, as far as the words allow.

    A sentence counts for the words of the claim that no earlier choice holds, each by its rarity, and for how
    near it is where that is known. The best one is always taken, however long it is.
    """
    wanted = sorted(set(claim) & rare.keys())
    holds = np.array([[word in sentence for word in wanted] for sentence in sentences], np.float64)
    weights = np.array([rare[word] for word in wanted])
    weights /= weights.sum() or 1.0
    room, size = float(words), np.asarray(lengths, np.float64)
    left = size > 0  # a line without a word says nothing, and would cost nothing
    left |= not left.any()
    close = np.zeros(len(sentences)) if near is None else NEAR * near
    chosen: list[int] = []
    while left.any():
        gains = np.where(left, holds.reshape(len(left), -1) @ weights + close, -np.inf)
        best = int(np.argmax(gains))
        chosen.append(best)
        room -= size[best]
        left[best] = False
        left &= size <= room
        weights = weights * (1 - holds[best])
    return chosen
