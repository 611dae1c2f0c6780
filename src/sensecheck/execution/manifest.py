"""The files of a run next to its rows: the plan, written first; results; the manifest, written last."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.plan import PLAN_FILE, RunPlan
from sensecheck.execution.tasks import Assessed, AssessShard, result_name
from sensecheck.tables.aggregates import Aggregates

MANIFEST_FILE = "manifest.json"
DIFFERENCES = {
    "order": "metrics, checks or columns are not those wanted now",
    "readers": "encoder, or another reader, or the version of sensecheck, is not that in use now",
    "inputs": "inputs are others, or have changed since",
    "pieces": "inputs were parted otherwise",
    "buckets": "number of shards is not that wanted now",
    "shard_rows": "shards are of another size",
    "carried": "carried columns are not those wanted now",
}
_AGGREGATES, _SHARD = b"sensecheck.aggregates", b"sensecheck.shard"
_GROUP_ROWS = 65_536


@dataclass(frozen=True, slots=True)
class ResultFile:
    """One file of results."""

    shard: str
    name: str
    rows: int
    errors: int
    size: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of an input that could not be read: its rows are in no file."""

    input: str
    start: int
    stop: int
    because: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that a reader needs to know of a run."""

    plan: RunPlan
    fingerprint: str
    rows: int
    errors: int
    entries: tuple[ResultFile, ...]
    """Sorted by shard and name."""
    aggregates: Mapping[str, Any]
    """Of all rows, merged from those of the files."""
    gaps: tuple[Gap, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The manifest that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="manifest")


def begun(location: StorageLocation, wanted: RunPlan) -> RunPlan:
    """The plan of the run in this location, which is the wanted one: written now, or there already."""
    if location.read(PLAN_FILE) is None:
        content = json.dumps(wanted.to_data(), allow_nan=False).encode()
        if location.write(PLAN_FILE, content):
            return wanted
    existing = plan_in(location)
    was, now = existing.to_data(), wanted.to_data()
    keys = [key for key in {**was, **now} if _as_json(was.get(key)) != _as_json(now.get(key))]
    if keys:
        differences = "; ".join(f"its {DIFFERENCES.get(key, key)}" for key in keys)
        raise SpecError(
            f"`{location.address}` holds another run: {differences}; go on with the command that "
            "began it, or name another place with `--out`"
        )
    return existing


def plan_in(location: StorageLocation) -> RunPlan:
    """The plan of the run that is there."""
    content = location.read(PLAN_FILE)
    if content is None:
        raise SpecError(f"`{location.address}` holds no run: there is no `{PLAN_FILE}`")
    return RunPlan.from_data(_data(location, PLAN_FILE, content))


def manifest_in(location: StorageLocation) -> Manifest | None:
    """The list of the results; None for a run that is not finished."""
    content = location.read(MANIFEST_FILE)
    return None if content is None else Manifest.from_data(_data(location, MANIFEST_FILE, content))


def keep_result(
    location: StorageLocation, task: AssessShard, results: pa.Table, aggregates: Aggregates
) -> Assessed:
    """Keep what was read off the rows of a task."""
    summary = aggregates.to_data()
    metadata = {_AGGREGATES: json.dumps(summary, allow_nan=False), _SHARD: task.shard.id}
    name = result_name(task.shard.id, task.rows)
    with location.scratch() as scratch:
        path = scratch / "results.parquet"
        table = results.replace_schema_metadata(metadata)
        pq.write_table(table, path, compression="zstd", row_group_size=_GROUP_ROWS)
        size = path.stat().st_size
        stored_name = location.keep(path, name)
    return Assessed(task.shard.id, stored_name, results.num_rows, aggregates.errors, size, summary)


def result_in(location: StorageLocation, name: str) -> Assessed:
    """What a kept file says of itself."""
    with location.open(name) as file:
        try:
            footer = pq.read_metadata(file)
            summary = json.loads(footer.metadata[_AGGREGATES])
            errors = Aggregates.from_data(summary).errors
            shard = footer.metadata[_SHARD].decode()
        except (pa.ArrowException, KeyError, ValueError, TypeError) as error:
            raise StorageError(
                f"`{name}` in `{location.address}` is no file of results: it was damaged since it was "
                "written; remove it, and the same command makes it anew"
            ) from error
        size = file.seek(0, 2)
    return Assessed(shard, name, footer.num_rows, errors, size, summary)


def _data(location: StorageLocation, name: str, content: bytes) -> Any:
    try:
        return read_json(content.decode(), at=name)
    except UnicodeDecodeError as damaged:
        raise SpecError(f"`{name}` in `{location.address}` is not UTF-8; it is damaged") from damaged


def _as_json(value: object) -> str:
    """The value as JSON, so that a tuple equals a list."""
    return json.dumps(value, sort_keys=True)
