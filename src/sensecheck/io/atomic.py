"""Files that appear complete or not at all.

A file is written next to its place and moved there at the end, so that is not read half of it.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, TextIO

from sensecheck.core.errors import SensecheckError, SpecError


def write_whole(path: Path, text: str) -> None:
    """Write a file next to its place and then put it there; folders on the way are made."""
    with whole_file(path) as file:
        file.write(text)


@contextmanager
def whole_file(path: Path, *, errors: str = "strict") -> Iterator[TextIO]:
    """A file to write next to its place, and put there at the end; folders on the way are made."""
    with (
        _put_in_place(path) as temporary,
        temporary.open("w", encoding="utf-8", errors=errors, newline="\n") as file,
    ):
        yield file


@contextmanager
def whole_binary_file(path: Path) -> Iterator[BinaryIO]:
    """The same for bytes; they are on the disk before they are put in place."""
    with _put_in_place(path) as temporary, temporary.open("wb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _put_in_place(path: Path) -> Iterator[Path]:
    """A path to write to; what is there at the end goes to its place, and what went wrong is raised."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        temporary.replace(path)
    except SensecheckError:  # of what was to be written; it says so itself
        raise
    except OSError as error:
        raise SpecError(f"`{path}` cannot be written: {error.strerror or error}") from error
    except UnicodeEncodeError as error:  # half of a pair of surrogates; its text may be a user's
        raise SpecError(
            f"`{path}` cannot be written: it would hold {error.object[error.start]!a}, half a character that "
            "no file can hold; fix it in the data"
        ) from error
    except ValueError as error:
        raise SpecError(f"`{path}` cannot be written: {error}") from error
    finally:
        with suppress(OSError, ValueError):  # where nothing could be made, there is nothing to remove
            temporary.unlink(missing_ok=True)
