"""One look over the rows of a run, or of each kind of row: counts, means, and what is missing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection

from sensecheck.evals.qa.metric_summary import CONFIDENCE, MetricSummary
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.moments import FIGURES, Moments
from sensecheck.evals.results.rows import name_in_sql, text_in_sql
from sensecheck.evals.tables.result_fields import value_column

MOST_SLICES = 30
"""Of a column with more values than this, the commonest are told and the others are counted."""
MOST_REASONS = 20
NOTHING_APPLIES = "no metric applies"
"""How the reason begins of a row that is whole, and has nothing that a metric could read."""
_COUNTS = 4


class Numeric(NamedTuple):
    """A column of numbers."""

    column: str
    name: str
    """The metric or the check that it is of: reasons begin with it."""


class Reason(NamedTuple):
    """Why rows are errors."""

    because: str
    rows: int


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
        held, failed = self.moments[name], self.unread[name]
        rest = self.rows - held.n - failed - self.faults
        ends = held.interval(CONFIDENCE)
        return MetricSummary(
            name, "", held.n, held.mean, *ends, failed, self.faults, max(0, rest), error=error
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
    counts = (value, "count(*)", "count(*) FILTER (status = 'error')", f"count(*) FILTER ({_fault(many)})")
    each = (f"{Moments.in_sql(name_in_sql(one.column))}, {_failed(one)}" for one in many)
    query = f"SELECT {', '.join((*counts, *each))} FROM {name_in_sql(table)}"
    if by is not None:
        query += f" GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {MOST_SLICES}"
    return [_scanned(many, row) for row in connection.execute(query).fetchall()]


def count_values(connection: DuckDBPyConnection, table: str, by: str) -> int:
    """How many values a column has; none is not one of them."""
    name = name_in_sql(by)
    row = connection.execute(f"SELECT count(DISTINCT {name}) FROM {name_in_sql(table)}").fetchone()
    return 0 if row is None else int(row[0])


def reasons_in(connection: DuckDBPyConnection, table: str) -> tuple[Reason, ...]:
    """Why rows are errors, the commonest reasons first."""
    rows = connection.execute(
        f"SELECT coalesce(reason, ''), count(*) AS rows FROM {name_in_sql(table)} WHERE status = 'error' "
        f"GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {MOST_REASONS}"
    ).fetchall()
    return tuple(Reason(*row) for row in rows)


def outcomes_in(connection: DuckDBPyConnection, table: str, check: str) -> dict[str, int]:
    """How often a check came to which outcome."""
    name = name_in_sql(check)
    rows = connection.execute(
        f"SELECT {name}, count(*) FROM {name_in_sql(table)} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY 1"
    ).fetchall()
    return dict(rows)


def _fault(many: Sequence[Numeric]) -> str:
    """Whether nobody read a row: otherwise its reason begins with who could not."""
    known = ", ".join(text_in_sql(name) for name in (*(one.name for one in many), NOTHING_APPLIES))
    return f"status = 'error' AND split_part(reason, ': ', 1) NOT IN ({known})"


def _failed(one: Numeric) -> str:
    told = text_in_sql(f"; {one.name}: ")
    return f"count(*) FILTER ({name_in_sql(one.column)} IS NULL AND contains('; ' || reason, {told}))"


def _scanned(many: Sequence[Numeric], row: Sequence[Any]) -> Scanned:
    figures = dict(zip((one.name for one in many), _each(row), strict=True))
    value, rows, errors, faults = row[:_COUNTS]
    return Scanned(
        value,
        rows,
        errors,
        faults,
        {name: Moments.read(held[:FIGURES]) for name, held in figures.items()},
        {name: held[FIGURES] for name, held in figures.items()},
    )


def _each(row: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(_COUNTS, len(row), FIGURES + 1):
        yield row[at : at + FIGURES + 1]
