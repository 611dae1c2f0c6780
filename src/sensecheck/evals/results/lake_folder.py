"""The rows of a run as a folder of Parquet files with one schema, as Iceberg takes files in."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sensecheck.core.errors import SpecError
from sensecheck.evals.results.exporting import AT_ONCE, batches_of
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import Limits

FILE_ROWS = 1_000_000
NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
"""What the folder is called of rows without a value, as other tools call it."""


def export_folder(
    run: FinishedRun,
    path: Path,
    *,
    by: str | None = None,
    file_rows: int = FILE_ROWS,
    limits: Limits | None = None,
) -> int:
    """Write all rows to files of a new folder; how many there are.

    With `by` there is a folder for each value of that column, which the files hold too.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise SpecError(f"`{path}` wants to be a new folder; there is something already")
    first = () if by is None else (run.must_carry(by),)
    with (
        _new_folder(path) as folder,
        batches_of(run, limits or Limits(), by=first) as (schema, batches),
        _Parts(folder, schema, by, max(file_rows, AT_ONCE)) as parts,
    ):
        for batch in batches:
            for alike in _alike(batch, by):
                parts.write(alike)
        return parts.count


@dataclass(slots=True)
class _Parts:
    """One file after the other: the next one begins when one is full, or where the value changes."""

    folder: Path
    schema: pa.Schema
    by: str | None
    most: int
    count: int = 0
    _rows: int = 0
    _value: object = None
    _files: int = 0
    _writer: pq.ParquetWriter | None = None

    def __enter__(self) -> "_Parts":
        return self

    def __exit__(self, *_: object) -> None:
        if self._writer is not None:
            self._writer.close()

    def write(self, batch: pa.RecordBatch) -> None:
        """Add rows that have one value."""
        value = None if self.by is None else batch[self.by][0].as_py()
        if self._writer is None or value != self._value or self._rows + batch.num_rows > self.most:
            self._next(value)
        self._writer.write_batch(batch)  # type: ignore[union-attr]
        self._rows += batch.num_rows
        self.count += batch.num_rows

    def _next(self, value: object) -> None:
        self.__exit__()
        inside = self.folder
        if self.by is not None:
            named = NO_VALUE if value is None else quote(str(value), safe="")
            inside = self.folder / f"{quote(self.by, safe='')}={named}"
            inside.mkdir(exist_ok=True)
        name = inside / f"part-{self._files:05}.parquet"
        self._writer = pq.ParquetWriter(name, self.schema, compression="zstd")
        self._rows, self._value, self._files = 0, value, self._files + 1


def _alike(batch: pa.RecordBatch, by: str | None) -> Iterator[pa.RecordBatch]:
    """The rows of a sorted batch, parted where the value of a column changes."""
    if by is None:
        yield batch
        return
    start = 0
    for end in pc.run_end_encode(batch[by]).run_ends.to_pylist():
        yield batch.slice(start, end - start)
        start = end


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    """A folder beside the place, and put there at the end."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        beside.mkdir(parents=True)
        yield beside
        if path.exists():
            path.rmdir()
        beside.rename(path)
    except OSError as wrong:
        raise SpecError(f"`{path}` cannot be written: {wrong.strerror or wrong}") from wrong
    finally:
        shutil.rmtree(beside, ignore_errors=True)
