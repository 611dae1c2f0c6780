"""Rows written to a file as they come, by its columns: JSON lines, a table for spreadsheets, or Parquet."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from sensecheck.core.extras import extra
from sensecheck.io.atomic import whole_binary_file, whole_file
from sensecheck.io.csv import csv_row

# ruff: noqa: PLC0415 - an extra

Columns = Mapping[str, type]
"""The name of each column, and what it holds; any cell may be empty."""
Row = Mapping[str, Any]
"""What there is by the name of its column; a column that is not named is empty."""
AT_ONCE = 10_000


def write_rows(path: Path, columns: Columns, rows: Iterable[Row]) -> int:
    """Write all rows by the file's ending, in whole or not at all; how many there are."""
    write = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}[path.suffix]
    return write(path, columns, ({name: row.get(name) for name in columns} for row in rows))


def _jsonl(path: Path, columns: Columns, rows: Iterable[Row]) -> int:
    """What is not there is null."""
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    return _lines(path, lines)


def _csv(path: Path, columns: Columns, rows: Iterable[Row]) -> int:
    """What is not there is an empty cell."""

    def lines() -> Iterator[str]:
        yield csv_row(columns)
        yield from (csv_row(row.values()) for row in rows)

    return _lines(path, lines()) - 1


def _lines(path: Path, lines: Iterable[str]) -> int:
    count = 0
    with whole_file(path, errors="backslashreplace") as file:
        for count, line in enumerate(lines, 1):  # noqa: B007 - how many there were
            file.write(line)
    return count


def _parquet(path: Path, columns: Columns, rows: Iterable[Row]) -> int:
    with extra("parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    kinds = {str: pa.string(), float: pa.float64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    count, coming = 0, iter(rows)
    with whole_binary_file(path) as file, pq.ParquetWriter(file, schema) as writer:
        while some := list(islice(coming, AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(some, schema=schema))
            count += len(some)
    return count
