"""Rows of JSON lines, CSV and Parquet files, each with its place for messages.

`rows_of` reads them one after the other; `LoadedRows` holds all rows of a file, and takes standard input too.
"""

import csv
import hashlib
import io
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import read_json
from sensecheck.datasets.streams import MAX_TEXT_BYTES, decoded, json_in, numbered_lines, unreadable

MAX_CELL_CHARS = 10_000_000
"""Characters."""
PARQUET_BATCH = 512
"""Rows that are in memory at a time."""
PARQUET_BUFFER = 1_000_000
"""Bytes of a column that are read ahead; without it, all of a row group is held."""


class FileRow(NamedTuple):
    """The named values of a row, and where it stands."""

    where: str
    """`line 3 of `questions.jsonl``, for messages."""
    values: Mapping[str, Any]
    is_cells: bool = False
    """Whether all values are texts of a table, in which an empty one is nothing."""


@dataclass(frozen=True, slots=True)
class LoadedRows:
    """All rows of a file, and what the file is known by."""

    name: str
    sha256: str
    rows: tuple[FileRow, ...]
    header: tuple[str, ...] = ()
    """The columns of a table, also those whose cells are all empty."""

    @classmethod
    def of(cls, path: str) -> "LoadedRows":
        """The rows of a file; `-` is standard input. They are all read before the slow work begins."""
        name = "standard input" if path == "-" else Path(path).name
        try:
            content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        except (OSError, ValueError) as error:
            raise unreadable(f"`{path}`", error) from error
        header: list[str] = []
        row_iterator = (
            _table(content, name, header) if Path(path).suffix.lower() == ".csv" else _objects(content, name)
        )
        rows = tuple(row_iterator)
        if not rows:
            raise SampleError(f"`{name}` holds no rows")
        return cls(name, hashlib.sha256(content).hexdigest(), rows, tuple(header))

    def columns(self) -> tuple[str, ...]:
        """Every column that some row has, in the order in which they are met."""
        return tuple(dict.fromkeys(column for row in self.rows for column in row.values))


def rows_of(path: Path) -> Iterator[FileRow]:
    """Each row, read as it is wanted."""
    validate_rows_file(path)
    try:
        yield from READERS[path.suffix.lower()](path)
    except OSError as error:
        raise SampleError(f"`{path}` cannot be read: {error.strerror or error}") from error


def validate_rows_file(path: Path) -> None:
    """Raise unless the name is that of a file of rows which is there."""
    if path.suffix.lower() not in READERS:
        suffixes = ", ".join(f"`{suffix}`" for suffix in READERS)
        raise SpecError(f"`{path}` must have a name that ends with one of {suffixes}")
    if not path.is_file():
        raise SpecError(f"`{path}` is no file" if path.exists() else f"`{path}` is not there")


def digest_of_file(path: Path) -> str:
    """Changes whenever a byte of the file does."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def csv_rows(path: Path) -> Iterator[FileRow]:
    """Each row below the header."""
    csv.field_size_limit(MAX_CELL_CHARS)
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.reader(file, strict=True)
        try:
            header = next(table, [])
            _validate_header(header, path.name)
            for cells in table:
                if cells:
                    yield _csv_row(header, cells, f"line {table.line_num} of `{path.name}`")
        except csv.Error as error:
            where = f"line {table.line_num} of `{path.name}`"
            raise SampleError(f"{where} is no row of a table: {error}") from error
        except UnicodeDecodeError as error:
            raise SampleError(f"`{path.name}` is not UTF-8 after line {table.line_num}") from error


def json_lines(path: Path) -> Iterator[FileRow]:
    """Each line that is not empty."""
    with path.open("rb") as file:
        for number, line in numbered_lines(file):
            where = f"line {number} of `{path.name}`"
            yield FileRow(where, _json_object(line, where))


def parquet_rows(path: Path) -> Iterator[FileRow]:
    """Each row, counted from 1."""
    with extra("parquet"):
        from pyarrow import ArrowException  # noqa: PLC0415 - an extra
        from pyarrow.parquet import ParquetFile  # noqa: PLC0415
    number = 0
    try:
        with ParquetFile(path, buffer_size=PARQUET_BUFFER) as file:
            _validate_header(file.schema_arrow.names, path.name)
            for batch in file.iter_batches(batch_size=PARQUET_BATCH):
                for values in batch.to_pylist():
                    number += 1
                    yield FileRow(f"row {number} of `{path.name}`", values)
    except ArrowException as error:
        raise SampleError(f"`{path.name}` cannot be read after row {number}: {error}") from error


READERS: dict[str, Callable[[Path], Iterator[FileRow]]] = {
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".csv": csv_rows,
    ".parquet": parquet_rows,
}


def _csv_row(header: list[str], cells: list[str], where: str) -> FileRow:
    if len(cells) != len(header):
        raise SampleError(f"{where} has {len(cells)} cells; the header has {len(header)}")
    return FileRow(where, dict(zip(header, cells, strict=True)), is_cells=True)


def _json_object(line: bytes, where: str) -> dict[str, object]:
    if len(line) > MAX_TEXT_BYTES:
        raise SampleError(f"{where} is larger than {MAX_TEXT_BYTES:,} bytes")
    try:
        record = read_json(line.decode("utf-8-sig"), at="it")
    except UnicodeDecodeError as error:
        raise SampleError(f"{where} is not UTF-8: byte {error.start} is {line[error.start]:#04x}") from error
    except SpecError as error:
        message = str(error).removeprefix("`it` ").removeprefix("in `it`: ")
        raise SampleError(f"{where}: {message}") from error
    if not isinstance(record, dict):
        raise SampleError(f"{where} must be an object such as {{…}}; got {type(record).__name__}")
    return record


def _objects(content: bytes, name: str) -> Iterator[FileRow]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            where = f"line {number} of `{name}`"
            yield FileRow(where, _object(line, where))


def _object(line: bytes, where: str) -> dict[str, Any]:
    record = json_in(line, where)
    if not isinstance(record, dict):
        raise SampleError(f"{where} must be an object such as {{…}}; got {type(record).__name__}")
    for column, value in record.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise SampleError(f"{where}: `{column}` must be a finite number; got {value}")
    return record


def _table(content: bytes, name: str, header: list[str]) -> Iterator[FileRow]:
    """The rows of a table, whose header is filled in.

    An empty cell is a value that is not there, except for an empty answer.
    """
    reader = csv.reader(io.StringIO(decoded(content, f"`{name}`"), newline=""), strict=True)
    try:
        header += next(reader, [])
        _validate_header(header, name)
        for cells in reader:
            where = f"line {reader.line_num} of `{name}`"
            if len(cells) != len(header):
                raise SampleError(f"{where} has {len(cells)} cells; the header has {len(header)}")
            values = {key: cell for key, cell in zip(header, cells, strict=True) if cell or key == "answer"}
            yield FileRow(
                where, values | ({"passages": [values["passages"]]} if "passages" in values else {})
            )
    except csv.Error as error:
        raise SampleError(f"line {reader.line_num} of `{name}` is no row of a table: {error}") from error


def _validate_header(names: Sequence[str], file: str) -> None:
    """Raise unless each column has a name of its own."""
    for column, count in Counter(names).items():
        if not column or count > 1:
            which = "twice" if column else "an empty one"
            raise SampleError(f"the header of `{file}` must have names that differ; got `{column}` ({which})")
