"""Rows of a large run: shown on a page, kept in the store of evaluations, or exported."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, time
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, MetricScore, Run, ScoredAnswer
from sensecheck.io.atomic import whole_binary_file
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.large_scan import NOTHING_APPLIES
from sensecheck.runs.parquet import TABLE, FinishedRun, QueryLimits, name_in_sql, tables
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import AnsweredItem, RunMetric, RunTable

CHOSEN = "chosen"
MOST = 1_000_000
"""Rows of a run that the store takes, since it reads runs as a whole; larger ones are read where they lie."""
ROWS_AT_ONCE = 1000
EXPORTED_AT_ONCE = 10_000
_TEXTS_AT_ONCE = 100
_ERROR_SHARE, _WORST_SHARE = 0.1, 0.3
"""Of what is shown: at most this share for each reason to look closer."""
_BY_CHANCE = "hash(_input, _row), _input, _row"
"""An order that has nothing to do with what the rows say, and is the same every time."""
_TEXTS = ("question", "expected", "answer", "passages", "latency_ms", "cost")


def keep_in_store(
    run: FinishedRun,
    store: RunPlace,
    *,
    project: str,
    test: str = "default",
    name: str = "",
    slices: tuple[str, ...] = (),
    limits: QueryLimits | None = None,
    on_kept: Callable[[int], None] = lambda _: None,
) -> Run:
    """Keep every answer with its readings as a run of the store; `on_kept` hears of each batch."""
    _must_fit(run)
    readers = dict(run.plan.readers)
    known = store.test(project, test, embedding={"encoder": readers.get("encoder", "")}, generation={})
    with tables({TABLE: run}, limits or QueryLimits()) as connection:
        choose(connection, TABLE, run.manifest.rows, None, MOST)
        shown = ShownRows(connection, TABLE, run, slices)
        questions = store.keep_set(project, (one.item for one in shown.answers()))
        conditions = {**readers, "metrics": list(run.metrics), "results": run.manifest.fingerprint}
        kept = store.begin(
            known, questions, name=name, encoder=readers.get("encoder", ""), conditions=conditions
        )
        writer, placed = store.writer(kept), store.questions(questions)
        answers = (applicable(one, readers.get("encoder", "")) for one in shown.answers())
        answered = zip(placed, answers, strict=True)
        while some := list(islice(answered, ROWS_AT_ONCE)):
            writer.add(some)
            on_kept(len(some))
    store.finish(kept)
    return store.run_by_key(kept.key)


def export_parquet(run: FinishedRun, path: Path, *, limits: QueryLimits | None = None) -> int:
    """Write all rows to one file, in whole or not at all; how many there are."""
    count = 0
    with (
        _batches_of(run, limits or QueryLimits()) as (schema, batches),
        whole_binary_file(path) as file,
        pq.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


@contextmanager
def plain_rows(
    run: FinishedRun, *, limits: QueryLimits | None = None
) -> Iterator[tuple[list[str], Iterator[dict[str, Any]]]]:
    """The names of the columns, and the rows as they come, ready for JSON."""
    with _batches_of(run, limits or QueryLimits()) as (schema, batches):
        rows = (row for batch in batches for row in batch.to_pylist())
        yield schema.names, ({name: _as_json(value) for name, value in row.items()} for row in rows)


def choose(
    connection: DuckDBPyConnection, table: str, rows: int, metric: str | None, most: int
) -> dict[str, int]:
    """Make the table `chosen` of the positions of all rows, or of as many as fit; how many for which reason.

    Errors first, then the worst by a metric, then a sample of the rest; no reasons where all are shown.
    """
    connection.execute(f"CREATE TEMP TABLE {CHOSEN} (_input INTEGER, _row BIGINT)")
    if rows <= most:
        _take(connection, table, "true", "_input, _row", most)
        return {}
    taken = {"errors": _take(connection, table, "status = 'error'", _BY_CHANCE, int(most * _ERROR_SHARE))}
    if metric is not None:
        name = name_in_sql(metric)
        worst = _take(
            connection, table, f"{name} IS NOT NULL", f"{name}, {_BY_CHANCE}", int(most * _WORST_SHARE)
        )
        taken[f"worst by {metric}"] = worst
    taken["drawn at random"] = _take(connection, table, "true", _BY_CHANCE, most - sum(taken.values()))
    return {reason: count for reason, count in taken.items() if count}


@dataclass(frozen=True, slots=True)
class ShownRows:
    """The rows of the table `chosen`, in the order of the inputs."""

    connection: DuckDBPyConnection
    table: str
    run: FinishedRun
    slices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """Columns of numbers that say what people thought of the answers."""

    def numbers(self, run: Run) -> RunTable:
        """Their numbers, as those of this run."""
        columns = (*self._identity(), *map(name_in_sql, self.run.metrics))
        rows = self.connection.execute(self._query(columns)).fetchall()
        first = len(columns) - len(self.run.metrics)
        values = [[np.nan if cell is None else cell for cell in row[first:]] for row in rows]
        return RunTable(
            run,
            tuple(str(row[0]) for row in rows),
            tuple(self._slices(row) for row in rows),
            tuple(RunMetric(at, name, "", "") for at, name in enumerate(self.run.metrics, 1)),
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

    def answers(self) -> Iterator[AnsweredItem]:
        """Their texts, as far as the run carries them, with what was read off each."""
        parts = {part: column for part in _TEXTS if (column := self.run.column(part)) is not None}
        texts = (f"{name_in_sql(column)} AS part_{part}" for part, column in parts.items())
        labels = (f"{name_in_sql(one)}::DOUBLE AS label{at}" for at, one in enumerate(self.labels))
        columns = (*self._identity(), "reason", *map(name_in_sql, self.run.metrics), *texts, *labels)
        reader = self.connection.sql(self._query(columns)).to_arrow_reader(_TEXTS_AT_ONCE)
        position = 0
        for batch in reader:
            for row in batch.to_pylist():
                yield self._answered(position, row)
                position += 1

    def _answered(self, position: int, row: Mapping[str, Any]) -> AnsweredItem:
        part = {name: row.get(f"part_{name}") for name in _TEXTS}
        reason, passages = row["reason"] or "", part["passages"]
        readings = (
            MetricScore(name, row[name], None, _why_unread(name, reason)) for name in self.run.metrics
        )
        pair = Item(
            part["question"],
            part["expected"],
            (passages,) if isinstance(passages, str) else tuple(passages or ()),
            self._slices(list(row.values())),
            str(row["id"]),
        )
        error = reason if reason and not reason.startswith(self._readers_named()) else None
        said = {name: row[f"label{at}"] for at, name in enumerate(self.labels)}
        answer = ScoredAnswer(
            part["answer"],
            tuple(readings),
            error,
            None,
            part["latency_ms"],
            part["cost"],
            {name: value for name, value in said.items() if value is not None and math.isfinite(value)},
        )
        return AnsweredItem(position, pair, answer)

    def _readers_named(self) -> tuple[str, ...]:
        """How the reason begins of a row that was read, though not by all."""
        return tuple(f"{name}: " for name in (*self.run.metrics, *self.run.checks, NOTHING_APPLIES))

    def _identity(self) -> tuple[str, ...]:
        """What a row is called, and what kind it is."""
        own = self.run.column("id")
        position = "(_input + 1) || ':' || _row"
        name = position if own is None else f"coalesce({name_in_sql(own)}::VARCHAR, {position})"
        return f"{name} AS id", *(
            f"{name_in_sql(one)}::VARCHAR AS slice{at}" for at, one in enumerate(self.slices)
        )

    def _slices(self, row: Sequence[Any]) -> dict[str, str]:
        named = zip(self.slices, row[1 : len(self.slices) + 1], strict=True)
        return {name: value for name, value in named if value is not None}

    def _query(self, columns: Sequence[str]) -> str:
        return (
            f"SELECT {', '.join(columns)} FROM {name_in_sql(self.table)} "
            f"SEMI JOIN {CHOSEN} USING (_input, _row) ORDER BY _input, _row"
        )


def _take(connection: DuckDBPyConnection, table: str, where: str, order: str, most: int) -> int:
    """Choose the first of the rows that are not chosen yet; how many that were."""
    row = connection.execute(
        f"INSERT INTO {CHOSEN} SELECT _input, _row FROM {name_in_sql(table)} "
        f"ANTI JOIN {CHOSEN} USING (_input, _row) WHERE {where} ORDER BY {order} LIMIT {most}"
    ).fetchone()
    return int(row[0]) if row else 0


def _why_unread(name: str, reason: str) -> str | None:
    """What went wrong for a metric, of a row's reason; None where it is not to blame."""
    parts = (part for part in reason.split("; ") if part.startswith(f"{name}: "))
    return next((part.removeprefix(f"{name}: ") for part in parts), None)


def _must_fit(run: FinishedRun) -> None:
    if run.manifest.rows > MOST:
        raise SpecError(
            f"`{run.address}` has {run.manifest.rows:,} rows; a store takes runs of at most {MOST:,}: export "
            "to Parquet, or read the results where they lie"
        )
    if run.column("answer") is None:
        raise SpecError(
            f"`{run.address}` carries no answers, which a store keeps; run it without `--no-texts`"
        )


def applicable(one: AnsweredItem, encoder: str) -> ScoredAnswer:
    """A reading that is not there says that a metric does not apply."""
    readings = (_with_encoder(reading, encoder) for reading in one.scored.readings)
    return replace(one.scored, readings=tuple(reading for reading in readings if reading is not None))


def _with_encoder(reading: MetricScore, encoder: str) -> MetricScore | None:
    if reading.value is None and reading.error is None:
        return None
    kind = KNOWN[reading.metric].kind if reading.metric in KNOWN else None
    if kind in ("lexical", "facts", "judged"):
        return reading
    return reading._replace(encoder=encoder, fingerprint=encoder)


@contextmanager
def _batches_of(
    run: FinishedRun, limits: QueryLimits
) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    """The columns, and all rows as they come."""
    with tables({TABLE: run}, limits) as connection:
        reader = connection.sql(f"FROM {TABLE} ORDER BY _input, _row").to_arrow_reader(EXPORTED_AT_ONCE)
        yield reader.schema, iter(reader)


def _as_json(value: Any) -> Any:
    """As JSON has it: what is no finite number is null, and a moment is a text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_as_json(one) for one in value]
    if isinstance(value, dict):
        return {name: _as_json(one) for name, one in value.items()}
    if isinstance(value, date | time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int) else str(value)
