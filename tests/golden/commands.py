"""Every command of the command line, walked from its root."""

from collections.abc import Iterator
from typing import Any

import typer.main

from sensecheck.cli.main import app

Words = tuple[str, ...]


def commands() -> dict[Words, Any]:
    """Each command and group by its words; the root has none."""
    return dict(_walked((), typer.main.get_command(app)))


def file_name(words: Words, ending: str) -> str:
    """The golden file of a command."""
    return f"{'-'.join(words) or 'sensecheck'}.{ending}"


def _walked(words: Words, command: Any) -> Iterator[tuple[Words, Any]]:
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _walked((*words, name), inner)
