"""Rows of a file: JSON objects, one a line; or a table with a header, where the name ends in `.csv`."""

import csv
import hashlib
import io
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensecheck.cli.inputs import decoded, json_in, unreadable
from sensecheck.core.errors import SampleError


@dataclass(frozen=True, slots=True)
class Row:
    """The named values of one row, and where it stands."""

    where: str
    """`line 3 of labels.jsonl`, for messages."""
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of a file, and what the file is known by."""

    name: str
    sha256: str
    rows: tuple[Row, ...]
    header: tuple[str, ...] = ()
    """The columns of a table, also those whose cells are all empty."""

    @classmethod
    def of(cls, path: str) -> "Rows":
        """The rows of a file; `-` is standard input. They are all read before the slow work begins."""
        name = "standard input" if path == "-" else Path(path).name
        try:
            content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        except (OSError, ValueError) as wrong:
            raise unreadable(f"`{path}`", wrong) from wrong
        header: list[str] = []
        found = (
            _table(content, name, header) if Path(path).suffix.lower() == ".csv" else _objects(content, name)
        )
        rows = tuple(found)
        if not rows:
            raise SampleError(f"`{name}` holds no rows")
        return cls(name, hashlib.sha256(content).hexdigest(), rows, tuple(header))

    def columns(self) -> tuple[str, ...]:
        """Every column that some row has, in the order in which they are met."""
        return tuple(dict.fromkeys(column for row in self.rows for column in row.values))


def _objects(content: bytes, name: str) -> Iterator[Row]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            where = f"line {number} of `{name}`"
            yield Row(where, _object(line, where))


def _object(line: bytes, where: str) -> dict[str, Any]:
    found = json_in(line, where)
    if not isinstance(found, dict):
        raise SampleError(f"{where} wants an object such as {{…}}; found {type(found).__name__}")
    for column, value in found.items():
        if isinstance(value, float) and not math.isfinite(value):
            raise SampleError(f"{where}: `{column}` wants a finite number; found {value}")
    return found


def _table(content: bytes, name: str, header: list[str]) -> Iterator[Row]:
    """The rows of a table, whose header is filled in.

    An empty cell is a value that is not there, except for an empty answer.
    """
    reader = csv.reader(io.StringIO(decoded(content, f"`{name}`"), newline=""), strict=True)
    try:
        header += next(reader, [])
        _must_be_a_header(header, name)
        for cells in reader:
            where = f"line {reader.line_num} of `{name}`"
            if len(cells) != len(header):
                raise SampleError(f"{where} has {len(cells)} cells; the header has {len(header)}")
            values = {key: cell for key, cell in zip(header, cells, strict=True) if cell or key == "answer"}
            yield Row(where, values | ({"passages": [values["passages"]]} if "passages" in values else {}))
    except csv.Error as wrong:
        raise SampleError(f"line {reader.line_num} of `{name}` is no row of a table: {wrong}") from wrong


def _must_be_a_header(header: list[str], name: str) -> None:
    met: set[str] = set()
    for column in header:
        if not column or column in met:
            twice = "twice" if column else "an empty one"
            raise SampleError(f"the header of `{name}` wants names that differ; found `{column}` ({twice})")
        met.add(column)
