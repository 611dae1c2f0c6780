"""Rows of a file: JSON objects, one a line; or a table with a header, where the name ends in `.csv`."""

import csv
import hashlib
import io
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensecheck.cli.inputs import LARGEST
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.strict_json import each_key_once


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

    @classmethod
    def of(cls, path: str) -> "Rows":
        """The rows of a file; `-` is standard input. They are all read before the slow work begins."""
        name = "standard input" if path == "-" else Path(path).name
        try:
            content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        except (OSError, ValueError) as wrong:
            reason = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
            raise SampleError(f"`{path}` cannot be read: {reason}") from wrong
        found = _table(content, name) if Path(path).suffix.lower() == ".csv" else _objects(content, name)
        rows = tuple(found)
        if not rows:
            raise SampleError(f"`{name}` holds no rows")
        return cls(name, hashlib.sha256(content).hexdigest(), rows)

    def columns(self) -> tuple[str, ...]:
        """Every column that some row has, in the order in which they are met."""
        return tuple(dict.fromkeys(column for row in self.rows for column in row.values))


def _objects(content: bytes, name: str) -> Iterator[Row]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            where = f"line {number} of `{name}`"
            yield Row(where, _object(line, where))


def _object(line: bytes, where: str) -> dict[str, Any]:
    if len(line) > LARGEST:
        raise SampleError(f"{where} is larger than {LARGEST:,} bytes")
    try:
        found = json.loads(_decoded(line, where), object_pairs_hook=each_key_once)
    except json.JSONDecodeError as wrong:
        raise SampleError(f"{where} is not JSON: {wrong.msg} at character {wrong.pos + 1}") from wrong
    except RecursionError as wrong:
        raise SampleError(f"{where} is nested too deeply") from wrong
    except SpecError as wrong:
        raise SampleError(f"{where}: {wrong}") from wrong
    if not isinstance(found, dict):
        raise SampleError(f"{where} wants an object such as {{…}}; found {type(found).__name__}")
    return found


def _table(content: bytes, name: str) -> Iterator[Row]:
    """The rows of a table; an empty cell is a value that is not there, except for an empty answer."""
    reader = csv.reader(io.StringIO(_decoded(content, f"`{name}`"), newline=""), strict=True)
    try:
        header = next(reader, [])
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
    for column in header:
        if not column or header.count(column) > 1:
            raise SampleError(f"the header of `{name}` wants names that differ; found `{column}`")


def _decoded(content: bytes, where: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        byte = content[wrong.start]
        raise SampleError(f"{where} is not UTF-8: byte {wrong.start} is {byte:#04x}") from wrong
