"""Rows of recorded answers, as JSON lines or as a CSV table; a column that nobody reads is an error."""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import read_json, unknown
from sensecheck.evals.node import FREE
from sensecheck.evals.sources.output import text_of
from sensecheck.evals.sources.recording import VARS, Recording, as_text
from sensecheck.evals.sources.source import Answer

_WHICH = ("key", "test", "description", "prompt", "repeat")
_SAME = {"output": "answer", "provider": "source", "latencyMs": "latency_ms"}
"""Columns under promptfoo's names, and ours."""
_KNOWN = (*_WHICH, "answer", "source", "latency_ms", "cost", "vars", *_SAME)
_WHOLE = ("test", "repeat")
LONGEST_CELL = 10_000_000


def json_lines(path: Path) -> Iterator[Recording]:
    """The rows of a file with one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                at = f"{path.name}:{number}"
                row = read_json(line, at=at)
                if not isinstance(row, dict):
                    raise SpecError(f"`{at}` wants a JSON object; found {type(row).__name__}")
                yield recording(row, number, at)


def csv_rows(path: Path) -> Iterator[Recording]:
    """The rows of a table; an empty cell tells nothing, but an empty answer is an answer."""
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file, strict=True)
        columns = table.fieldnames or []
        if len(set(columns)) != len(columns):
            raise SpecError(f"`{path.name}:1` names a column twice")
        for row in table:
            at = f"{path.name}:{table.line_num}"
            if None in row or None in row.values():
                raise SpecError(f"`{at}` wants {len(columns)} cells, as many as there are columns")
            yield recording(_typed(row, at), table.line_num, at)


def recording(row: Mapping[str, Any], line: int, at: str) -> Recording:
    """What a row tells; `at` names its place in messages."""
    held: dict[str, Any] = {}
    for name, value in row.items():
        ours = _SAME.get(name, name)
        if not name.startswith((FREE, VARS)) and name not in _KNOWN:
            raise SpecError(f"`{at}`: {unknown('column of recorded answers', name, (*_KNOWN, 'vars.NAME'))}")
        if ours in held:
            raise SpecError(f"`{at}` has `{name}` and `{ours}`, which are the same; wanted one")
        held[ours] = value
    told = _told(held, at)
    if not told.keys() - {"repeat"}:
        wanted = "`test`, `key`, `description`, `prompt` or `vars`"
        raise SpecError(f"`{at}` does not tell which test it answers; wanted one of {wanted}")
    return Recording(line, told, _answer(held, at), _source(held, at))


def _told(held: Mapping[str, Any], at: str) -> dict[str, str]:
    variables = held.get("vars", {})
    if not isinstance(variables, Mapping):
        raise SpecError(f"`{at}`: `vars` wants a mapping; found {type(variables).__name__}")
    told = {f"{VARS}{name}": as_text(value) for name, value in variables.items()}
    told |= {name: as_text(value) for name, value in held.items() if name.startswith(VARS)}
    for name in (name for name in _WHICH if name in held):
        kind = int if name in _WHOLE else str
        if type(held[name]) is not kind:
            wanted = "a whole number" if kind is int else "a text"
            raise SpecError(f"`{at}`: `{name}` wants {wanted}; found {type(held[name]).__name__}")
        told[name] = str(held[name])
    return told


def _answer(held: Mapping[str, Any], at: str) -> Answer:
    if (text := text_of(held.get("answer"))) is None:
        raise SpecError(f"`{at}` has no answer; wanted `output` or `answer`")
    return Answer(text, _number(held, "latency_ms", at), _number(held, "cost", at))


def _number(held: Mapping[str, Any], name: str, at: str) -> float | None:
    value = held.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise SpecError(f"`{at}`: `{name}` wants a number; found {type(value).__name__}")
    return value


def _source(held: Mapping[str, Any], at: str) -> str | None:
    """Promptfoo tells a provider as a text, or as a mapping with an id and a label."""
    source = held.get("source")
    if isinstance(source, Mapping):
        source = source.get("label") or source.get("id")
    if not isinstance(source, str | None):
        raise SpecError(f"`{at}`: `source` wants a text; found {type(source).__name__}")
    return source


def _typed(row: Mapping[str, str], at: str) -> dict[str, Any]:
    """The cells of a table: numbers where numbers are wanted, nothing where nothing stands."""
    typed: dict[str, Any] = {}
    for name, cell in row.items():
        if name in ("answer", "output") or (cell and not name.startswith(FREE)):
            typed[name] = _cell(_SAME.get(name, name), cell, at)
        elif name.startswith(VARS):
            typed[name] = cell
    return typed


def _cell(name: str, cell: str, at: str) -> Any:
    try:
        if name in _WHOLE:
            return int(cell)
        if name in ("latency_ms", "cost"):
            return float(cell)
    except ValueError as wrong:
        raise SpecError(f"`{at}`: `{name}` wants a number; found `{cell[:40]}`") from wrong
    return read_json(cell, at=f"{at}, vars") if name == "vars" else cell
