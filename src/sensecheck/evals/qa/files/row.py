"""A row of a file, whatever the file's format."""

from collections.abc import Mapping
from typing import NamedTuple


class FileRow(NamedTuple):
    """The named values of a row, and where it stands."""

    where: str
    """`line 3 of `questions.jsonl``, for messages."""
    values: Mapping[str, object]
    is_cells: bool = False
    """Whether all values are texts of a table, in which an empty one is nothing."""
