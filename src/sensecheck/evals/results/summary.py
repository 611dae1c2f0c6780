"""What a run came to: each metric and check, why rows are errors, and the same by a column."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from duckdb import DuckDBPyConnection

from sensecheck.core.serialization import encode
from sensecheck.evals.qa.metric_summary import MetricSummary
from sensecheck.evals.qa.report.spreads import Spread
from sensecheck.evals.qa.totals import Totals
from sensecheck.evals.results.bins import QUANTILES
from sensecheck.evals.results.figures import Figures, figures_of_files, figures_of_rows
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import Limits, tables
from sensecheck.evals.results.scanning import Reason, count_values, numerics_of, scan
from sensecheck.evals.shards.manifest import Gap

FEW = 1_000_000
"""Rows that are looked at whenever a run is summed up: it takes no second."""
TABLE = "results"


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
    reasons: tuple[Reason, ...]
    """Why rows are errors; the commonest."""
    gaps: tuple[Gap, ...]
    """Parts of the inputs that could not be read at all."""
    exact: bool
    """Whether all rows were looked at; otherwise quantiles are known to a twentieth."""
    by: str | None = None
    slices: tuple[SliceSummary, ...] = ()
    others: int = 0
    """Values of the column that are not told."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        told = {name: encode(getattr(self, name)) for name in self.__dataclass_fields__ if name != "totals"}
        return told | {"unanswered": self.totals.unanswered}


def summary_of(
    run: FinishedRun, *, by: str | None = None, exact: bool | None = None, limits: Limits | None = None
) -> RunSummary:
    """What a run came to; with `by`, also for each of the commonest values of a column that it carries.

    Unless `exact` says otherwise, the rows of very large runs are not looked at for it: their files have
    counted what is told.
    """
    if by is not None:
        run.must_carry(by)
    if exact is None:
        exact = 0 < run.manifest.rows <= FEW
    if not exact and by is None:
        return _summary(run, figures_of_files(run), exact=False)
    with tables({TABLE: run}, limits or Limits()) as connection:
        found = _summary(run, figures_of_rows(connection, TABLE, run), exact=True)
        return found if by is None else replace(found, **_sliced(connection, run, by))


def _summary(run: FinishedRun, figures: Figures, *, exact: bool) -> RunSummary:
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


def _distribution(figures: Figures, name: str) -> Distribution:
    held, bins = figures.whole.moments[name], figures.bins[name]
    spread = Spread(figures.whole.summary(name, figures.why(name)), *bins.reach, bins.shown)
    if not held.n:
        return Distribution(spread, None, None, {})
    quantiles = {f"{100 * share:g}": bins.quantile(share) for share in QUANTILES}
    return Distribution(spread, held.least, held.greatest, quantiles)


def _sliced(connection: DuckDBPyConnection, run: FinishedRun, by: str) -> dict[str, Any]:
    found = scan(connection, TABLE, numerics_of(run), by=by)
    slices = tuple(
        SliceSummary(one.value, one.rows, one.errors, tuple(one.summary(name) for name in run.metrics))
        for one in found
    )
    others = count_values(connection, TABLE, by) - sum(one.value is not None for one in slices)
    return {"by": by, "slices": slices, "others": others}
