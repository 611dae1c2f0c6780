"""Whether a mean has moved by more than chance, for ten questions as for a hundred thousand."""

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sensecheck.evals.compare.paired import DRAWS, chance_of_difference, mean_interval

Numbers = npt.NDArray[np.float64]

MANY = 300
"""So many questions that count alike: the sum of their signs is normal to more digits than are shown."""
ENOUGH = 100
"""From here on an interval has a closed form, which agrees with the bootstrap and costs nothing."""
NO_STEP = 1e-9
"""A smaller difference is none: the same text, placed beside others, may differ in its last bits."""


def steps_between(before: Numbers, after: Numbers) -> Numbers:
    """By how much each question moved."""
    steps = after - before
    return np.where(np.abs(steps) < NO_STEP, 0.0, steps)


def chance(differences: Numbers) -> float:
    """How often swapping the runs, question by question, gives a mean difference as large: p, two-sided.

    All ways to swap few questions are gone through, those of some are drawn, and those of many are summed up
    by the normal distribution, which has the heavier tails of the two: it claims no more than it may.
    """
    moved = differences[differences != 0]
    squares = moved**2
    sums = float(moved.sum()), float(squares.sum()), float((squares**2).sum())
    if count_alike(*sums[1:]) >= MANY and np.ptp(squares) > 0:
        return chance_of_many(*sums[:2])
    drawn = chance_of_difference(moved.tolist())
    return min(drawn, chance_at_most(*sums[:2])) if drawn <= 1 / (DRAWS + 1) else drawn


def chance_of_many(total: float, squares: float) -> float:
    """The same of very many differences, of which only their sum and that of their squares are known."""
    return math.erfc(abs(total) / math.sqrt(2 * squares))


def chance_at_most(total: float, squares: float) -> float:
    """A bound that holds for any sizes (Hoeffding): draws cannot tell how rare it is what they never met."""
    return min(1.0, 2 * math.exp(-(total**2) / (2 * squares)))


def count_alike(squares: float, fourths: float) -> float:
    """As many questions of one size would be as steady together; few large ones outweigh many small."""
    return squares**2 / fourths if fourths else 0.0


def interval(values: Numbers, *, confidence: float, within: tuple[float, float]) -> tuple[float, float]:
    """Where the mean of all such values lies; `within` are the bounds of a single value."""
    if np.ptp(values) < NO_STEP:
        values = np.full(len(values), values.mean())
    if len(values) < ENOUGH or np.ptp(values) == 0:
        return mean_interval(values.tolist(), confidence=confidence, within=within)
    away = values - float(values.mean())
    sums = float((away**2).sum()), float((away**3).sum())
    return interval_of_many(len(values), float(values.mean()), *sums, confidence=confidence, within=within)


def interval_of_many(
    n: int, mean: float, square: float, cube: float, *, confidence: float, within: tuple[float, float]
) -> tuple[float, float]:
    """The same of values of which only the sums of their distances from the mean, by powers, are known."""
    tails = (1 - confidence) / 2, (1 + confidence) / 2
    low, high = (_limit(n, mean, square, cube, tail) for tail in tails)
    return max(low, within[0]), min(high, within[1])


def _limit(n: int, mean: float, square: float, cube: float, tail: float) -> float:
    """An end of the interval: what the corrected bootstrap (BCa) tends to, without its draws (ABC)."""
    skew = cube / (6 * math.pow(square, 1.5))
    moved = skew + NormalDist().inv_cdf(tail)
    return mean + math.sqrt(square) / n * moved / math.pow(1 - skew * moved, 2)
