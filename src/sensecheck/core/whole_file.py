"""Files that are there in whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sensecheck.core.errors import SensecheckError, SpecError


@contextmanager
def whole_file(path: Path, *, errors: str = "strict") -> Iterator[TextIO]:
    """A file to write beside its place, and put there at the end; folders on the way are made."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with beside.open("w", encoding="utf-8", errors=errors, newline="\n") as file:
            yield file
        beside.replace(path)
    except SensecheckError:  # of what was to be written; it says so itself
        raise
    except OSError as wrong:
        raise SpecError(f"`{path}` cannot be written: {wrong.strerror or wrong}") from wrong
    except UnicodeEncodeError as wrong:  # half of a pair of surrogates; its text may be a user's
        raise SpecError(
            f"`{path}` cannot be written: it would hold {wrong.object[wrong.start]!a}, half a character that "
            "no file can hold; mend it in the data"
        ) from wrong
    except ValueError as wrong:
        raise SpecError(f"`{path}` cannot be written: {wrong}") from wrong
    finally:
        _remove(beside)


def _remove(beside: Path) -> None:
    """Take away what was not put in its place; where nothing could be made, there is nothing to take."""
    with contextlib.suppress(OSError, ValueError):
        beside.unlink(missing_ok=True)
