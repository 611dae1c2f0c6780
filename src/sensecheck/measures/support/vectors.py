"""Words and sentences as vectors, from one pass of the encoder over the whole text."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import TokenVectors
from sensecheck.text.words import Word

Matrix = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float64]


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


def _means(rows: Matrix, first: npt.NDArray[np.int64], last: npt.NDArray[np.int64]) -> Matrix:
    """The direction of the mean of each run of rows."""
    sums = np.concatenate([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)])
    total = sums[np.maximum(last, first)] - sums[first]
    length = np.linalg.norm(total, axis=1, keepdims=True)
    found: Matrix = np.where(length > 1e-9, total / np.maximum(length, 1e-9), 0.0).astype(np.float32)
    return found
