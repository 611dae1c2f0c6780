"""Rows of a file with one JSON object a line."""

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import read_json
from sensecheck.evals.qa.files.row import FileRow

LARGEST = 10_000_000
"""Bytes of one line."""


def json_lines(path: Path) -> Iterator[FileRow]:
    """Each line that is not empty."""
    with path.open("rb") as file:
        for number, line in _lines(file):
            where = f"line {number} of `{path.name}`"
            yield FileRow(where, _object(line, where))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while line := file.readline(LARGEST + 1):
        number += 1
        if line.strip():
            yield number, line


def _object(line: bytes, where: str) -> dict[str, object]:
    if len(line) > LARGEST:
        raise SampleError(f"{where} is larger than {LARGEST:,} bytes")
    try:
        found = read_json(line.decode("utf-8-sig"), at="it")
    except UnicodeDecodeError as wrong:
        raise SampleError(f"{where} is not UTF-8: byte {wrong.start} is {line[wrong.start]:#04x}") from wrong
    except SpecError as wrong:
        said = str(wrong).removeprefix("`it` ").removeprefix("in `it`: ")
        raise SampleError(f"{where}: {said}") from wrong
    if not isinstance(found, dict):
        raise SampleError(f"{where} wants an object such as {{…}}; found {type(found).__name__}")
    return found
