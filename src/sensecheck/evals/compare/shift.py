"""A mean in two runs, and by how much it has shifted."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from sensecheck.stats.paired import chance_of_difference, mean_interval, rate_interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the interval in which that of all such tests lies."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean before and after, and the difference between them; each test counts once."""

    before: Estimate
    after: Estimate
    difference: Estimate
    p: float
    """The chance of a difference as large if the two runs were alike."""
    tests: int


def shift_of(rows: Iterable[tuple[str, float, float]], *, alpha: float, rates: bool) -> Shift | None:
    """The shift from pairs of values by test: the rows of one test, no independent news, become one."""
    by_test: dict[str, list[tuple[float, float]]] = {}
    for key, before, after in rows:
        by_test.setdefault(key, []).append((before, after))
    if not by_test:
        return None
    old = [fmean(value for value, _ in pairs) for pairs in by_test.values()]
    new = [fmean(value for _, value in pairs) for pairs in by_test.values()]
    steps = [b - a for a, b in zip(old, new, strict=True)]
    low, high = mean_interval(steps, confidence=1 - alpha, within=(-1.0, 1.0))
    return Shift(
        _estimate(old, alpha, rates=rates),
        _estimate(new, alpha, rates=rates),
        Estimate(fmean(steps), low, high),
        chance_of_difference(steps),
        len(steps),
    )


def _estimate(values: list[float], alpha: float, *, rates: bool) -> Estimate:
    if rates:
        return Estimate(fmean(values), *rate_interval(values, confidence=1 - alpha))
    return Estimate(fmean(values), *mean_interval(values, confidence=1 - alpha, within=(0.0, 1.0)))
