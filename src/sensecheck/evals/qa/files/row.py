"""A row of a file, whatever the file's format."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sensecheck.core.errors import SampleError


class FileRow(NamedTuple):
    """The named values of a row, and where it stands."""

    where: str
    """`line 3 of `questions.jsonl``, for messages."""
    values: Mapping[str, object]
    is_cells: bool = False
    """Whether all values are texts of a table, in which an empty one is nothing."""


def must_be_a_header(names: Sequence[str], file: str) -> None:
    """Raise unless each column has a name of its own."""
    for column, count in Counter(names).items():
        if not column or count > 1:
            which = "twice" if column else "an empty one"
            raise SampleError(f"the header of `{file}` wants names that differ; found `{column}` ({which})")
