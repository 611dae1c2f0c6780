"""Machine-readable output: the same bytes every time, whatever the terminal."""

import json
from typing import Any

import typer


def write_json(data: Any, *, indent: int | None = None, err: bool = False) -> None:
    """Data as JSON, on one line unless an indent is asked for."""
    write_line(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=indent), err=err)


def write_line(text: str, *, err: bool = False) -> None:
    """A line in UTF-8; half a surrogate pair, which UTF-8 does not know, becomes its JSON escape."""
    typer.echo(text.encode("utf-8", "backslashreplace"), err=err)
