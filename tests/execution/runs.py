"""Small large runs: rows with duplicates, and workers whose encoder is quick, or deadly."""

import os
import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.core.backends import Backends, Embedding
from sensecheck.core.errors import Unreachable
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.execution.driver import Progress, Worker, run_shards
from sensecheck.execution.executor import Executor, Inline
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.manifest import Manifest, manifest_in, plan_in
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import plan_run
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder

ORDER = TableOrder(
    ("semantic_similarity", "squad_token_f1"), (), {"answer": "answer", "expected": "expected", "id": "id"}
)
POISON = "poison"


@dataclass(frozen=True, slots=True)
class Encoder:
    """Places texts by their letters, unless one of them is the poison: then something happens."""

    deed: str = ""
    inner: HashingEncoder = field(default_factory=HashingEncoder)
    name: str = "test"
    fingerprint: str = "test"
    dimension: int = 256

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding a text, in order."""
        if any(POISON in text for text in texts):
            _DEEDS[self.deed]()
        return self.inner.encode(texts, tokens=tokens)


def _raise() -> None:
    raise ZeroDivisionError("poison: a text that nobody may read in a message")


def _be_away() -> None:
    raise Unreachable("`http://localhost:1` does not answer")


_DEEDS: Mapping[str, Callable[[], Any]] = {
    "": lambda: None,
    "raise": _raise,
    "be away": _be_away,
    "exit": lambda: os._exit(7),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


def make(address: str, deed: str = "") -> Worker:
    """A worker for the run at an address."""
    place = location_of(address)
    plan = plan_in(place)
    return Worker(place, plan, Assessor(plan.order, Backends(Encoder(deed))))


def pairs(count: int) -> list[dict[str, Any]]:
    """Rows of which many share an answer, or what was expected."""
    return [
        {
            "id": f"q{number}",
            "expected": f"the museum number {number % 97} opens at {number % 13}",
            "answer": f"museum {number % 89} opens at {number % 11}",
            "topic": f"t{number % 3}",
        }
        for number in range(count)
    ]


def written(path: Path, rows: Sequence[Mapping[str, Any]]) -> str:
    """A Parquet file of these rows."""
    pq.write_table(pa.Table.from_pylist([dict(row) for row in rows]), path, row_group_size=500)
    return str(path)


def planned(addresses: Iterable[str], *, shard_rows: int = 200, order: TableOrder = ORDER) -> RunPlan:
    """A run of many small shards."""
    readers = {"encoder": "test"}
    return plan_run(order, readers, list(addresses), shard_rows=shard_rows, carried=("id", "topic"))


def driven(
    place: StorageLocation, plan: RunPlan, executor: Executor | None = None, deed: str = ""
) -> list[Progress]:
    """All steps of a run."""
    work = partial(make, place.address, deed)
    return list(run_shards(place, plan, Inline() if executor is None else executor, work))


def manifest_of(place: StorageLocation) -> Manifest:
    """The manifest, which is there."""
    manifest = manifest_in(place)
    assert manifest is not None
    return manifest


def results_in(place: StorageLocation) -> pa.Table:
    """All rows that the manifest tells of, in the order of the inputs."""
    tables = []
    for entry in manifest_of(place).entries:
        with place.open(entry.name) as file:
            tables.append(pq.read_table(file).replace_schema_metadata(None))
            assert (tables[-1].num_rows, file.seek(0, 2)) == (entry.rows, entry.size)
    whole = pa.concat_tables(tables)
    return whole.sort_by([("_input", "ascending"), ("_row", "ascending")]).combine_chunks()


def as_bytes(table: pa.Table) -> bytes:
    """A table to the bit."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    content: bytes = sink.getvalue().to_pybytes()
    return content
