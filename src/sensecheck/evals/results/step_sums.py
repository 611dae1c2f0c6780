"""How a metric moved between two runs, told by sums over all rows that both have."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.evals.qa.compare.shift import MetricShift
from sensecheck.stats.paired import (
    MANY,
    NO_STEP,
    chance_at_most,
    chance_of_many,
    count_alike,
    interval_of_equals,
    interval_of_many,
)

ROUNDED = 1e-12
"""A smaller share of a sum of squares may be no more than how it was rounded."""


@dataclass(frozen=True, slots=True)
class StepSums:
    """What one query gives of one metric; a step is what a row moved by."""

    n: int
    before: float
    after: float
    total: float
    squares: float
    cubes: float
    fourths: float
    up: int
    down: int
    smallest: float
    largest: float
    least: float
    """Of the numbers themselves, in either run."""
    greatest: float
    na_before: int
    na_after: int
    lost: int
    gained: int

    @staticmethod
    def in_sql(at: int) -> str:
        """What a query over `paired` asks for, of its numbers `before{at}`, `after{at}` and `step{at}`."""
        old, new, step = f"before{at}", f"after{at}", f"step{at}"
        square = f"({step} * {step})"
        return (
            f"count({step}), avg({old}) FILTER ({step} IS NOT NULL), avg({new}) FILTER ({step} IS NOT NULL), "
            f"sum({step}), sum({square}), sum({square} * {step}), sum({square} * {square}), "
            f"count_if({step} > 0), count_if({step} < 0), min({step}), max({step}), "
            f"least(min({old}), min({new})), greatest(max({old}), max({new})), "
            f"count(*) - count({old}), count(*) - count({new}), count({old}) - count({step}), "
            f"count({new}) - count({step})"
        )

    @classmethod
    def read(cls, figures: Sequence[Any]) -> Self:
        """What the query gave; of no rows at all, nothing."""
        return cls(*(0 if figure is None else figure for figure in figures))

    def shift(self, metric: str, *, alpha: float) -> MetricShift:
        """By how much the metric has shifted; nothing is claimed yet, since others are tested beside it."""
        counts = self.na_before, self.na_after, self.lost, self.gained
        if not self.n:
            return MetricShift(metric, "", 0, *(None,) * 7, False, *(None,) * 3, *counts)
        mean, moved = self.total / self.n, self.up + self.down
        low, high = self._interval(alpha) if moved else (None, None)
        return MetricShift(
            metric,
            "",
            self.n,
            self.before,
            self.after,
            mean,
            low,
            high,
            self._chance() if moved else None,
            None,
            False,
            self._effect(),
            self.up / self.n,
            self.down / self.n,
            *counts,
        )

    def _chance(self) -> float:
        """Where few rows of very different steps outweigh all others, a bound that holds for any."""
        many = count_alike(self.squares, self.fourths) >= MANY
        return (chance_of_many if many else chance_at_most)(self.total, self.squares)

    def _interval(self, alpha: float) -> tuple[float, float]:
        mean = self.total / self.n
        widest = max(1.0, self.greatest - min(0.0, self.least))
        if self._is_alike:
            return interval_of_equals(mean, self.n, 1 - alpha, (-widest, widest))
        cube = self.cubes - 3 * mean * self.squares + 2 * self.n * mean**3
        sums = self.n, mean, self._square, cube
        return interval_of_many(*sums, confidence=1 - alpha, within=(-widest, widest))

    @property
    def _square(self) -> float:
        return self.squares - self.total**2 / self.n

    @property
    def _is_alike(self) -> bool:
        """Whether all rows moved alike, as far as sums of their squares can tell."""
        return self.largest - self.smallest < NO_STEP or self._square <= ROUNDED * self.squares

    def _effect(self) -> float | None:
        """None where all rows moved alike: then there is no spread to measure by."""
        if self.n < 2 or self._is_alike:
            return None if self.smallest else 0.0
        return self.total / self.n / math.sqrt(self._square / (self.n - 1))


FIGURES = len(StepSums.__dataclass_fields__)


def step_in_sql(at: int) -> str:
    """What a row moved by; what differs in the last bits has not moved."""
    step = f"(after{at} - before{at})"
    return f"CASE WHEN abs{step} < {NO_STEP!r} THEN 0.0 ELSE {step} END"
