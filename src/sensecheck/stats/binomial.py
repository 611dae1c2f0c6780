"""Exact binomial tail probabilities, and the Clopper-Pearson intervals that follow from them.

The chance of a number of hits in a number of tries is exact to the last few bits, up to millions of tries.
"""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError


def rate(hits: int, n: int, confidence: float = 0.95) -> Rate:
    """The share of hits, with the interval that holds the true share with so much confidence."""
    low, high = clopper_pearson(hits, n, confidence=confidence)
    return Rate(hits / n, low, high, n)


def clopper_pearson(hits: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The shares under which `hits` of `n` is not surprising."""
    one_sided = (1 + confidence) / 2
    return lowest(hits, n, confidence=one_sided), highest(hits, n, confidence=one_sided)


def difference(before: Rate, after: Rate) -> tuple[float, float, float]:
    """By how much a rate has grown, with an interval from those of both rates, whichever way they were made.

    Each end adds the distances to the ends of the two intervals as squares, as errors that are independent.
    """
    change = after.value - before.value
    down = math.hypot(after.value - after.low, before.high - before.value)
    up = math.hypot(after.high - after.value, before.value - before.low)
    return change, max(-1.0, change - down), min(1.0, change + up)


def lowest(hits: int, n: int, *, confidence: float) -> float:
    """The true share is at least this, with so much confidence."""
    _validate_counts(hits, n)
    doubt = 1 - confidence
    return 0.0 if hits == 0 else _crossing(lambda share: chance_of_at_least(hits, n, share) > doubt)


def highest(hits: int, n: int, *, confidence: float) -> float:
    """The true share is at most this, with so much confidence."""
    _validate_counts(hits, n)
    doubt = 1 - confidence
    return 1.0 if hits == n else _crossing(lambda share: chance_of_at_most(hits, n, share) < doubt)


def chance_of_at_most(hits: int, n: int, share: float) -> float:
    """The chance of no more than `hits` in `n` tries, each of which hits with chance `share`."""
    if hits < 0 or hits >= n or not 0 < share < 1:
        return float(hits >= 0 and (hits >= n or share <= 0))
    first, weights = _weights(n, share)
    sums = np.cumsum(weights)  # one after the other: a sum of more is never smaller, by rounding neither
    last = hits - first
    return float(sums[min(last, len(sums) - 1)] / sums[-1]) if last >= 0 else 0.0


def chance_of_at_least(hits: int, n: int, share: float) -> float:
    """The chance of `hits` or more; summed on its own, since 1 minus the rest would lose a small chance."""
    if hits <= 0 or hits > n or not 0 < share < 1:
        return float(hits <= 0 or (hits <= n and share >= 1))
    first, weights = _weights(n, share)
    sums = np.cumsum(weights[::-1])
    left = len(sums) - max(hits - first, 0)
    return float(sums[left - 1] / sums[-1]) if left > 0 else 0.0


def _validate_counts(hits: int, n: int) -> None:
    if not 0 <= hits <= n or n == 0:
        raise SpecError(f"a rate must have at least one row and no more hits than rows; got {hits} of {n}")


def _crossing(beyond: Callable[[float], bool]) -> float:
    """The share from which on it is beyond; halving 60 times leaves less than a float can tell."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return (low + high) / 2


def _weights(n: int, share: float) -> tuple[int, npt.NDArray[np.float64]]:
    """How likely each number of hits is, as multiples of the likeliest; and the first such number.

    Neighbours differ by a known ratio, so nothing is ever the small difference of two large logarithms.
    Numbers further than twelve standard deviations off, which have a chance below 1e-30, are left out.
    """
    likeliest = min(int((n + 1) * share), n)
    reach = int(12 * math.sqrt(n * share * (1 - share))) + 100
    first, last = max(likeliest - reach, 0), min(likeliest + reach, n)
    odds = share / (1 - share)
    fewer = np.arange(likeliest, first, -1, dtype=np.float64)
    more = np.arange(likeliest + 1, last + 1, dtype=np.float64)
    down = np.cumprod(fewer / ((n - fewer + 1) * odds))
    up = np.cumprod((n - more + 1) / more * odds)
    return first, np.concatenate((down[::-1], [1.0], up))
