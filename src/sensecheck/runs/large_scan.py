"""Figures of a large run from one pass over its rows: counts, means, distributions, and what is missing."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from duckdb import DuckDBPyConnection

from sensecheck.runs.parquet import FinishedRun, name_in_sql, text_in_sql
from sensecheck.runs.summary import BINS, CONFIDENCE, MetricSummary
from sensecheck.stats.paired_tests import NO_STEP, Numbers, interval_of_equals, interval_of_many
from sensecheck.tables.order import value_column

Reach = tuple[float, float]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
FINE = 10_000
"""Steps: a quantile is known to a ten-thousandth of what the numbers reach over."""
MOST_SLICES = 30
"""Of a column with more values than this, the commonest are listed and the others are counted."""
MOST_REASONS = 20
NOTHING_APPLIES = "no metric applies"
"""How the reason begins of a row that is whole, and has nothing that a metric could read."""
_FIGURES = 6
"""Figures that a query gives of each column, as `in_sql` asks for them."""
_COUNTS = 4


class Numeric(NamedTuple):
    """A column of numbers."""

    column: str
    name: str
    """The metric or the check that it is of: reasons begin with it."""


class ErrorReason(NamedTuple):
    """Why rows are errors."""

    because: str
    rows: int


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
        functions = ("count", "avg", "var_pop", "skewness", "min", "max")
        return ", ".join(f"{name}({column})" for name in functions)

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
    def reach(self) -> Reach:
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


@dataclass(frozen=True, slots=True)
class Bins:
    """Counts in equal steps, and between which numbers those of a step lie."""

    reach: Reach
    counts: npt.NDArray[np.int64]
    least: Numbers
    greatest: Numbers

    @property
    def shown(self) -> tuple[int, ...]:
        """The counts in as many steps as a page shows, where these are parts of such."""
        steps = BINS if len(self.counts) % BINS == 0 else len(self.counts)
        return tuple(map(int, self.counts.reshape(steps, -1).sum(axis=1)))

    def quantile(self, share: float) -> float:
        """The number below which this share of them lies, as if those of a step lay evenly in it.

        There must be numbers.
        """
        ends = np.cumsum(self.counts)
        wanted = share * (ends[-1] - 1)
        at = int(np.searchsorted(ends, wanted, side="right"))
        among = max(int(self.counts[at]) - 1, 1)
        inside = min((wanted - (ends[at] - self.counts[at])) / among, 1.0)
        return float(self.least[at] + inside * (self.greatest[at] - self.least[at]))


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found in the rows of a run, or in those of one kind."""

    value: str | None
    """Which kind; None where all rows were looked at, or for those that have no value."""
    rows: int
    errors: int
    faults: int
    """Rows that nobody read."""
    moments: dict[str, Moments]
    """By the name of the metric or check."""
    unread: dict[str, int]
    """How many readings failed, likewise."""

    def summary(self, name: str, error: str | None = None) -> MetricSummary:
        """One metric over these rows."""
        moments, failed = self.moments[name], self.unread[name]
        rest = self.rows - moments.n - failed - self.faults
        ends = moments.interval(CONFIDENCE)
        return MetricSummary(
            name, "", moments.n, moments.mean, *ends, failed, self.faults, max(0, rest), error=error
        )


def numerics_of(run: FinishedRun) -> tuple[Numeric, ...]:
    """The columns of numbers that a run wrote."""
    metrics = [Numeric(name, name) for name in run.metrics]
    return (*metrics, *(Numeric(value_column(name), name) for name in run.checks))


def scan(
    connection: DuckDBPyConnection, table: str, many: Sequence[Numeric], *, by: str | None = None
) -> list[Scanned]:
    """All rows in one line; or, by a column, a line for each of its commonest values."""
    value = "NULL" if by is None else f"{name_in_sql(by)}::VARCHAR"
    counts = (value, "count(*)", "count(*) FILTER (status = 'error')", f"count(*) FILTER ({_is_fault(many)})")
    each = (f"{Moments.in_sql(name_in_sql(one.column))}, {_count_failed(one)}" for one in many)
    query = f"SELECT {', '.join((*counts, *each))} FROM {name_in_sql(table)}"
    if by is not None:
        query += f" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {MOST_SLICES}"
    return [_scanned(many, row) for row in connection.execute(query).fetchall()]


def bins_of(connection: DuckDBPyConnection, table: str, column: str, reach: Reach) -> Bins:
    """How the numbers of a column lie over their reach."""
    name, (low, high) = name_in_sql(column), reach
    step = f"least(floor(({name} - {low!r}) * {FINE / (high - low)!r}), {FINE - 1})::INTEGER"
    found = connection.execute(
        f"SELECT {step} AS step, count(*), min({name}), max({name}) FROM {name_in_sql(table)} "
        f"WHERE {name} IS NOT NULL GROUP BY step"
    ).fetchall()
    counts, least, greatest = np.zeros(FINE, dtype=np.int64), np.zeros(FINE), np.zeros(FINE)
    for at, count, low, high in found:
        counts[at], least[at], greatest[at] = count, low, high
    return Bins(reach, counts, least, greatest)


def count_values(connection: DuckDBPyConnection, table: str, by: str) -> int:
    """How many values a column has; none is not one of them."""
    name = name_in_sql(by)
    row = connection.execute(f"SELECT count(DISTINCT {name}) FROM {name_in_sql(table)}").fetchone()
    return 0 if row is None else int(row[0])


def reasons_in(connection: DuckDBPyConnection, table: str) -> tuple[ErrorReason, ...]:
    """Why rows are errors, the commonest reasons first."""
    rows = connection.execute(
        f"SELECT coalesce(reason, ''), count(*) AS rows FROM {name_in_sql(table)} WHERE status = 'error' "
        f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {MOST_REASONS}"
    ).fetchall()
    return tuple(ErrorReason(*row) for row in rows)


def outcomes_in(connection: DuckDBPyConnection, table: str, check: str) -> dict[str, int]:
    """How often a check came to which outcome."""
    name = name_in_sql(check)
    rows = connection.execute(
        f"SELECT {name}, count(*) FROM {name_in_sql(table)} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    return dict(rows)


def _is_fault(many: Sequence[Numeric]) -> str:
    """Whether nobody read a row: otherwise its reason begins with who could not."""
    known = ", ".join(text_in_sql(name) for name in (*(one.name for one in many), NOTHING_APPLIES))
    return f"status = 'error' AND split_part(reason, ': ', 1) NOT IN ({known})"


def _count_failed(one: Numeric) -> str:
    beginning = text_in_sql(f"; {one.name}: ")
    return f"count(*) FILTER ({name_in_sql(one.column)} IS NULL AND contains('; ' || reason, {beginning}))"


def _scanned(many: Sequence[Numeric], row: Sequence[Any]) -> Scanned:
    figures = dict(zip((one.name for one in many), _figures_of_columns(row), strict=True))
    value, rows, errors, faults = row[:_COUNTS]
    return Scanned(
        value,
        rows,
        errors,
        faults,
        {name: Moments.read(each[:_FIGURES]) for name, each in figures.items()},
        {name: each[_FIGURES] for name, each in figures.items()},
    )


def _figures_of_columns(row: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(_COUNTS, len(row), _FIGURES + 1):
        yield row[at : at + _FIGURES + 1]
