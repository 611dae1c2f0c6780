"""A finished large run, read as the only run of a place: from its Parquet files, and never as a whole.

Carried columns that are no part of an answer are slices, or labels where they are numbers. A check is a
column of ones and zeros; labels that people add later lie beside the results.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, MetricScore, PlacedItem, QuestionSet, Run, ScoredAnswer, Test
from sensecheck.datasets.columns import COLUMN_NAMES
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.manifest import MANIFEST_FILE
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import PLAN_FILE
from sensecheck.runs.figures import RunFigures
from sensecheck.runs.file_place import LabelFiles
from sensecheck.runs.large_figures import CountedFigures, part_of
from sensecheck.runs.parquet import (
    TABLE,
    FinishedRun,
    QueryLimits,
    finished_run,
    name_in_sql,
    tables,
    text_in_sql,
)
from sensecheck.runs.parquet_place import ParquetPlace
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import (
    AnsweredItem,
    Label,
    Numbers,
    RunMetric,
    RunOutline,
    RunReasons,
    RunTable,
    joined,
)
from sensecheck.runs.scanned_place import ScannedPlace, label_columns
from sensecheck.runs.stored_values import LabelKey

KEY = 1
"""The number of the only run."""
MAX_TABLE_ROWS = 5_000_000
"""Rows that are read at once, where what is computed needs them all."""
CHUNK_ROWS = 100_000
TEXT_ROWS = 100
"""Rows whose texts are read at once."""
UNKNOWN_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
"""An object store does not say when a run began."""
_NUMBERS = ("DOUBLE", "FLOAT", "BOOLEAN")
_TEXTS = ("question", "expected", "answer", "passages", "latency_ms", "cost")
_ORDER = "_input, _row"


def open_parquet(address: str) -> RunPlace:
    """The place at `parquet:ADDRESS`: a large run where its plan is there, else runs of any number."""
    bare = address.removeprefix(f"{ParquetPlace.kind}:")
    if location_of(bare).read(PLAN_FILE) is None:
        return ParquetPlace.open(bare)
    return LargeRunPlace(finished_run(bare))


class LargeRunPlace(ScannedPlace):
    """The results of one run, and the labels beside them."""

    def __init__(self, finished: FinishedRun, limits: QueryLimits | None = None) -> None:
        self.finished = finished
        self.limits = limits or QueryLimits()
        self.counted = CountedFigures(finished)
        self._labels = LabelFiles(finished.location, "labels")

    @property
    def address(self) -> str:
        """Where it is, as `--store` takes it."""
        return f"{ParquetPlace.kind}:{self.finished.address}"

    def each_run(self) -> Iterator[tuple[int, Run]]:
        """The only run."""
        yield KEY, self._run()

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The rows as questions, from a position on."""
        for answer in islice(self.answers(self._run()), after, None):
            yield PlacedItem(answer.position, answer.position, answer.item)

    def chunks(self, run: Run, *, by: Sequence[str] = ()) -> Iterator[RunTable]:
        """The numbers of some rows at a time, in the order of the inputs."""
        return self._chunks(run, by, self._labels.later_labels())

    def _chunks(
        self, run: Run, by: Sequence[str], later_labels: Mapping[LabelKey, float]
    ) -> Iterator[RunTable]:
        if not self.finished.manifest.rows:
            return
        slices, first = tuple(map(self.finished.require_column, by)), 0
        with tables({TABLE: self.finished}, self.limits) as connection:
            labels = self._kinds(connection)[1]
            query = f"SELECT {', '.join(self._numbers(slices, labels))} FROM {TABLE} ORDER BY {_ORDER}"
            for batch in connection.sql(query).to_arrow_reader(CHUNK_ROWS):
                positions = range(first, first := first + batch.num_rows)
                yield self._chunk(run, batch, positions, slices, labels, later_labels)

    def table(self, run: Run) -> RunTable:
        """All numbers, of a run that is not too large for that."""
        rows = self.finished.manifest.rows
        if rows > MAX_TABLE_ROWS:
            raise SpecError(
                f"`{self.finished.address}` has {rows:,} rows, and no more than {MAX_TABLE_ROWS:,} are read "
                "at once; `runs show`, `compare`, `report` and `export` read as many as there are"
            )
        if parts := list(self.chunks(run, by=self.outline(run).slices)):
            return joined(parts)
        metrics = tuple(column.metric for column in self.counted.columns)
        none = (0,) * len(metrics)
        return RunTable(run, (), (), metrics, np.empty((0, len(metrics))), none, {}, 0, none)

    def aggregates(self, run: Run) -> RunFigures | None:
        """What every file counted when it was written: quantiles are known to a twentieth."""
        return self.counted.figures()

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric and the share that passed each check, as the files counted them."""
        each = ((column.metric.name, self.counted.sums(column).mean) for column in self.counted.columns)
        return {name: mean for name, mean in each if mean is not None}

    def columns(self, run: Run) -> Iterator[tuple[RunMetric, Numbers]]:
        """The known numbers of each metric."""
        table = self.table(run)
        for metric, values in zip(table.metrics, table.values.T, strict=True):
            yield metric, values[~np.isnan(values)]

    def reasons(self, run: Run) -> RunReasons:
        """Why numbers are missing, as the files counted it."""
        return self.counted.reasons()

    def reached(self, run: Run) -> list[int]:
        """All rows."""
        return list(range(self.finished.manifest.rows))

    def answered(self, run: Run) -> int:
        """How many rows could be read."""
        return self.counted.answered

    def outline(self, run: Run) -> RunOutline:
        """Which metrics, checks, labels and slices there are."""
        metrics = tuple(column.metric for column in self.counted.columns)
        later_names = {name for _, name, _ in self._labels.later_labels()}
        if not self.finished.manifest.rows:
            return RunOutline(metrics, tuple(sorted(later_names)), ())
        with tables({TABLE: self.finished}, self.limits) as connection:
            slices, labels = self._kinds(connection)
        return RunOutline(metrics, tuple(sorted({*labels, *later_names})), tuple(sorted(slices)))

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredItem]:
        """The rows with their texts, as far as the run carries them, and all that was read off each."""
        if not self.finished.manifest.rows or (positions is not None and not len(positions)):
            return
        parts = {part: name for part in _TEXTS if (name := self.finished.column(part)) is not None}
        later_labels = self._labels.later_labels()
        with tables({TABLE: self.finished}, self.limits) as connection:
            slices, labels = self._kinds(connection)
            texts = (f"{name_in_sql(name)} AS part_{part}" for part, name in parts.items())
            outcomes = (f"{name_in_sql(name)} AS outcome{at}" for at, name in enumerate(self.finished.checks))
            numbers = (*self._numbers(slices, labels), *outcomes, *texts, "reason")
            query = _select(connection, numbers, positions)
            remaining = iter(
                range(self.finished.manifest.rows) if positions is None else sorted(set(positions))
            )
            for batch in connection.sql(query).to_arrow_reader(TEXT_ROWS):
                here = list(islice(remaining, batch.num_rows))
                table = self._chunk(run, batch, here, slices, labels, later_labels)
                for at, row in enumerate(batch.to_pylist()):
                    yield self._answer(here[at], row, table, at)

    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """The rows with what was read off them."""
        return ((answer.position, answer.scored) for answer in self.answers(run, positions))

    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new beside the results; how many were."""
        answered = self._positions(run, {label.question for label in given})
        carried: dict[LabelKey, float] = {}
        if answered and self.outline(run).labels:
            places = [position for position, _ in answered.values()]
            for answer in self.answers(run, places):
                carried |= {
                    (answer.position, name, ""): value for name, value in answer.scored.labels.items()
                }
        return self._labels.add(run, given, answered, carried)

    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed."""
        return self._labels.change(run, given, self._positions(run, {given.question}), withdraw=withdraw)

    def later_labels(self, run: Run) -> Mapping[LabelKey, float]:
        """Labels that were given after the answers."""
        return self._labels.later_labels()

    def _positions(self, run: Run, names: set[str]) -> dict[str, tuple[int, bool]]:
        """Where these answers stand."""
        return {
            name: (part.first + at, True)
            for part in self.chunks(run)
            for at, name in enumerate(part.names)
            if name in names
        }

    def labels(self, run: Run) -> Iterator[Label]:
        """What people said: in carried columns, or later."""
        later_labels = self._labels.later_labels()
        for part in self._chunks(run, (), {}):
            last = part.first + len(part.names)
            here = {key: value for key, value in later_labels.items() if part.first <= key[0] < last}
            for name, values in part.labels.items():
                labelled_rows = np.flatnonzero(np.isfinite(values)).tolist()
                here |= {(part.first + at, name, ""): float(values[at]) for at in labelled_rows}
            for (position, name, rater), value in sorted(here.items()):
                yield Label(part.names[position - part.first], name, value, rater)

    def _chunk(
        self,
        run: Run,
        batch: pa.RecordBatch,
        positions: Sequence[int],
        slices: Sequence[str],
        labels: Sequence[str],
        later_labels: Mapping[LabelKey, float],
    ) -> RunTable:
        columns, count = self.counted.columns, batch.num_rows
        values = np.column_stack([_floats(batch.column(f"value{at}")) for at in range(len(columns))])
        kinds = [batch.column(f"slice{at}").to_pylist() for at in range(len(slices))]
        rows = zip(*kinds, strict=True) if slices else ((),) * count
        carried = {name: _floats(batch.column(f"label{at}")) for at, name in enumerate(labels)}
        return RunTable(
            run,
            tuple(batch.column("id").to_pylist()),
            tuple(
                {key: kind for key, kind in zip(slices, row, strict=True) if kind is not None} for row in rows
            ),
            tuple(column.metric for column in columns),
            values,
            tuple(_count(batch, f"failed{at}") for at in range(len(columns))),
            _with_later(carried, later_labels, positions),
            _count(batch, "fault"),
            tuple(_count(batch, f"nothing{at}") for at in range(len(columns))),
            positions[0],
        )

    def _numbers(self, slices: Sequence[str], labels: Sequence[str]) -> tuple[str, ...]:
        """What a query selects of each row, without its texts."""
        fault = f"coalesce({self._fault_in_sql()}, false)"
        id_column, position = self.finished.column("id"), "(_input + 1) || ':' || _row"
        name = position if id_column is None else f"coalesce({name_in_sql(id_column)}::VARCHAR, {position})"
        values_in_sql = (
            part
            for at, column in enumerate(self.counted.columns)
            for part in (
                f"{column.value} AS value{at}",
                f"coalesce({column.failed}, false) AND NOT {fault} AS failed{at}",
                f"coalesce({column.nothing}, false) AS nothing{at}",
            )
        )
        slices_in_sql = (f"{name_in_sql(name)}::VARCHAR AS slice{at}" for at, name in enumerate(slices))
        labels_in_sql = (f"{name_in_sql(name)}::DOUBLE AS label{at}" for at, name in enumerate(labels))
        return (
            f"{name} AS id",
            f"{fault} AS fault",
            *values_in_sql,
            *slices_in_sql,
            *labels_in_sql,
        )

    def _fault_in_sql(self) -> str:
        """Whether a row was not read at all: otherwise its reason begins with what could not be."""
        readers = ", ".join(map(text_in_sql, self.counted.readers))
        return f"(status = 'error' AND split_part(reason, ': ', 1) NOT IN ({readers}))"

    def _answer(self, position: int, row: Mapping[str, Any], table: RunTable, at: int) -> AnsweredItem:
        """The answer in a row, of which `table` has the numbers, labels and slices."""
        part = {name: row.get(f"part_{name}") for name in _TEXTS}
        passages, reason = part["passages"], row["reason"] or ""
        item = Item(
            part["question"],
            part["expected"],
            (passages,) if isinstance(passages, str) else tuple(passages or ()),
            table.slices[at],
            row["id"],
        )
        scored = ScoredAnswer(
            part["answer"],
            tuple(self._scores(row, reason)),
            reason if row["fault"] else None,
            None,
            part["latency_ms"],
            part["cost"],
            {name: float(values[at]) for name, values in table.labels.items() if np.isfinite(values[at])},
        )
        return AnsweredItem(position, item, scored)

    def _scores(self, row: Mapping[str, Any], reason: str) -> Iterator[MetricScore]:
        """What is there; a metric that does not apply has no score."""
        checks = {name: row[f"outcome{at}"] for at, name in enumerate(self.finished.checks)}
        for at, column in enumerate(self.counted.columns):
            name, value = column.metric.name, row[f"value{at}"]
            error = (part_of(reason, name) or reason) if row[f"failed{at}"] else None
            because = f"it is {checks[name]}" if row[f"nothing{at}"] else None
            if value is not None or error or because:
                mark = column.metric.encoder, column.metric.fingerprint
                yield MetricScore(name, value, because, error, *mark)

    def _kinds(self, connection: DuckDBPyConnection) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Which carried columns are slices, and which are labels: those of decimal numbers and booleans."""
        parts = {self.finished.column(part) for part in COLUMN_NAMES}
        others = [column for column in self.finished.plan.carried if column not in parts]
        types = {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {TABLE}").fetchall()}
        labels = tuple(column for column in others if types.get(column) in _NUMBERS)
        return tuple(column for column in others if column not in labels), labels

    def _run(self) -> Run:
        manifest, readers = self.finished.manifest, dict(self.finished.plan.readers)
        encoder = readers.get("encoder", "")
        conditions: dict[str, Any] = {**readers, "metrics": list(self.finished.metrics)}
        if encoder:
            conditions["encoders"] = [[self.counted.encoder_name, encoder]]
        name = self.finished.address.rstrip("/").rpartition("/")[2]
        return Run(
            KEY,
            manifest.fingerprint,
            Test(KEY, "", _inputs_in_words(self.finished), "results", {}, {}),
            QuestionSet(KEY, manifest.rows, self.finished.plan.inputs_digest),
            name,
            encoder,
            conditions,
            self._moment(PLAN_FILE),
            self._moment(MANIFEST_FILE),
            manifest.rows,
        )

    def _moment(self, name: str) -> datetime:
        """When a file was written."""
        location = self.finished.location
        if not isinstance(location, LocalLocation):
            return UNKNOWN_MOMENT
        return datetime.fromtimestamp((location.root / name).stat().st_mtime, UTC)


def _select(connection: DuckDBPyConnection, columns: Iterable[str], positions: Sequence[int] | None) -> str:
    """The query for all rows, or for those at some positions, in the order of the inputs."""
    listed = ", ".join(columns)
    if positions is None:
        return f"SELECT {listed} FROM {TABLE} ORDER BY {_ORDER}"
    position_table = pa.table({"position": pa.array(sorted(set(positions)), pa.int64())})
    connection.register("wanted", position_table)
    numbered = f"SELECT {_ORDER}, row_number() OVER (ORDER BY {_ORDER}) - 1 AS position FROM {TABLE}"
    connection.execute(
        f"CREATE TEMP TABLE chosen AS SELECT {_ORDER} FROM ({numbered}) SEMI JOIN wanted USING (position)"
    )
    return f"SELECT {listed} FROM {TABLE} SEMI JOIN chosen USING ({_ORDER}) ORDER BY {_ORDER}"


def _with_later(
    carried: Mapping[str, Numbers], later_labels: Mapping[LabelKey, float], positions: Sequence[int]
) -> dict[str, Numbers]:
    """Carried labels of some rows with those given later; the mean where several people gave one."""
    rows = {position: at for at, position in enumerate(positions)} if later_labels else {}
    labels_here = {
        (rows[position], name, rater): value
        for (position, name, rater), value in later_labels.items()
        if position in rows
    }
    every = {
        (at, name, ""): float(values[at])
        for name, values in carried.items()
        for at in {key[0] for key in labels_here}
        if np.isfinite(values[at])
    }
    columns = {name: values.copy() for name, values in carried.items()}
    for name in {name for _, name, _ in later_labels} - columns.keys():
        columns[name] = np.full(len(positions), np.nan)
    for name, means in label_columns({**every, **labels_here}, len(positions)).items():
        columns[name] = np.where(np.isfinite(means), means, columns[name])
    return dict(sorted(columns.items()))


def _floats(column: pa.Array) -> Numbers:
    values: Numbers = column.cast(pa.float64()).to_numpy(zero_copy_only=False)
    return values


def _count(batch: pa.RecordBatch, name: str) -> int:
    return int(batch.column(name).true_count)


def _inputs_in_words(run: FinishedRun) -> str:
    first, *others = (source.address.rstrip("/").rpartition("/")[2] for source in run.plan.inputs)
    return f"{first} and {len(others):,} more" if others else first
