"""Texts and data that a command line names: as they stand, `@path` from a file, `-` from standard input."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import each_key_once, read_json

MAX_TEXT_BYTES = 10_000_000
"""Bytes of one text, of a check, or of one line of samples."""


class Texts:
    """Reads texts; standard input can be read once."""

    def __init__(self) -> None:
        self._is_stdin_read = False

    def read(self, given: str) -> str:
        """The text that was named, without the newline that ends a file; `@@` stands for a plain `@`."""
        if given == "-":
            return self._standard_input()
        if given.startswith("@@"):
            return given[1:]
        return _read_file(given[1:]) if given.startswith("@") else given

    def file(self, path: str) -> str:
        """What a file holds, whatever its name begins with; `-` is standard input."""
        return self._standard_input() if path == "-" else _read_file(path)

    def maybe(self, given: str | None) -> str | None:
        """The text that was named, if one was."""
        return None if given is None else self.read(given)

    def _standard_input(self) -> str:
        if self._is_stdin_read:
            raise SampleError("`-` was given twice; standard input can be read once")
        self._is_stdin_read = True
        return decoded(_read_limited(sys.stdin.buffer, "standard input"), "standard input")


def data_from(path: str) -> Any:
    """What a JSON file holds."""
    return read_json(_read_file(path), at=path)


def samples_from(path: str) -> Iterator[tuple[int, Sample]]:
    """Each sample of a file with one JSON object a line, with its line's number; `-` is standard input."""
    name = "standard input" if path == "-" else f"`{path}`"
    try:
        with sys.stdin.buffer if path == "-" else Path(path).open("rb") as lines:
            for number, line in numbered_lines(lines):
                yield number, _sample(line, f"line {number} of {name}")
    except OSError as error:
        raise unreadable(name, error) from error


def count_lines(path: str) -> int | None:
    """How many samples there may be; None when that cannot be known before."""
    if path == "-" or not Path(path).is_file():
        return None
    with Path(path).open("rb") as lines:
        return sum(1 for _ in numbered_lines(lines))


def numbered_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers; one that is too large comes in parts of that size."""
    number = 0
    while line := file.readline(MAX_TEXT_BYTES + 1):
        number += 1
        if line.strip():
            yield number, line


def json_in(line: bytes, where: str) -> Any:
    """What one line of JSON holds; `where` names it in messages."""
    if len(line) > MAX_TEXT_BYTES:
        raise SampleError(f"{where} is larger than {MAX_TEXT_BYTES:,} bytes")
    text = decoded(line, where)
    try:
        return json.loads(text, object_pairs_hook=each_key_once)
    except json.JSONDecodeError as error:
        raise SampleError(f"{where} is not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise SampleError(f"{where} is nested too deeply") from error
    except SpecError as error:
        raise SampleError(f"{where}: {error}") from error
    except ValueError as error:  # a number of thousands of digits, which is no JSONDecodeError
        raise SampleError(f"{where} is not JSON: {error}") from error


def decoded(content: bytes, name: str) -> str:
    """The bytes as a text, without the newline that ends it."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SampleError(
            f"{name} is not UTF-8: byte {error.start} is {content[error.start]:#04x}"
        ) from error
    return text.removesuffix("\n").removesuffix("\r")


def not_utf8(path: Path) -> SampleError:
    """Which line of a file is not UTF-8, and which byte of it."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                decoded(line, f"line {number} of `{path.name}`")
    except SampleError as error:
        return error
    return SampleError(f"`{path.name}` is not UTF-8")


def unreadable(name: str, wrong: Exception) -> SampleError:
    """Why a file could not be read."""
    reason = wrong.strerror if isinstance(wrong, OSError) and wrong.strerror else str(wrong)
    return SampleError(f"{name} cannot be read: {reason}")


def _sample(line: bytes, where: str) -> Sample:
    try:
        return Sample.from_data(json_in(line, where))
    except SpecError as error:
        raise SampleError(f"{where}: {error}") from error


def _read_file(path: str) -> str:
    try:
        with Path(path).open("rb") as file:
            return decoded(_read_limited(file, f"`{path}`"), f"`{path}`")
    except (OSError, ValueError) as error:
        if isinstance(error, SampleError):
            raise
        raise unreadable(f"`{path}`", error) from error


def _read_limited(file: BinaryIO, name: str) -> bytes:
    content = file.read(MAX_TEXT_BYTES + 1)
    if len(content) > MAX_TEXT_BYTES:
        raise SampleError(f"{name} is larger than {MAX_TEXT_BYTES:,} bytes")
    return content
