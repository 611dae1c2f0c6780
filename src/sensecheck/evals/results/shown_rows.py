"""The rows that are chosen to be shown: their numbers at once, and their texts as they are wanted."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.core.run import KeptAnswer, KeptReading, Pair, QuestionSet, Run, Test
from sensecheck.evals.results.choosing import CHOSEN
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import name_in_sql
from sensecheck.evals.results.scanning import NOTHING_APPLIES
from sensecheck.store.run_reading import AnsweredPair, Metric, RunTable

_TEXTS = ("question", "expected", "answer", "passages", "latency_ms", "cost")
_AT_ONCE = 100
_BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)
"""A run in a folder does not say when it began."""


@dataclass(frozen=True, slots=True)
class ShownRows:
    """The rows of the table `chosen`, in the order of the inputs."""

    connection: DuckDBPyConnection
    table: str
    run: FinishedRun
    slices: tuple[str, ...] = ()

    def numbers(self, conditions: Mapping[str, Any]) -> RunTable:
        """Their numbers, as those of a kept run."""
        columns = (*self._identity(), *map(name_in_sql, self.run.metrics))
        rows = self.connection.execute(self._query(columns)).fetchall()
        first = len(columns) - len(self.run.metrics)
        values = [[np.nan if cell is None else cell for cell in row[first:]] for row in rows]
        return RunTable(
            _as_kept(self.run, conditions),
            tuple(str(row[0]) for row in rows),
            tuple(self._slices(row) for row in rows),
            tuple(Metric(at, name, "", "") for at, name in enumerate(self.run.metrics, 1)),
            np.array(values, dtype=np.float64).reshape(len(rows), len(self.run.metrics)),
            (0,) * len(self.run.metrics),
            {},
            0,
        )

    def positions(self) -> list[int]:
        """Which of all rows of the run they are, in the order of the inputs."""
        number = "row_number() OVER (ORDER BY _input, _row) - 1 AS position"
        counted = f"SELECT _input, _row, {number} FROM {name_in_sql(self.table)}"
        rows = self.connection.execute(
            f"SELECT position FROM ({counted}) SEMI JOIN {CHOSEN} USING (_input, _row) ORDER BY position"
        ).fetchall()
        return [position for (position,) in rows]

    def answers(self) -> Iterator[AnsweredPair]:
        """Their texts, as far as the run carries them, with what was read off each."""
        parts = {part: column for part in _TEXTS if (column := self.run.column(part)) is not None}
        texts = (f"{name_in_sql(column)} AS part_{part}" for part, column in parts.items())
        columns = (*self._identity(), "reason", *map(name_in_sql, self.run.metrics), *texts)
        reader = self.connection.sql(self._query(columns)).to_arrow_reader(_AT_ONCE)
        position = 0
        for batch in reader:
            for row in batch.to_pylist():
                yield self._answered(position, row)
                position += 1

    def _answered(self, position: int, row: Mapping[str, Any]) -> AnsweredPair:
        part = {name: row.get(f"part_{name}") for name in _TEXTS}
        reason, passages = row["reason"] or "", part["passages"]
        readings = (KeptReading(name, row[name], None, why_unread(name, reason)) for name in self.run.metrics)
        pair = Pair(
            part["question"],
            part["expected"],
            (passages,) if isinstance(passages, str) else tuple(passages or ()),
            self._slices(list(row.values())),
            str(row["id"]),
        )
        error = reason if reason and not reason.startswith(self._who()) else None
        told = KeptAnswer(part["answer"], tuple(readings), error, None, part["latency_ms"], part["cost"])
        return AnsweredPair(position, pair, told)

    def _who(self) -> tuple[str, ...]:
        """How the reason begins of a row that was read, though not by all."""
        return tuple(f"{name}: " for name in (*self.run.metrics, *self.run.checks, NOTHING_APPLIES))

    def _identity(self) -> tuple[str, ...]:
        """What a row is called, and what kind it is."""
        own = self.run.column("id")
        place = "(_input + 1) || ':' || _row"
        name = place if own is None else f"coalesce({name_in_sql(own)}::VARCHAR, {place})"
        return f"{name} AS id", *(
            f"{name_in_sql(one)}::VARCHAR AS slice{at}" for at, one in enumerate(self.slices)
        )

    def _slices(self, row: Sequence[Any]) -> dict[str, str]:
        held = zip(self.slices, row[1 : len(self.slices) + 1], strict=True)
        return {name: value for name, value in held if value is not None}

    def _query(self, columns: Sequence[str]) -> str:
        return (
            f"SELECT {', '.join(columns)} FROM {name_in_sql(self.table)} "
            f"SEMI JOIN {CHOSEN} USING (_input, _row) ORDER BY _input, _row"
        )


def why_unread(name: str, reason: str) -> str | None:
    """What went wrong for a metric, of a row's reason; None where it is not to blame."""
    parts = (part for part in reason.split("; ") if part.startswith(f"{name}: "))
    return next((part.removeprefix(f"{name}: ") for part in parts), None)


def _as_kept(run: FinishedRun, conditions: Mapping[str, Any]) -> Run:
    """The run as a store would tell of it; it has no number."""
    rows, encoder = run.manifest.rows, run.plan.readers.get("encoder", "")
    test, questions = Test(0, "", _inputs(run), "results", {}, {}), QuestionSet(0, rows, "")
    return Run(0, run.manifest.fingerprint, test, questions, "", encoder, conditions, _BEFORE_ALL, None, rows)


def _inputs(run: FinishedRun) -> str:
    first, *others = (one.address.rstrip("/").rpartition("/")[2] for one in run.plan.inputs)
    return f"{first} and {len(others):,} more" if others else first
