"""The rows of a run in the order of its inputs, for other tools: as Parquet, or one by one as plain data."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import Limits, tables
from sensecheck.io.atomic import whole_binary_file

TABLE = "results"
AT_ONCE = 10_000
Batches = Iterator[pa.RecordBatch]


@contextmanager
def batches_of(run: FinishedRun, limits: Limits) -> Iterator[tuple[pa.Schema, Batches]]:
    """The columns, and all rows as they come."""
    with tables({TABLE: run}, limits) as connection:
        reader = connection.sql(f"FROM {TABLE} ORDER BY _input, _row").to_arrow_reader(AT_ONCE)
        yield reader.schema, iter(reader)


def export_parquet(run: FinishedRun, path: Path, *, limits: Limits | None = None) -> int:
    """Write all rows to one file, in whole or not at all; how many there are."""
    count = 0
    with (
        batches_of(run, limits or Limits()) as (schema, batches),
        whole_binary_file(path) as file,
        pq.ParquetWriter(file, schema, compression="zstd") as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
            count += batch.num_rows
    return count


@contextmanager
def plain_rows(
    run: FinishedRun, *, limits: Limits | None = None
) -> Iterator[tuple[list[str], Iterator[dict[str, Any]]]]:
    """The names of the columns, and the rows as they come, ready for JSON."""
    with batches_of(run, limits or Limits()) as (schema, batches):
        rows = (row for batch in batches for row in batch.to_pylist())
        yield schema.names, ({name: _plain(value) for name, value in row.items()} for row in rows)


def _plain(value: Any) -> Any:
    """As JSON has it: what is no finite number is null, and a moment is a text."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, date | time):
        return value.isoformat()
    return value if value is None or isinstance(value, str | int) else str(value)
