"""The numbers of a column in brief: enough for their mean and where that lies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.stats.paired import NO_STEP, interval_of_equals, interval_of_many

FIGURES = 6
"""Figures that a query gives of each column, as `in_sql` asks for them."""


@dataclass(frozen=True, slots=True)
class Moments:
    """How many numbers there are, their mean, and how they lie around it."""

    n: int
    mean: float | None = None
    square: float = 0.0
    """The sum of squared distances from the mean."""
    cube: float = 0.0
    """The same by the third power; 0 where nobody counted it: then both sides are taken for alike."""
    least: float | None = None
    greatest: float | None = None

    @staticmethod
    def in_sql(column: str) -> str:
        """What a query asks for, of a column as it stands in SQL."""
        asked = ("count", "avg", "var_pop", "skewness", "min", "max")
        return ", ".join(f"{what}({column})" for what in asked)

    @classmethod
    def read(cls, figures: Sequence[Any]) -> Self:
        """What the query gave."""
        n, mean, variance, skew, least, greatest = figures
        if not n:
            return cls(0)
        square = variance * n
        known = skew is not None and math.isfinite(skew) and n > 2
        cube = skew * (n - 1) * (n - 2) / n * (square / (n - 1)) ** 1.5 if known else 0.0
        return cls(n, mean, square, cube, least, greatest)

    @property
    def reach(self) -> tuple[float, float]:
        """From where to where they may lie: metrics lie from 0 to 1, unless their numbers say otherwise."""
        return min(0.0, self.least or 0.0), max(1.0, self.greatest or 0.0)

    def interval(self, confidence: float) -> tuple[float | None, float | None]:
        """Where the mean of all such numbers lies, in closed form."""
        if self.mean is None or self.least is None or self.greatest is None:
            return None, None
        if self.greatest - self.least < NO_STEP:
            return interval_of_equals(self.mean, self.n, confidence, self.reach)
        return interval_of_many(
            self.n, self.mean, self.square, self.cube, confidence=confidence, within=self.reach
        )
