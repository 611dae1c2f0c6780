"""Cosine similarity of two vectors that somebody else made."""

from sensecheck.measures.distances import Numbers, unit_pair


def cosine_similarity(vec1: Numbers, vec2: Numbers) -> float:
    """How alike two vectors point, from 0.0 to 1.0; opposite, empty and zero vectors give 0.0.

    Vectors of different dimensions, and numbers that are not finite, are a ValueError.
    """
    if (pair := unit_pair(vec1, vec2)) is None:
        return 0.0
    return min(max(float(pair[0] @ pair[1]), 0.0), 1.0)
