"""Assertions that are code: an expression, a few lines, or a function of a Python file."""

import ast
import json
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Any

from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.core.protocols import Check
from sensecheck.evals.assertions.asked import Asked
from sensecheck.evals.assertions.kind import Kind
from sensecheck.evals.assertions.script import Script
from sensecheck.evals.assertions.shapes import NUMBER, TEXT
from sensecheck.evals.documents.content import SCHEME, names_file
from sensecheck.evals.node import Node, Place
from sensecheck.evals.python_file import function_of

Function = Callable[..., Any]
INLINE = "<python>"
USUAL = "get_assert"
"""The function of a file that is called when none is named."""


def _python(asked: Asked) -> Check:
    if "value" not in asked.held:
        raise asked.node.wrong("`python` lacks the key `value`")
    value = asked.held["value"]
    written = value.text("`value` of `python`")
    threshold = None
    if "threshold" in asked.held:
        threshold = asked.held["threshold"].number("`threshold` of `python`")
    if names_file(value):
        function, file = _of_file(value, asked.about.folder)
    else:
        function, file = _inline(written), INLINE
    return Script(function, file, asked.about.vars, threshold, asked.type)


def _of_file(value: Node, folder: Path) -> tuple[Function, str]:
    """The function of `file://path.py`, or the one that is named after a colon."""
    file, _, name = value.text("a file").removeprefix(SCHEME).partition(".py")
    path = folder / f"{file}.py"
    if name and not name.startswith(":"):
        raise value.wrong(f"`python` wants `file://….py`, or `file://….py:function`; found `{value.held}`")
    try:
        changed = path.stat().st_mtime_ns
        return _loaded(path, name.removeprefix(":") or USUAL, changed), str(path)
    except OSError as unread:
        raise value.wrong(f"the file `{path}` cannot be read: {unread.strerror}") from unread
    except BatteryError as wrong:
        raise value.wrong(f"`python`: {wrong}") from wrong


@lru_cache(maxsize=64)
def _loaded(path: Path, name: str, changed: int) -> Function:
    """The function; its file is run once, however many tests ask it."""
    return function_of(path, (name,), Node(None, Place(str(path), 1)))


def _inline(written: str) -> Function:
    names: dict[str, Any] = {"json": json, "__name__": INLINE}
    exec(_code(written), names)  # it only defines the function
    found: Function = names["main"]
    return found


@lru_cache(maxsize=1024)
def _code(written: str) -> CodeType:
    """The text as a function of `output` and `context`; one line is an expression, more are a body."""
    text = textwrap.dedent(written).strip()
    try:
        body: list[ast.stmt] = (
            ast.parse(text, INLINE).body
            if "\n" in text
            else [ast.Return(ast.parse(text, INLINE, mode="eval").body)]
        )
        whole = ast.parse("def main(output, context): pass", INLINE)
        whole.body[0].body = body  # type: ignore[attr-defined]  # it is the function just written
        return compile(ast.fix_missing_locations(whole), INLINE, "exec")
    except (SyntaxError, ValueError, RecursionError) as wrong:
        at = f" in line {wrong.lineno}" if isinstance(wrong, SyntaxError) else ""
        raise SpecError(f"`python` cannot be read{at}: {wrong}") from wrong


KINDS: Mapping[str, Kind] = {
    "python": Kind(
        "This code, with `output` and `context`, finds the answer good: true, a number above 0, or one that "
        "reaches the threshold.",
        _python,
        {"value": TEXT, "threshold": NUMBER},
        ("value",),
        graded=True,
    ),
}
