"""The tests of a battery, wherever they are written: in the file itself, in others, in tables."""

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

from sensecheck.core.errors import BatteryError
from sensecheck.evals.documents.json_document import read_json_line
from sensecheck.evals.format.files import Files
from sensecheck.evals.format.table import read_table
from sensecheck.evals.node import Node, Place

Row: TypeAlias = Node | BatteryError
"""A test, or what is wrong with the row where one should stand."""
_FOREIGN: Final = ("huggingface://", "http://", "https://", "az://", "sharepoint://")
_GENERATED: Final = (".py", ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".xlsx", ".xls")


def open_tests(node: Node, files: Files) -> Callable[[], Iterator[Row]]:
    """How to go through the tests, from the first, as often as wanted; large files are read row by row."""
    listed = (node,) if isinstance(node.held, str) else node.items("`tests`")
    if not listed:
        raise node.wrong("`tests` wants at least one test; found an empty list")
    parts = [part for one in listed for part in _parts(one, files)]
    return lambda: chain.from_iterable(part() for part in parts)


def _parts(node: Node, files: Files) -> Iterator[Callable[[], Iterator[Row]]]:
    if not isinstance(node.held, str):
        yield lambda: iter(_mapping(node))
        return
    name = node.held
    if name.startswith(_FOREIGN):
        raise node.wrong(f"tests from `{name}` are a feature of promptfoo that sensecheck does not support")
    for path in files.found(name, node):
        yield _of_file(path, node, files)


def _mapping(node: Node) -> tuple[Row]:
    if isinstance(node.held, dict) and "path" in node.held and "vars" not in node.held:
        return (
            node.wrong(
                "tests that a program makes are a feature of promptfoo that sensecheck does not support"
            ),
        )
    return (node,)


def _of_file(path: Path, node: Node, files: Files) -> Callable[[], Iterator[Row]]:
    suffix = path.suffix.lower()
    if suffix == ".csv":
        return lambda: read_table(path, node, files)
    if suffix == ".jsonl":
        return lambda: _json_lines(path, node, files)
    if suffix in (".yaml", ".yml", ".json"):
        held = files.document(path, node)
        tests = held.held if isinstance(held.held, tuple) else (held,)
        return lambda: chain.from_iterable(_mapping(test) for test in tests)
    if path.name.partition(":")[0].endswith(_GENERATED):
        raise node.wrong(
            f"tests in `{path.name}` are a feature of promptfoo that sensecheck does not support"
        )
    raise node.wrong(f"`{path.name}` is no file of tests; wanted one of .yaml, .json, .jsonl, .csv")


def _json_lines(path: Path, node: Node, files: Files) -> Iterator[Row]:
    for number, line in enumerate(files.lines(path, node), 1):
        if line.strip():
            try:
                yield read_json_line(line, Place(str(path), number))
            except BatteryError as wrong:
                yield wrong
