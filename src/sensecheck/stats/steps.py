"""The steps of two paired columns, by how much each pair moved, summed up.

numpy fills the sums of columns in memory, and a database those of large runs; the difference, its interval,
its p-value and its effect follow from them by the same rules.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from sensecheck.stats.paired_tests import (
    MIN_CLOSED_FORM,
    NO_STEP,
    Numbers,
    chance_of_sums,
    interval_of_equals,
    interval_of_many,
    mean_interval,
    steps_between,
)

ROUNDING = 1e-12
"""A smaller share of a sum of squares may be no more than how it was rounded."""
LoadSteps = Callable[[bool], Numbers]
"""Reads the steps of all pairs that have both numbers; with True, only those that are not zero."""


@dataclass(frozen=True, slots=True)
class StepSums:
    """Sums over the pairs that have both numbers, and counts of those that have not."""

    n: int
    before: float
    """The mean of the earlier numbers."""
    after: float
    total: float
    squares: float
    cubes: float
    fourths: float
    ups: int
    downs: int
    lowest_step: float
    highest_step: float
    smallest: float
    """Of the steps that are not zero, without their signs."""
    largest: float
    least: float
    """Of the numbers themselves, in either run."""
    greatest: float
    na_before: int
    na_after: int
    lost: int
    gained: int

    @classmethod
    def of(cls, before: Numbers, after: Numbers, units: Sequence[str] | None = None) -> Self:
        """Those of two columns; pairs of one unit, which are not independent, become one by their means."""
        return cls._of(before, after, *_both(before, after, units))

    @classmethod
    def read(cls, figures: Sequence[Any]) -> Self:
        """As a query gave them, in the order of the fields; of no rows at all, nothing."""
        return cls(*(0 if figure is None else figure for figure in figures))

    @classmethod
    def _of(cls, before: Numbers, after: Numbers, old: Numbers, new: Numbers) -> Self:
        na_old, na_new = np.isnan(before), np.isnan(after)
        counts = tuple(int(some.sum()) for some in (na_old, na_new, ~na_old & na_new, na_old & ~na_new))
        if not len(old):
            return cls(0, *(0.0,) * 6, 0, 0, *(0.0,) * 6, *counts)
        steps = steps_between(old, new)
        squares, sizes = steps**2, np.abs(steps[steps != 0])
        return cls(
            len(steps),
            float(old.mean()),
            float(new.mean()),
            float(steps.sum()),
            float(squares.sum()),
            float((squares * steps).sum()),
            float((squares**2).sum()),
            int((steps > 0).sum()),
            int((steps < 0).sum()),
            float(steps.min()),
            float(steps.max()),
            float(sizes.min(initial=math.inf)) if len(sizes) else 0.0,
            float(sizes.max(initial=0.0)),
            float(min(old.min(), new.min())),
            float(max(old.max(), new.max())),
            *counts,
        )

    @property
    def mean(self) -> float:
        """The mean step."""
        return self.total / self.n

    @property
    def moved(self) -> int:
        """How many pairs moved at all."""
        return self.ups + self.downs

    def chance(self, load: LoadSteps) -> float | None:
        """How often swapping the runs gives a mean step as large; None where nothing moved."""
        if not self.moved:
            return None
        return chance_of_sums(
            ups=self.ups,
            downs=self.downs,
            sizes=(self.smallest, self.largest),
            powers=(self.total, self.squares, self.fourths),
            load=lambda: load(True),
        )

    def interval(self, load: LoadSteps, *, confidence: float) -> tuple[float, float] | None:
        """Where the mean step of all such pairs is; None where nothing moved.

        How far one pair can move: metrics are from 0 to 1, unless their numbers say otherwise.
        """
        if not self.moved:
            return None
        widest = max(1.0, self.greatest - min(0.0, self.least))
        if self._moved_alike:
            return interval_of_equals(self.mean, self.n, confidence, (-widest, widest))
        if self.n < MIN_CLOSED_FORM:
            steps = np.sort(load(False))
            return mean_interval(steps.tolist(), confidence=confidence, within=(-widest, widest))
        cube = self.cubes - 3 * self.mean * self.squares + 2 * self.n * self.mean**3
        sums = self.n, self.mean, self._square, cube
        return interval_of_many(*sums, confidence=confidence, within=(-widest, widest))

    @property
    def effect(self) -> float | None:
        """The mean step in standard deviations (Cohen's d_z); None where all moved alike, without spread."""
        if self.n < 2 or self._moved_alike:
            return None if self.lowest_step else 0.0
        return self.mean / math.sqrt(self._square / (self.n - 1))

    @property
    def _square(self) -> float:
        return self.squares - self.total**2 / self.n

    @property
    def _moved_alike(self) -> bool:
        """Whether all pairs moved alike, as far as sums of their squares can tell."""
        alike = self.highest_step - self.lowest_step < NO_STEP
        return alike or self._square <= ROUNDING * self.squares


def loader_of(before: Numbers, after: Numbers, units: Sequence[str] | None = None) -> LoadSteps:
    """The steps of two columns in memory; one step per unit."""

    def load(moved_only: bool) -> Numbers:
        steps = steps_between(*_both(before, after, units))
        return steps[steps != 0] if moved_only else steps

    return load


def _both(before: Numbers, after: Numbers, units: Sequence[str] | None) -> tuple[Numbers, Numbers]:
    """The pairs that have both numbers; of one unit, the means."""
    read = ~(np.isnan(before) | np.isnan(after))
    if units is None:
        return before[read], after[read]
    unique = np.unique(np.array(units, dtype=np.str_)[read], return_inverse=True)
    counts = np.bincount(unique[1], minlength=len(unique[0]))
    old, new = (np.bincount(unique[1], values[read], len(unique[0])) / counts for values in (before, after))
    return old, new
