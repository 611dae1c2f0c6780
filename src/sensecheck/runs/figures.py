"""Figures of a run, gathered from its numbers some rows at a time: sums, distributions, and slices.

What is gathered has a bounded size, however many rows there are; of rows that come all at once the figures
are those of numpy.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from sensecheck.runs.record import Numbers, RunMetric, RunTable
from sensecheck.stats.paired_tests import (
    MIN_CLOSED_FORM,
    NO_STEP,
    interval_of_equals,
    interval_of_many,
    mean_interval,
)

Reach = tuple[float, float]
BINS = 25
"""Equal steps of a histogram that is shown."""
FINE_BINS = 10_000
"""Of many rows a quantile is known to such a share of what the numbers reach over."""
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MAX_VALUES_SUMMED = 100
"""Of a slice with more values than this, the others are counted and not summed."""


@dataclass(frozen=True, slots=True)
class ColumnSums:
    """How many numbers a column has, their mean, and how they lie around it."""

    n: int = 0
    mean: float | None = None
    square: float = 0.0
    """The sum of squared distances from the mean."""
    cube: float = 0.0
    """The same by the third power; 0 where it was not counted: then both sides are taken to be alike."""
    least: float = math.inf
    greatest: float = -math.inf
    few: Numbers | None = None
    """The numbers themselves, where they are too few for sums."""

    @classmethod
    def of(cls, values: Numbers) -> "ColumnSums":
        """Of those numbers that are known."""
        finite = values[np.isfinite(values)]
        if not len(finite):
            return cls()
        mean = float(finite.mean())
        away = finite - mean
        powers = float((away**2).sum()), float((away**3).sum())
        few = finite if len(finite) < MIN_CLOSED_FORM else None
        return cls(len(finite), mean, *powers, float(finite.min()), float(finite.max()), few)

    def plus(self, other: "ColumnSums") -> "ColumnSums":
        """Both together."""
        if self.mean is None or other.mean is None:
            return other if self.mean is None else self
        own_n, other_n, n = self.n, other.n, self.n + other.n
        apart = other.mean - self.mean
        few = None
        if n < MIN_CLOSED_FORM and self.few is not None and other.few is not None:
            few = np.concatenate((self.few, other.few))
        return ColumnSums(
            n,
            self.mean + apart * other_n / n,
            self.square + other.square + apart**2 * own_n * other_n / n,
            self.cube
            + other.cube
            + apart**3 * own_n * other_n * (own_n - other_n) / n**2
            + 3 * apart * (own_n * other.square - other_n * self.square) / n,
            min(self.least, other.least),
            max(self.greatest, other.greatest),
            few,
        )

    def times(self, count: int) -> "ColumnSums":
        """So many columns like this one, of a single number."""
        return replace(self, n=count, few=None) if count else ColumnSums()

    @property
    def reach(self) -> Reach:
        """From where to where they may lie: metrics lie from 0 to 1, unless their numbers say otherwise."""
        return min(0.0, self.least), max(1.0, self.greatest)

    def interval(self, confidence: float) -> tuple[float | None, float | None]:
        """Where the mean of all such numbers lies."""
        if self.mean is None:
            return None, None
        if self.greatest - self.least < NO_STEP:
            return interval_of_equals(self.mean, self.n, confidence, self.reach)
        if self.few is not None:
            return mean_interval(self.few.tolist(), confidence=confidence, within=self.reach)
        sums = self.n, self.mean, self.square, self.cube
        return interval_of_many(*sums, confidence=confidence, within=self.reach)


@dataclass(slots=True)
class ColumnBins:
    """How the numbers of a column lie over their reach."""

    reach: Reach
    counts: npt.NDArray[np.int64]
    """In as many equal steps as are shown."""
    ends: Numbers
    """Between which numbers those of each fine step lie."""
    fine: npt.NDArray[np.int64]
    _values: Numbers | None = None
    """All of them, as long as they came at once."""

    @classmethod
    def of(cls, values: Numbers, reach: Reach) -> "ColumnBins":
        """Of those numbers that are known."""
        finite = values[np.isfinite(values)]
        fine, ends = np.histogram(finite, bins=FINE_BINS, range=reach)
        return cls(reach, np.histogram(finite, bins=BINS, range=reach)[0], ends, fine, finite)

    def plus(self, other: "ColumnBins") -> "ColumnBins":
        """Both together, over the same reach."""
        return ColumnBins(self.reach, self.counts + other.counts, self.ends, self.fine + other.fine)

    def quantile(self, share: float) -> float:
        """The number below which this share of them lies; there must be numbers."""
        if self._values is not None:
            return float(np.quantile(self._values, share))
        up_to = np.cumsum(self.fine)
        rank = share * (up_to[-1] - 1)
        at = int(np.searchsorted(up_to, rank, side="right"))
        among = max(int(self.fine[at]) - 1, 1)
        inside = min((rank - (up_to[at] - self.fine[at])) / among, 1.0)
        return float(self.ends[at] + inside * (self.ends[at + 1] - self.ends[at]))


@dataclass(slots=True)
class SliceSums:
    """The rows of a run by the values of one slice; None stands for rows without a value."""

    counts: Counter[str | None] = field(default_factory=Counter)
    sums: dict[str | None, list[ColumnSums]] = field(default_factory=dict)
    """Of each metric; of the most frequent values, or of those that came first."""

    def add(self, kinds: Sequence[str | None], values: Numbers) -> None:
        """Count some more rows."""
        here = Counter(kinds)
        self.counts.update(here)
        for value in sorted(here, key=lambda one: (-here[one], one or "")):
            if value not in self.sums and len(self.sums) < MAX_VALUES_SUMMED:
                self.sums[value] = [ColumnSums()] * values.shape[1]
        rows: dict[str | None, list[int]] = {value: [] for value in here if value in self.sums}
        for at, value in enumerate(kinds):
            if value in rows:
                rows[value].append(at)
        for value, places in rows.items():
            sums = (ColumnSums.of(column) for column in values[places].T)
            self.sums[value] = [old.plus(new) for old, new in zip(self.sums[value], sums, strict=True)]

    def most_frequent(self, count: int) -> list[str]:
        """The values that most rows have, of those that were summed."""
        values = [value for value in self.sums if value is not None]
        return sorted(values, key=lambda value: (-self.counts[value], value))[:count]

    @property
    def distinct(self) -> int:
        """How many values there are."""
        return len(self.counts) - (None in self.counts)


@dataclass(slots=True)
class RunFigures:
    """What was counted over the rows of a run."""

    metrics: tuple[RunMetric, ...] = ()
    questions: int = 0
    unanswered: int = 0
    unread: list[int] = field(default_factory=list)
    """How many readings of each metric failed."""
    nothing: list[int] = field(default_factory=list)
    sums: list[ColumnSums] = field(default_factory=list)
    bins: list[ColumnBins] = field(default_factory=list)
    slices: dict[str, SliceSums] = field(default_factory=dict)

    def add(self, table: RunTable, reach: "Callable[[RunMetric], Reach | None]", by: Sequence[str]) -> None:
        """Count some more rows, of which `by` names the slices.

        `reach` says from where to where a metric lies in the whole run; None where these rows are all.
        """
        counts = table.nothing or (0,) * len(table.metrics)
        column_sums = [ColumnSums.of(column) for column in table.values.T]
        column_bins = [
            ColumnBins.of(column, reach(metric) or sums.reach)
            for metric, column, sums in zip(table.metrics, table.values.T, column_sums, strict=True)
        ]
        if not self.metrics:
            self.metrics, self.sums, self.bins = table.metrics, column_sums, column_bins
            self.unread, self.nothing = list(table.unread), list(counts)
        else:
            self.sums = [old.plus(new) for old, new in zip(self.sums, column_sums, strict=True)]
            self.bins = [old.plus(new) for old, new in zip(self.bins, column_bins, strict=True)]
            self.unread = [old + new for old, new in zip(self.unread, table.unread, strict=True)]
            self.nothing = [old + new for old, new in zip(self.nothing, counts, strict=True)]
        self.questions += len(table.names)
        self.unanswered += table.unanswered
        for key in by:
            kinds = [row_slices.get(key) for row_slices in table.slices]
            self.slices.setdefault(key, SliceSums()).add(kinds, table.values)

    def reaches(self) -> Mapping[RunMetric, Reach]:
        """From where to where each metric lies."""
        return {metric: sums.reach for metric, sums in zip(self.metrics, self.sums, strict=True)}
