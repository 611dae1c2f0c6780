"""The nearest rows of a matrix, exactly."""

import numpy as np
import numpy.typing as npt

from sensecheck.core.encoder import Vectors

Rows = npt.NDArray[np.intp]


def nearest_rows(rows: Vectors, asked: Vectors, k: int) -> tuple[Rows, Vectors]:
    """The `k` rows nearest to a unit vector and their cosines; of those equally near, the first rows."""
    scores: Vectors = rows @ asked
    if len(scores) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        near = np.flatnonzero(scores >= least)
    else:
        near = np.arange(len(scores))
    best: Rows = near[np.argsort(-scores[near], kind="stable")[:k]]
    return best, scores[best]
