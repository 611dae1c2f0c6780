"""Runs in Parquet files: of a folder of this machine, or of an object store.

A batch of answers is a shard of its own, and a small JSON file, written after it, says that it counts. Shards
to which none points were cut off while they were written, and are never read.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from secrets import token_hex
from typing import Self

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.core.errors import StorageError
from sensecheck.core.run import MetricScore, Run, ScoredAnswer
from sensecheck.execution.location import looked_into, refusals
from sensecheck.execution.object_store import location_of
from sensecheck.runs.file_place import (
    Data,
    FilePlace,
    answer_data,
    answer_of,
    folder_of,
    numbers_in,
)
from sensecheck.runs.jsonl import json_line
from sensecheck.runs.place import Answered
from sensecheck.runs.stored_values import counted_answers, positions_once, storable_answer, written_by_another
from sensecheck.store.columns import now

_TEXT = pa.large_string()
_SCORE = pa.struct(
    [(part, pa.float64() if part == "value" else _TEXT) for part in MetricScore._fields],
)
SCHEMA = pa.schema(
    [
        ("position", pa.int64()),
        ("question_id", _TEXT),
        ("id", _TEXT),
        ("answer", _TEXT),
        ("error", _TEXT),
        ("passages", pa.list_(_TEXT)),
        ("latency_ms", pa.float64()),
        ("cost", pa.float64()),
        ("labels", pa.list_(pa.struct([("name", _TEXT), ("value", pa.float64())]))),
        ("scores", pa.list_(_SCORE)),
    ]
)
"""A row an answer; `position` is where its question stands in the set."""


class ParquetPlace(FilePlace):
    """Parquet files, and small JSON files beside them."""

    kind = "parquet"

    @classmethod
    def open(cls, address: str) -> Self:
        """The files at `parquet:ADDRESS`, a folder or the URL of a prefix; made when something is stored."""
        return cls(location_of(address.removeprefix(f"{cls.kind}:")))

    def writer(self, run: Run) -> "ShardWriter":
        """The one who writes the answers of a run."""
        return ShardWriter(self, run)

    def progress(self, key: int) -> tuple[int, int]:
        """As the batches say."""
        batches = self.batches(key)
        return sum(batch["size"] for batch in batches), sum(batch["answered"] for batch in batches)

    def batches(self, key: int) -> list[Data]:
        """The batches of a run that count, by where they begin."""
        names = self.location.names(f"{folder_of(key)}/batches")
        new = [name for name in names if name not in self._known]
        self._known.update(zip(new, looked_into(self._read, new), strict=True))
        return [self._known[name] for name in names]

    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """The answers of a run in rising order of their positions, or those at some positions."""
        selected = None if positions is None else set(positions)
        for group in _overlapping(self.batches(run.key)):
            reach = min(batch["first"] for batch in group), max(batch["last"] for batch in group)
            if selected is not None and not any(reach[0] <= position <= reach[1] for position in selected):
                continue
            rows = [row for batch in group for row in self._rows(batch["shard"])]
            for row in sorted(rows, key=lambda one: int(one["position"])):
                if selected is None or row["position"] in selected:
                    yield row["position"], _answer_in(row)

    def positions(self, batch: Data) -> Iterable[int]:
        """Where the answers of a batch stand; its shard is read only where it has gaps."""
        if batch["last"] - batch["first"] + 1 == batch["size"]:
            return range(batch["first"], batch["last"] + 1)
        return (row["position"] for row in self._rows(batch["shard"]))

    def _rows(self, name: str) -> list[Data]:
        with self.location.open(name) as file:
            try:
                rows: list[Data] = pq.read_table(file, schema=SCHEMA).to_pylist()
            except pa.ArrowException as wrong:
                raise StorageError(f"`{name}` in `{self.address}` is damaged; restore it") from wrong
        return rows


@dataclass(slots=True)
class ShardWriter:
    """Writes a shard for every batch, and then that it counts, under the next number of the run's batches.

    Only one writer gets a number, and each has read all batches before it: so no two of them share a
    question, wherever they begin.
    """

    place: ParquetPlace
    run: Run
    _there: set[int] = field(default_factory=set)
    """Positions that are written, as far as batches were read."""
    _read: int = 0
    """How many batches those are."""
    _firsts: set[int] = field(default_factory=set)
    """Where batches of this writer begin."""
    _token: str = field(default_factory=lambda: token_hex(8))

    def add(self, answered: Answered) -> None:
        """Store a batch; when it returns, the batch is stored for good."""
        if not answered or (first := answered[0][0].position) in self._firsts:
            return
        positions = positions_once(placed.position for placed, _ in answered)
        number = self._next_number(positions, first)
        batch = {
            "first": min(positions),
            "last": max(positions),
            "size": len(answered),
            "answered": counted_answers(answered),
            "shard": self._shard(answered, first),
            "token": self._token,
            "written_at": now().isoformat(),
        }
        while not self._is_stored(number, batch):  # others were quicker, and theirs is read first
            number = self._next_number(positions, first)
        self._firsts.add(first)

    def _next_number(self, positions: set[int], first: int) -> int:
        """The number of the next batch, after those that are there were read."""
        batches = self.place.batches(self.run.key)
        for batch in batches[self._read :]:
            self._there.update(self.place.positions(batch))
        self._read = len(batches)
        if positions & self._there:
            raise written_by_another(self.run, first)
        return max(numbers_in(self.place.location, self._folder), default=-1) + 1

    def _is_stored(self, number: int, batch: Data) -> bool:
        name = f"{self._folder}/{number:012d}.json"
        if self.place.location.write(name, json_line(batch)):
            return True
        stored = json.loads(self.place.location.read(name) or b"{}")
        return bool(stored.get("shard") == batch["shard"])  # an answer that was lost on its way

    @property
    def _folder(self) -> str:
        return f"{folder_of(self.run.key)}/batches"

    def _shard(self, answered: Answered, first: int) -> str:
        rows = [
            _row_of(placed.position, placed.item.name, storable_answer(scored)) for placed, scored in answered
        ]
        name = f"{folder_of(self.run.key)}/answers/{first:012d}-{self._token}.parquet"
        location = self.place.location
        with location.scratch() as folder, refusals(location.address):
            path = folder / "shard.parquet"
            pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path, compression="zstd")
            return location.keep(path, name)


def _overlapping(batches: Sequence[Data]) -> Iterator[list[Data]]:
    """Batches in their order, together where one reaches into another: a service answers in any order."""
    group: list[Data] = []
    for batch in sorted(batches, key=lambda one: int(one["first"])):
        if group and batch["first"] > max(one["last"] for one in group):
            yield group
            group = []
        group.append(batch)
    if group:
        yield group


def _row_of(position: int, question: str, scored: ScoredAnswer) -> Data:
    labels = [{"name": name, "value": value} for name, value in scored.labels.items()]
    return {**answer_data(position, scored), "question_id": question, "labels": labels}


def _answer_in(row: Data) -> ScoredAnswer:
    return answer_of({**row, "labels": {one["name"]: one["value"] for one in row["labels"]}})
