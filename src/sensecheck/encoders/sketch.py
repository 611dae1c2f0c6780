"""A vector's coarse outline: equal for a vector that jitters a little, another one for another model."""

import hashlib

import numpy as np

from sensecheck.core.encoder import Vectors

PROBE = "The museum opens at nine, and 42 visitors were already waiting outside in the rain."
"""The text whose vector stands for a model that only an endpoint knows."""
LARGEST = 3
"""How many components make the outline; more would tell models apart no better, and jitter sooner."""


def sketch(vector: Vectors) -> str:
    """The names and signs of the largest components, hashed; their sizes and their order do not matter."""
    largest = np.argsort(-np.abs(vector), kind="stable")[:LARGEST]
    signed = sorted((int(index), bool(vector[index] > 0)) for index in largest)
    return hashlib.sha256(repr(signed).encode()).hexdigest()[:16]
