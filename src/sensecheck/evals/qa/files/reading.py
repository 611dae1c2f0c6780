"""The rows of a file, by the end of its name."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.evals.qa.files.csv_table import csv_rows
from sensecheck.evals.qa.files.json_lines import json_lines
from sensecheck.evals.qa.files.parquet import parquet_rows
from sensecheck.evals.qa.files.row import FileRow

READERS: dict[str, Callable[[Path], Iterator[FileRow]]] = {
    ".jsonl": json_lines,
    ".ndjson": json_lines,
    ".csv": csv_rows,
    ".parquet": parquet_rows,
}


def must_be_rows(path: Path) -> None:
    """Raise unless the name is that of a file of rows which is there."""
    if path.suffix.lower() not in READERS:
        wanted = ", ".join(f"`{suffix}`" for suffix in READERS)
        raise SpecError(f"`{path}` wants a name that ends with one of {wanted}")
    if not path.is_file():
        raise SpecError(f"`{path}` is no file" if path.exists() else f"`{path}` is not there")


def rows_of(path: Path) -> Iterator[FileRow]:
    """Each row, read as it is wanted."""
    must_be_rows(path)
    try:
        yield from READERS[path.suffix.lower()](path)
    except OSError as wrong:
        raise SampleError(f"`{path}` cannot be read: {wrong.strerror or wrong}") from wrong


def digest_of_file(path: Path) -> str:
    """Changes whenever a byte of the file does."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
