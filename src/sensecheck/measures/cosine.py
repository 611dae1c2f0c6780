"""Cosine similarity of two vectors that somebody else made."""

from collections.abc import Sequence

import numpy as np


def cosine_similarity(vec1: Sequence[float], vec2: Sequence[float]) -> float:
    """How alike two vectors point, from 0.0 to 1.0; opposite, empty and zero vectors give 0.0.

    Vectors of different dimensions, and numbers that are not finite, are a ValueError.
    """
    one, other = np.asarray(vec1, np.float64), np.asarray(vec2, np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"the vectors differ in dimension: {one.shape} and {other.shape}")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("a vector holds a number that is not finite")
    if not one.any() or not other.any():
        return 0.0
    one, other = one / np.abs(one).max(), other / np.abs(other).max()
    cosine = float(one @ other) / float(np.linalg.norm(one) * np.linalg.norm(other))
    return min(max(cosine, 0.0), 1.0)
