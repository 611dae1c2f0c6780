"""A row of a table for spreadsheets, in which nothing is a formula."""

import csv
import io
import re
from collections.abc import Iterable

Cell = str | int | float | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with when a spreadsheet would calculate it."""
_END = "\r\n"
"""The writer puts a cell in quotes if it holds a character of the line's end."""
_UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")


def csv_row(cells: Iterable[Cell]) -> str:
    """The cells as one line, with its end."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator=_END).writerow([_safe(cell) for cell in cells])
    return buffer.getvalue().removesuffix(_END) + "\n"


def _safe(cell: Cell) -> str:
    """A number as it is; a text such that it stays one."""
    if not isinstance(cell, str):
        return "" if cell is None else repr(cell)
    text = _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", cell)
    return f"'{text}" if text.startswith(_FORMULA) else text
