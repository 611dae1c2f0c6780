"""What a large run came to: each metric and check, why rows are errors, and the same by a column.

The figures come from what the files counted when they were written, or from a pass over all rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.core.serialization import encode
from sensecheck.execution.manifest import Gap
from sensecheck.runs.large_scan import (
    NOTHING_APPLIES,
    QUANTILES,
    Bins,
    ErrorReason,
    Moments,
    Scanned,
    bins_of,
    count_values,
    numerics_of,
    outcomes_in,
    reasons_in,
    scan,
)
from sensecheck.runs.parquet import TABLE, FinishedRun, QueryLimits, tables
from sensecheck.runs.summary import MetricSummary, Spread, Totals
from sensecheck.stats.moments import Numbers
from sensecheck.tables.aggregates import Aggregates, OfCheck, OfMetric

FEW = 1_000_000
"""Rows that are looked at whenever a run is summed up: it takes no second."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The numbers of one metric, or those that a check decided by."""

    spread: Spread
    least: float | None
    greatest: float | None
    quantiles: Mapping[str, float]
    """By the share of numbers below, in hundredths: `50` is the median."""

    @property
    def summary(self) -> MetricSummary:
        """Its mean, and what is missing."""
        return self.spread.summary

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        ends = {"least": self.least, "greatest": self.greatest, "quantiles": dict(self.quantiles)}
        return self.spread.to_data() | ends


@dataclass(frozen=True, slots=True)
class CheckSummary:
    """What a check decided."""

    check: str
    outcomes: Mapping[str, int]
    values: Distribution


@dataclass(frozen=True, slots=True)
class SliceSummary:
    """The rows that have one value of a column."""

    value: str | None
    rows: int
    errors: int
    metrics: tuple[MetricSummary, ...]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """The whole of a run, in figures."""

    address: str
    rows: int
    errors: int
    totals: Totals
    metrics: tuple[Distribution, ...]
    checks: tuple[CheckSummary, ...]
    reasons: tuple[ErrorReason, ...]
    """Why rows are errors; the commonest."""
    gaps: tuple[Gap, ...]
    """Parts of the inputs that could not be read at all."""
    exact: bool
    """Whether all rows were looked at; otherwise quantiles are known to a twentieth."""
    by: str | None = None
    slices: tuple[SliceSummary, ...] = ()
    others: int = 0
    """Values of the column that are not listed."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        data = {name: encode(getattr(self, name)) for name in self.__dataclass_fields__ if name != "totals"}
        return data | {"unanswered": self.totals.unanswered}


def summary_of(
    run: FinishedRun, *, by: str | None = None, exact: bool | None = None, limits: QueryLimits | None = None
) -> RunSummary:
    """What a run came to; with `by`, also for each of the commonest values of a column that it carries.

    Unless `exact` says otherwise, the rows of very large runs are not looked at for it: their files have
    counted what is needed.
    """
    if by is not None:
        run.must_carry(by)
    if exact is None:
        exact = 0 < run.manifest.rows <= FEW
    if not exact and by is None:
        return _summary(run, figures_of_files(run), exact=False)
    with tables({TABLE: run}, limits or QueryLimits()) as connection:
        found = _summary(run, figures_of_rows(connection, TABLE, run), exact=True)
        return found if by is None else replace(found, **_sliced(connection, run, by))


@dataclass(frozen=True, slots=True)
class RunFigures:
    """What was counted over all rows."""

    whole: Scanned
    bins: Mapping[str, Bins]
    """By the name of the metric or check."""
    reasons: tuple[ErrorReason, ...]
    """Why rows are errors; the commonest."""
    outcomes: Mapping[str, Mapping[str, int]]
    """By the name of the check."""

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics and checks that there are."""
        return tuple(self.bins)

    def why(self, name: str) -> str | None:
        """What most often went wrong for a metric or check, of the commonest reasons."""
        parts = (part for reason in self.reasons for part in reason.because.split("; "))
        return next((part.removeprefix(f"{name}: ") for part in parts if part.startswith(f"{name}: ")), None)

    @property
    def why_nobody(self) -> str | None:
        """Why most rows that nobody read were not."""
        return next((one.because for one in self.reasons if is_fault(one.because, self.names)), None)


def figures_of_rows(connection: DuckDBPyConnection, table: str, run: FinishedRun) -> RunFigures:
    """By a look at all rows: quantiles are known to a ten-thousandth."""
    many = numerics_of(run)
    whole = scan(connection, table, many)[0]
    return RunFigures(
        whole,
        {one.name: bins_of(connection, table, one.column, whole.moments[one.name].reach) for one in many},
        reasons_in(connection, table) if whole.errors else (),
        {name: outcomes_in(connection, table, name) for name in run.checks},
    )


def figures_of_files(run: FinishedRun) -> RunFigures:
    """By what every file counted when it was written: quantiles are known to a twentieth."""
    counted = Aggregates.from_data(run.manifest.aggregates)
    metrics = {name: counted.metrics.get(name, OfMetric(Numbers())) for name in run.metrics}
    checks = {name: counted.checks.get(name, OfCheck({}, Numbers())) for name in run.checks}
    numbers = {name: one.numbers for name, one in metrics.items()}
    numbers |= {name: one.numbers for name, one in checks.items()}
    reasons = tuple(ErrorReason(*one) for one in counted.reasons.items())
    faults = sum(one.rows for one in reasons if is_fault(one.because, tuple(numbers)))
    unread = {name: max(0, one.failed - faults) for name, one in metrics.items()}
    moments = {name: _moments(one) for name, one in numbers.items()}
    whole = Scanned(None, counted.rows, counted.errors, faults, moments, dict.fromkeys(checks, 0) | unread)
    outcomes = {name: one.outcomes for name, one in checks.items()}
    return RunFigures(whole, {name: _bins(one) for name, one in numbers.items()}, reasons, outcomes)


def is_fault(because: str, names: Sequence[str]) -> bool:
    """Whether nobody read a row: otherwise its reason begins with who could not."""
    return because.partition(": ")[0] not in (*names, NOTHING_APPLIES)


def _summary(run: FinishedRun, figures: RunFigures, *, exact: bool) -> RunSummary:
    whole, each = figures.whole, {name: _distribution(figures, name) for name in figures.names}
    metrics = tuple(each[name] for name in run.metrics)
    summaries = tuple(one.summary for one in metrics)
    answered = whole.rows - whole.faults
    return RunSummary(
        run.address,
        whole.rows,
        whole.errors,
        Totals(whole.rows, answered, whole.faults, figures.why_nobody, summaries),
        metrics,
        tuple(CheckSummary(name, figures.outcomes[name], each[name]) for name in run.checks),
        figures.reasons,
        run.manifest.gaps,
        exact,
    )


def _distribution(figures: RunFigures, name: str) -> Distribution:
    moments, bins = figures.whole.moments[name], figures.bins[name]
    spread = Spread(figures.whole.summary(name, figures.why(name)), *bins.reach, bins.shown)
    if not moments.n:
        return Distribution(spread, None, None, {})
    quantiles = {f"{100 * share:g}": bins.quantile(share) for share in QUANTILES}
    return Distribution(spread, moments.least, moments.greatest, quantiles)


def _sliced(connection: DuckDBPyConnection, run: FinishedRun, by: str) -> dict[str, Any]:
    found = scan(connection, TABLE, numerics_of(run), by=by)
    slices = tuple(
        SliceSummary(one.value, one.rows, one.errors, tuple(one.summary(name) for name in run.metrics))
        for one in found
    )
    others = count_values(connection, TABLE, by) - sum(one.value is not None for one in slices)
    return {"by": by, "slices": slices, "others": others}


def _moments(numbers: Numbers) -> Moments:
    if not numbers.count:
        return Moments(0)
    return Moments(numbers.count, numbers.mean, numbers.squares, 0.0, numbers.least, numbers.greatest)


def _bins(numbers: Numbers) -> Bins:
    """What lies below 0 or above 1 is counted in the outermost steps, which end where the numbers do."""
    below, *inside, above = numbers.bins
    counts = np.array(inside, dtype=np.int64)
    counts[0] += below
    counts[-1] += above
    low, high = numbers.least or 0.0, 1.0 if numbers.greatest is None else numbers.greatest
    ends = np.linspace(0.0, 1.0, len(counts) + 1).clip(low, high)
    ends[0], ends[-1] = min(low, ends[0]), max(high, ends[-1])
    return Bins((0.0, 1.0), counts, ends[:-1], ends[1:])
