"""Exact binomial intervals (Clopper and Pearson), with the standard library alone."""

import math
from collections.abc import Callable


def clopper_pearson(hits: int, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """The shares under which `hits` of `n` is not surprising."""
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else _solve(lambda share: 1 - _at_most(hits - 1, n, share) - tail)
    high = 1.0 if hits == n else _solve(lambda share: tail - _at_most(hits, n, share))
    return low, high


def _at_most(hits: int, n: int, share: float) -> float:
    """The chance of no more than `hits` of `n`."""
    if not 0 < share < 1:
        return 1.0 if share <= 0 else float(hits >= n)
    yes, no = math.log(share), math.log1p(-share)
    ways = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) for k in range(hits + 1))
    return min(math.fsum(math.exp(way + k * yes + (n - k) * no) for k, way in enumerate(ways)), 1.0)


def _solve(rising: Callable[[float], float]) -> float:
    """Where a rising function crosses zero between 0 and 1."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if rising(middle) > 0 else (middle, high)
    return (low + high) / 2
