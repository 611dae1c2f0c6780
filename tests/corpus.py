"""Tables of cases as data: one test a rule, which reports every row that differs."""

import functools
import inspect
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

_SHOWN = 20
_SHOWN_CHARS = 300


def each_row(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test with every row of the file that is called like it, and fail with all rows that differ.

    `test_a_thing_is_so` of `test_things.py` reads `things/a_thing_is_so.jsonl` beside it. A row is an object
    with the arguments of the test by name; other arguments are fixtures, which all rows share.
    """
    module = Path(inspect.getfile(test))
    file = module.parent / module.stem.removeprefix("test_") / f"{test.__name__.removeprefix('test_')}.jsonl"
    return _tested(test, {f"{file.name}:{line}": row for line, row in rows_in(file)})


def each_of(names: str, values: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The same for rows that are made by code: `@each_of("low, high", PAIRS)`."""
    keys = names.split(", ")
    found = [(value,) if len(keys) == 1 else value for value in values]
    rows = {f"row {at}": dict(zip(keys, value, strict=True)) for at, value in enumerate(found)}
    return lambda test: _tested(test, rows)


def rows_in(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a file of JSON lines, with the numbers of their lines."""
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
        if line:
            yield number, json.loads(line)


def _tested(test: Callable[..., None], rows: Mapping[str, Mapping[str, Any]]) -> Callable[..., None]:
    """A test without the arguments that stand in the rows."""
    signature = inspect.signature(test)
    own = next(iter(rows.values()))
    fixtures = [one for name, one in signature.parameters.items() if name not in own]

    @functools.wraps(test)
    def tested(**given: Any) -> None:
        differ = [f"{place}: {told}" for place, row in rows.items() if (told := _tried(test, row, given))]
        if differ:
            shown = "\n".join(differ[:_SHOWN])
            pytest.fail(f"{len(differ)} of {len(rows)} rows differ:\n{shown}", pytrace=False)

    tested.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]  # for pytest
    return tested


def _tried(test: Callable[..., None], row: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """What was wrong with a row; empty if nothing was."""
    try:
        test(**row, **given)
    except (Exception, pytest.fail.Exception) as wrong:  # noqa: BLE001 - the rows after it are tried too
        told = str(wrong) or type(wrong).__name__
        return f"{dict(row)!r}\n    {told[:_SHOWN_CHARS]}"
    return ""
