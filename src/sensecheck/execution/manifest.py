"""The plan and the list of results, as files.

The list of a run's results, written when all of them are there: what is not in it is nothing.

What stands in a run's place: the plan, written first, and the manifest, written last.

A file of results: a table, and what a reader wants to know without reading it.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.core.errors import NotKept, SpecError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.execution import manifest, plan
from sensecheck.execution.location import Place
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.tasks import Assessed, AssessShard, result_name
from sensecheck.tables.aggregates import Aggregates

NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
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
    entries: tuple[Entry, ...]
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


WORDS = {
    "order": "metrics, checks or columns are not those wanted now",
    "readers": "encoder, or another reader, or the version of sensecheck, is not that in use now",
    "inputs": "inputs are others, or have changed since",
    "pieces": "inputs were parted otherwise",
    "buckets": "number of shards is not that wanted now",
    "shard_rows": "shards are of another size",
    "carried": "carried columns are not those wanted now",
}


def begun(place: Place, wanted: RunPlan) -> RunPlan:
    """The plan of the run in this place, which is the wanted one: written now, or there already."""
    if place.read(plan.NAME) is None:
        content = json.dumps(wanted.to_data(), allow_nan=False).encode()
        if place.write(plan.NAME, content):
            return wanted
    found = plan_in(place)
    if differing := _differing(found.to_data(), wanted.to_data()):
        raise SpecError(
            f"`{place.address}` holds another run: {differing}; go on with the command that "
            "began it, or name another place with `--out`"
        )
    return found


def plan_in(place: Place) -> RunPlan:
    """The plan of the run that is there."""
    content = place.read(plan.NAME)
    if content is None:
        raise SpecError(f"`{place.address}` holds no run: there is no `{plan.NAME}`")
    return RunPlan.from_data(_data(place, plan.NAME, content))


def manifest_in(place: Place) -> Manifest | None:
    """The list of the results; None for a run that is not finished."""
    content = place.read(manifest.NAME)
    return None if content is None else Manifest.from_data(_data(place, manifest.NAME, content))


def _data(place: Place, name: str, content: bytes) -> Any:
    try:
        return read_json(content.decode(), at=name)
    except UnicodeDecodeError as damaged:
        raise SpecError(f"`{name}` in `{place.address}` is not UTF-8; it is damaged") from damaged


def _differing(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """What is not alike, in words; nothing where all is."""
    keys = [key for key in {**found, **wanted} if _written(found.get(key)) != _written(wanted.get(key))]
    return "; ".join(f"its {WORDS.get(key, key)}" for key in keys)


def _written(value: object) -> str:
    """The same for a tuple and a list, which JSON does not tell apart."""
    return json.dumps(value, sort_keys=True)


_AGGREGATES, _SHARD = b"sensecheck.aggregates", b"sensecheck.shard"
_GROUP_ROWS = 65_536


def keep_result(place: Place, task: AssessShard, results: pa.Table, aggregates: Aggregates) -> Assessed:
    """Keep what was read off the rows of a task."""
    held = aggregates.to_data()
    told = {_AGGREGATES: json.dumps(held, allow_nan=False), _SHARD: task.shard.id}
    name = result_name(task.shard.id, task.rows)
    with place.scratch() as scratch:
        written = scratch / "results.parquet"
        table = results.replace_schema_metadata(told)
        pq.write_table(table, written, compression="zstd", row_group_size=_GROUP_ROWS)
        size = written.stat().st_size
        kept = place.keep(written, name)
    return Assessed(task.shard.id, kept, results.num_rows, aggregates.errors, size, held)


def result_in(place: Place, name: str) -> Assessed:
    """What a kept file says of itself."""
    with place.open(name) as file:
        try:
            footer = pq.read_metadata(file)
            held = json.loads(footer.metadata[_AGGREGATES])
            errors = Aggregates.from_data(held).errors
            shard = footer.metadata[_SHARD].decode()
        except (pa.ArrowException, KeyError, ValueError, TypeError) as wrong:
            raise NotKept(
                f"`{name}` in `{place.address}` is no file of results: it was damaged since it was written; "
                "remove it, and the same command makes it anew"
            ) from wrong
        size = file.seek(0, 2)
    return Assessed(shard, name, footer.num_rows, errors, size, held)
