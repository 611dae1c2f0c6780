"""Rows of a Parquet file, a batch of them in memory at a time."""

from collections.abc import Iterator
from pathlib import Path

from sensecheck.core.errors import SampleError
from sensecheck.core.extras import extra
from sensecheck.evals.qa.files.row import FileRow, must_be_a_header

AT_ONCE = 512
BUFFER = 1_000_000
"""Bytes of a column that are read ahead; without it, all of a row group is held."""


def parquet_rows(path: Path) -> Iterator[FileRow]:
    """Each row, counted from 1."""
    with extra("parquet"):
        from pyarrow import ArrowException  # noqa: PLC0415 - an extra
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415
    number = 0
    try:
        with ParquetFile(path, buffer_size=BUFFER) as file:
            must_be_a_header(file.schema_arrow.names, path.name)
            for batch in file.iter_batches(batch_size=AT_ONCE):
                for values in batch.to_pylist():
                    number += 1
                    yield FileRow(f"row {number} of `{path.name}`", values)
    except ArrowException as wrong:
        raise SampleError(f"`{path.name}` cannot be read after row {number}: {wrong}") from wrong
