"""Rows of JSON lines, CSV and Parquet files, each with its place for messages.

`rows_of` reads them one after the other; `LoadedRows` holds all rows of a file, and takes standard input too.
"""

import csv
import hashlib
import io
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import read_json
from sensecheck.datasets.streams import (
    MAX_TEXT_BYTES,
    decoded,
    json_in,
    not_utf8,
    numbered_lines,
    unreadable,
)

MAX_CELL_CHARS = 10_000_000
"""Characters."""
_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars"}
"""What other tables than ours have between their columns."""
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
        if Path(path).suffix.lower() == ".csv":
            table = io.StringIO(decoded(content, f"`{name}`"), newline="")
            rows = tuple(_filled_cells(row, header) for row in _table(table, name, header))
        else:
            rows = tuple(_objects(io.BytesIO(content), name, _finite_json))
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
    suffixes = ", ".join(f"`{suffix}`" for suffix in READERS)
    if path.is_dir():
        raise SpecError(
            f"`{path}` must be a file; got a folder; name a file that ends with one of {suffixes}"
        )
    if path.suffix.lower() not in READERS:
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
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield from (row for row in _table(file, path.name, []) if row.values)
    except UnicodeDecodeError as error:
        raise not_utf8(path) from error


def json_lines(path: Path) -> Iterator[FileRow]:
    """Each line that is not empty."""
    with path.open("rb") as file:
        yield from _objects(file, path.name, _strict_json)


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


def _objects(lines: BinaryIO, name: str, read: Callable[[bytes, str], Any]) -> Iterator[FileRow]:
    """An object for each line that is not empty."""
    for number, line in numbered_lines(lines):
        where = f"line {number} of `{name}`"
        record = read(line, where)
        if not isinstance(record, dict):
            raise SampleError(f"{where} must be an object such as {{…}}; got {type(record).__name__}")
        yield FileRow(where, record)


def _strict_json(line: bytes, where: str) -> Any:
    if len(line) > MAX_TEXT_BYTES:
        raise SampleError(f"{where} is larger than {MAX_TEXT_BYTES:,} bytes")
    try:
        return read_json(line.decode("utf-8-sig"), at="it")
    except UnicodeDecodeError as error:
        raise SampleError(f"{where} is not UTF-8: byte {error.start} is {line[error.start]:#04x}") from error
    except SpecError as error:
        message = str(error).removeprefix("`it` ").removeprefix("in `it`: ")
        raise SampleError(f"{where}: {message}") from error


def _finite_json(line: bytes, where: str) -> Any:
    record = json_in(line, where)
    for column, value in record.items() if isinstance(record, dict) else ():
        if isinstance(value, float) and not math.isfinite(value):
            raise SampleError(f"{where}: `{column}` must be a finite number; got {value}")
    return record


def _table(lines: Iterable[str], name: str, header: list[str]) -> Iterator[FileRow]:
    """The rows of a table, whose header is filled in; a blank line has no values."""
    reader = csv.reader(lines, strict=True)
    try:
        header += next(reader, [])
        _validate_header(header, name)
        if len(header) == 1 and (found := [word for sign, word in _SEPARATORS.items() if sign in header[0]]):
            raise SampleError(f"the columns of `{name}` must be separated by commas; got {found[0]}")
        for cells in reader:
            where = f"line {reader.line_num} of `{name}`"
            if cells and len(cells) != len(header):
                raise SampleError(f"{where} has {len(cells)} cells; the header has {len(header)}")
            yield FileRow(where, dict(zip(header, cells, strict=False)), is_cells=True)
    except csv.Error as error:
        raise SampleError(f"line {reader.line_num} of `{name}` is no row of a table: {error}") from error


def _filled_cells(row: FileRow, header: Sequence[str]) -> FileRow:
    """The same, where an empty cell is a value that is not there, except for an empty answer."""
    if not row.values:
        raise SampleError(f"{row.where} has 0 cells; the header has {len(header)}")
    values = {key: cell for key, cell in row.values.items() if cell or key == "answer"}
    return FileRow(row.where, values | ({"passages": [values["passages"]]} if "passages" in values else {}))


def _validate_header(names: Sequence[str], file: str) -> None:
    """Raise unless each column has a name of its own."""
    for column, count in Counter(names).items():
        if not column or count > 1:
            which = "twice" if column else "an empty one"
            raise SampleError(f"the header of `{file}` must have names that differ; got `{column}` ({which})")
