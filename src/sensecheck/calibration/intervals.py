"""Exact binomial intervals (Clopper and Pearson)."""

from collections.abc import Callable

from sensecheck.calibration.binomial import chance_of_at_least, chance_of_at_most
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


def lowest(hits: int, n: int, *, confidence: float) -> float:
    """The true share is at least this, with so much confidence."""
    _must_count(hits, n)
    doubt = 1 - confidence
    return 0.0 if hits == 0 else _crossing(lambda share: chance_of_at_least(hits, n, share) > doubt)


def highest(hits: int, n: int, *, confidence: float) -> float:
    """The true share is at most this, with so much confidence."""
    _must_count(hits, n)
    doubt = 1 - confidence
    return 1.0 if hits == n else _crossing(lambda share: chance_of_at_most(hits, n, share) < doubt)


def _must_count(hits: int, n: int) -> None:
    if not 0 <= hits <= n or n == 0:
        raise SpecError(f"a rate wants at least one row and no more hits than rows; found {hits} of {n}")


def _crossing(beyond: Callable[[float], bool]) -> float:
    """The share from which on it is beyond; halving 60 times leaves less than a float can tell."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return (low + high) / 2
