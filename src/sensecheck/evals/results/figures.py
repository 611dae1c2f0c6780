"""The figures of a whole run: from what its files counted, without a look at any row, or from all rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.evals.results.bins import Bins, bins_of
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.moments import Moments
from sensecheck.evals.results.scanning import (
    NOTHING_APPLIES,
    Reason,
    Scanned,
    numerics_of,
    outcomes_in,
    reasons_in,
    scan,
)
from sensecheck.evals.tables.aggregates import Aggregates, OfCheck, OfMetric
from sensecheck.stats.moments import Numbers


@dataclass(frozen=True, slots=True)
class Figures:
    """What was counted over all rows."""

    whole: Scanned
    bins: Mapping[str, Bins]
    """By the name of the metric or check."""
    reasons: tuple[Reason, ...]
    """Why rows are errors; the commonest."""
    outcomes: Mapping[str, Mapping[str, int]]
    """By the name of the check."""

    @property
    def names(self) -> tuple[str, ...]:
        """The metrics and checks that there are."""
        return tuple(self.bins)

    def why(self, name: str) -> str | None:
        """What most often went wrong for a metric or check, of the commonest reasons."""
        told = (part for reason in self.reasons for part in reason.because.split("; "))
        return next((part.removeprefix(f"{name}: ") for part in told if part.startswith(f"{name}: ")), None)

    @property
    def why_nobody(self) -> str | None:
        """Why most rows that nobody read were not."""
        return next((one.because for one in self.reasons if is_fault(one.because, self.names)), None)


def figures_of_rows(connection: DuckDBPyConnection, table: str, run: FinishedRun) -> Figures:
    """By a look at all rows: quantiles are known to a ten-thousandth."""
    many = numerics_of(run)
    whole = scan(connection, table, many)[0]
    return Figures(
        whole,
        {one.name: bins_of(connection, table, one.column, whole.moments[one.name].reach) for one in many},
        reasons_in(connection, table) if whole.errors else (),
        {name: outcomes_in(connection, table, name) for name in run.checks},
    )


def figures_of_files(run: FinishedRun) -> Figures:
    """By what every file counted when it was written: quantiles are known to a twentieth."""
    told = Aggregates.from_data(run.manifest.aggregates)
    metrics = {name: told.metrics.get(name, OfMetric(Numbers())) for name in run.metrics}
    checks = {name: told.checks.get(name, OfCheck({}, Numbers())) for name in run.checks}
    numbers = {name: one.numbers for name, one in metrics.items()}
    numbers |= {name: one.numbers for name, one in checks.items()}
    reasons = tuple(Reason(*one) for one in told.reasons.items())
    faults = sum(one.rows for one in reasons if is_fault(one.because, tuple(numbers)))
    unread = {name: max(0, one.failed - faults) for name, one in metrics.items()}
    moments = {name: _moments(held) for name, held in numbers.items()}
    whole = Scanned(None, told.rows, told.errors, faults, moments, dict.fromkeys(checks, 0) | unread)
    outcomes = {name: one.outcomes for name, one in checks.items()}
    return Figures(whole, {name: _bins(held) for name, held in numbers.items()}, reasons, outcomes)


def is_fault(because: str, names: Sequence[str]) -> bool:
    """Whether nobody read a row: otherwise its reason begins with who could not."""
    return because.partition(": ")[0] not in (*names, NOTHING_APPLIES)


def _moments(held: Numbers) -> Moments:
    if not held.count:
        return Moments(0)
    return Moments(held.count, held.mean, held.squares, 0.0, held.least, held.greatest)


def _bins(held: Numbers) -> Bins:
    """What lies below 0 or above 1 is counted in the outermost steps, which end where the numbers do."""
    below, *inside, above = held.bins
    counts = np.array(inside, dtype=np.int64)
    counts[0] += below
    counts[-1] += above
    low, high = held.least or 0.0, 1.0 if held.greatest is None else held.greatest
    ends = np.linspace(0.0, 1.0, len(counts) + 1).clip(low, high)
    ends[0], ends[-1] = min(low, ends[0]), max(high, ends[-1])
    return Bins((0.0, 1.0), counts, ends[:-1], ends[1:])
