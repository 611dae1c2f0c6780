"""A large run, as a folder or a prefix of Parquet files holds it, read as the only run of a place."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from duckdb import DuckDBPyConnection

from sensecheck.core.run import PlacedItem, QuestionSet, Run, ScoredAnswer, Test
from sensecheck.datasets.columns import COLUMN_NAMES
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.manifest import MANIFEST_FILE
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import PLAN_FILE
from sensecheck.runs.large_rows import ShownRows, applicable, choose
from sensecheck.runs.parquet import TABLE, FinishedRun, QueryLimits, finished_run, tables
from sensecheck.runs.parquet_place import ParquetPlace
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import AnsweredItem
from sensecheck.runs.scanned_place import ScannedPlace

KEY = 1
"""The number of the only run."""
UNKNOWN_MOMENT = datetime(1970, 1, 1, tzinfo=UTC)
"""An object store does not say when a run began."""
_NUMBERS = ("DOUBLE", "FLOAT", "BOOLEAN")


def open_parquet(address: str) -> RunPlace:
    """The place at `parquet:ADDRESS`: a large run where its plan is there, else runs of any number."""
    bare = address.removeprefix(f"{ParquetPlace.kind}:")
    if location_of(bare).read(PLAN_FILE) is None:
        return ParquetPlace.open(bare)
    return LargeRunPlace(finished_run(bare))


class LargeRunPlace(ScannedPlace):
    """A finished large run; carried columns that are no part of an answer are slices or labels."""

    def __init__(self, finished: FinishedRun, limits: QueryLimits | None = None) -> None:
        self.finished = finished
        self._limits = limits or QueryLimits()

    @property
    def address(self) -> str:
        """Where it is, as `--store` takes it."""
        return f"{ParquetPlace.kind}:{self.finished.address}"

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """The only run, if it is of this project and test."""
        run = self._run()
        wanted = (project, run.test.project), (test, run.test.name)
        return [run] if all(want in (None, own) for want, own in wanted) else []

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The rows as questions, from a position on."""
        for one in islice(self._answers(), after, None):
            yield PlacedItem(one.position, one.position, one.item)

    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """The rows with what was read off them, in the order of the inputs."""
        wanted = None if positions is None else set(positions)
        encoder, name = run.encoder, self._encoder_name()
        for one in self._answers():
            if wanted is None or one.position in wanted:
                scored = applicable(one, encoder)
                named = (
                    reading._replace(encoder=name) if reading.encoder else reading
                    for reading in scored.readings
                )
                yield one.position, replace(scored, readings=tuple(named))

    def _answers(self) -> Iterator[AnsweredItem]:
        rows = self.finished.manifest.rows
        if not rows:
            return
        with tables({TABLE: self.finished}, self._limits) as connection:
            choose(connection, TABLE, rows, None, rows)
            slices, labels = self._kinds(connection)
            yield from ShownRows(connection, TABLE, self.finished, slices, labels).answers()

    def _kinds(self, connection: DuckDBPyConnection) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Which carried columns are slices, and which are labels: those of decimal numbers and booleans."""
        parts = {self.finished.column(part) for part in COLUMN_NAMES}
        others = [column for column in self.finished.plan.carried if column not in parts]
        types = {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {TABLE}").fetchall()}
        labels = tuple(column for column in others if types.get(column) in _NUMBERS)
        return tuple(column for column in others if column not in labels), labels

    def _encoder_name(self) -> str:
        readers = self.finished.plan.readers
        return readers.get("encoder_named", readers.get("encoder", ""))

    def _run(self) -> Run:
        manifest, readers = self.finished.manifest, dict(self.finished.plan.readers)
        encoder = readers.get("encoder", "")
        conditions: dict[str, Any] = {**readers, "metrics": list(self.finished.metrics)}
        if encoder:
            conditions["encoders"] = [[self._encoder_name(), encoder]]
        own = self.finished.address.rstrip("/").rpartition("/")[2]
        return Run(
            KEY,
            manifest.fingerprint,
            Test(KEY, "", _inputs_in_words(self.finished), "results", {}, {}),
            QuestionSet(KEY, manifest.rows, self.finished.plan.inputs_digest),
            own,
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


def _inputs_in_words(run: FinishedRun) -> str:
    first, *others = (one.address.rstrip("/").rpartition("/")[2] for one in run.plan.inputs)
    return f"{first} and {len(others):,} more" if others else first
