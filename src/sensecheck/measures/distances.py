"""How similar two vectors are by their cosine, angle or distance, from 0 to 1, whoever made them."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Numbers = Sequence[float] | npt.NDArray[np.floating]
_Vector = npt.NDArray[np.float64]


def cosine_similarity(vec1: Numbers, vec2: Numbers) -> float:
    """How alike two vectors point, from 0.0 to 1.0; opposite, empty and zero vectors give 0.0.

    Vectors of different dimensions, and numbers that are not finite, are a ValueError.
    """
    if (pair := _unit_pair(vec1, vec2)) is None:
        return 0.0
    return _from_0_to_1(float(pair[0] @ pair[1]))


def angular_similarity(vec1: Numbers, vec2: Numbers) -> float:
    """1 minus the angle between two vectors as a share of half a turn; 0.0 for empty and zero vectors."""
    if (pair := _unit_pair(vec1, vec2)) is None:
        return 0.0
    one, other = pair
    # an arc cosine would be coarse where it matters most: near 1
    angle = 2 * math.atan2(float(np.linalg.norm(one - other)), float(np.linalg.norm(one + other)))
    return 1 - angle / math.pi


def euclidean_similarity(vec1: Numbers, vec2: Numbers) -> float:
    """1 minus half the straight way between two unit vectors; 0.0 for empty and zero vectors."""
    if (pair := _unit_pair(vec1, vec2)) is None:
        return 0.0
    return _from_0_to_1(1 - float(np.linalg.norm(pair[0] - pair[1])) / 2)


def manhattan_similarity(vec1: Numbers, vec2: Numbers) -> float:
    """1 minus the way along the axes between two unit vectors, as a share of the longest there could be.

    That is twice the root of the dimension; empty and zero vectors give 0.0.
    """
    if (pair := _unit_pair(vec1, vec2)) is None:
        return 0.0
    way = float(np.abs(pair[0] - pair[1]).sum())
    return _from_0_to_1(1 - way / (2 * math.sqrt(len(pair[0]))))


def _unit_pair(vec1: Numbers, vec2: Numbers) -> tuple[_Vector, _Vector] | None:
    """Both vectors with length 1; None where one of them is empty or all zeros.

    Vectors of different dimensions, and numbers that are not finite, are a ValueError.
    """
    one, other = np.asarray(vec1, np.float64), np.asarray(vec2, np.float64)
    if one.shape != other.shape or one.ndim != 1:
        raise ValueError(f"the vectors differ in dimension: {one.shape} and {other.shape}")
    if not (np.isfinite(one).all() and np.isfinite(other).all()):
        raise ValueError("a vector holds a number that is not finite")
    if not one.any() or not other.any():
        return None
    return _unit(one), _unit(other)


def _unit(vector: _Vector) -> _Vector:
    """Its direction; scaled first, so that the squares of huge and tiny numbers do not overflow."""
    scaled = vector / np.abs(vector).max()
    unit: _Vector = scaled / np.linalg.norm(scaled)
    return unit


def _from_0_to_1(value: float) -> float:
    return min(max(value, 0.0), 1.0)
