"""Rows of a table with a header, whose cells are parted by commas."""

import csv
from collections.abc import Iterator
from pathlib import Path

from sensecheck.core.errors import SampleError
from sensecheck.evals.qa.files.row import FileRow, must_be_a_header

LONGEST_CELL = 10_000_000


def csv_rows(path: Path) -> Iterator[FileRow]:
    """Each row below the header."""
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.reader(file, strict=True)
        try:
            header = next(table, [])
            must_be_a_header(header, path.name)
            for cells in table:
                if cells:
                    yield _row(header, cells, f"line {table.line_num} of `{path.name}`")
        except csv.Error as wrong:
            where = f"line {table.line_num} of `{path.name}`"
            raise SampleError(f"{where} is no row of a table: {wrong}") from wrong
        except UnicodeDecodeError as wrong:
            raise SampleError(f"`{path.name}` is not UTF-8 after line {table.line_num}") from wrong


def _row(header: list[str], cells: list[str], where: str) -> FileRow:
    if len(cells) != len(header):
        raise SampleError(f"{where} has {len(cells)} cells; the header has {len(header)}")
    return FileRow(where, dict(zip(header, cells, strict=True)), is_cells=True)
