"""Files that are there in whole or not at all."""

import os
from pathlib import Path

from sensecheck.core.errors import SpecError


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and then put it there; folders on the way are made."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8", newline="\n")
        beside.replace(path)
    except OSError as wrong:
        if beside.exists():
            beside.unlink()
        raise SpecError(f"`{path}` cannot be written: {wrong.strerror or wrong}") from wrong
