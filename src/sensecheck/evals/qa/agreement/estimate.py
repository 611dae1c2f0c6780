"""A statistic with the share that each answer has in it, and the interval that follows from that."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.float64]
Groups = npt.NDArray[np.intp]
"""The number of the question that each answer belongs to, counted from 0."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the interval in which that of all such answers lies; None where it cannot be told."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Influenced:
    """A statistic, and by how much each answer draws it up or down."""

    value: float
    shares: Numbers
    """They add up to nothing; the more they differ, the less sure the value is."""

    def error(self, groups: Groups) -> float:
        """The standard error; answers to one question are no independent news, and count together."""
        together = np.bincount(groups, weights=self.shares)
        return sqrt(float((together**2).sum()))


def width(confidence: float) -> float:
    """How many standard errors an interval reaches to each side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def places_of(values: Numbers) -> tuple[Groups, Numbers]:
    """Which distinct value each one is, from the lowest up, and how many there are of each."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return inverse.astype(np.intp), counts.astype(np.float64)


def share_below(values: Numbers) -> Numbers:
    """The share of values below each one; half of its equals count, itself among them."""
    inverse, counts = places_of(values)
    below: Numbers = ((np.cumsum(counts) - counts / 2) / len(values))[inverse]
    return below
