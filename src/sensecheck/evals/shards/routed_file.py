"""A file of routed rows: batches of one bucket each, and at the end a list of them.

Arrow's own format instead of Parquet: it finds a batch without reading about all the others, of which a large
run has thousands in a file.
"""

from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from sensecheck.evals.shards.column_kinds import INPUT, ROW
from sensecheck.evals.shards.tasks import Groups

PACKED = pa.ipc.IpcWriteOptions(compression="lz4")
NUMBERS = "i"
"""How an array holds buckets and counts of rows, neither of which comes near two billion."""


def write_routed(path: Path, schema: pa.Schema, routed: Iterable[tuple[int, pa.RecordBatch]]) -> Groups:
    """Write batches with their buckets, as they come."""
    groups = Groups(array(NUMBERS), array(NUMBERS))
    with path.open("wb") as file, pa.ipc.new_file(file, schema, options=PACKED) as writer:
        for bucket, batch in routed:
            writer.write_batch(batch)
            groups.buckets.append(bucket)
            groups.rows.append(batch.num_rows)
        writer.write_batch(_listed(groups, schema))
    return groups


def groups_in(file: BinaryIO) -> Groups:
    """Which batches are there."""
    with pa.ipc.open_file(file) as reader:
        last = reader.get_batch(reader.num_record_batches - 1)
    return Groups(array(NUMBERS, last[INPUT].to_pylist()), array(NUMBERS, last[ROW].to_pylist()))


def batches_in(file: BinaryIO, numbers: Sequence[int]) -> list[pa.RecordBatch]:
    """Some of the batches; no others are read."""
    with pa.ipc.open_file(file) as reader:
        return [reader.get_batch(number) for number in numbers]


def _listed(groups: Groups, schema: pa.Schema) -> pa.RecordBatch:
    """The list as one more batch, since nothing else can be added at the end: buckets, and counts of rows."""
    told, count = {INPUT: groups.buckets, ROW: groups.rows}, len(groups.rows)
    columns = [
        pa.array(told[field.name], field.type) if field.name in told else pa.nulls(count, field.type)
        for field in schema
    ]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
