"""Texts that are written to a file in whole or not at all."""

from pathlib import Path

from sensecheck.core.whole_file import whole_file


def write_whole(path: Path, text: str) -> None:
    """Write a file beside its place and then put it there; folders on the way are made."""
    with whole_file(path) as file:
        file.write(text)
