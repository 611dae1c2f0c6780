"""Recorded answers from JSON lines, CSV tables and the results of runs, and a table to find them in.

A column that is not read is an error. The table is on disk, so that memory stays flat.
"""

import csv
import json
import sqlite3
import weakref
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean, read_json
from sensecheck.core.unicode import text_key
from sensecheck.documents.node import FREE
from sensecheck.runs.jsonl import RunFile
from sensecheck.sources.source import Answer, NoAnswer, Question, text_of

VARS = "vars."
"""What stands before a variable's name where it identifies a question."""
VERSION = 3
"""Of the files of results that promptfoo writes."""
MAX_CELL_CHARS = 10_000_000
_IDENTIFYING = ("key", "test", "description", "prompt", "repeat")
_OUR_NAMES = {"output": "answer", "provider": "source", "latencyMs": "latency_ms"}
"""Columns under promptfoo's names, and ours."""
_KNOWN = (*_IDENTIFYING, "answer", "source", "latency_ms", "cost", "vars", *_OUR_NAMES)
_WHOLE_NUMBERS = ("test", "repeat")
_CODING = ("utf-8", "surrogatepass")


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A row of a recording. It belongs to the questions that are the same in all that `identity` says."""

    line: int
    identity: Mapping[str, str]
    """Of `key`, `test`, `description`, `prompt`, `repeat` and `vars.NAME`, those that the row has."""
    answer: Answer | NoAnswer
    source: str | None = None
    """Whose answer it is."""


def json_lines(path: Path) -> Iterator[AnswerRecord]:
    """The rows of a file with one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                at = f"{path.name}:{number}"
                row = read_json(line, at=at)
                if not isinstance(row, dict):
                    raise SpecError(f"`{at}` must be a JSON object; got {type(row).__name__}")
                yield _record_of(row, number, at)


def csv_rows(path: Path) -> Iterator[AnswerRecord]:
    """The rows of a table; an empty cell says nothing, but an empty answer is an answer."""
    csv.field_size_limit(MAX_CELL_CHARS)
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file, strict=True)
        columns = table.fieldnames or []
        if len(set(columns)) != len(columns):
            raise SpecError(f"`{path.name}:1` names a column twice")
        for row in table:
            at = f"{path.name}:{table.line_num}"
            if None in row or None in row.values():
                raise SpecError(f"`{at}` needs {len(columns)} cells, as many as there are columns")
            yield _record_of(_typed(row, at), table.line_num, at)


def own_run(path: Path) -> Iterator[AnswerRecord]:
    """The answers of a run of ours; where there was none, why there was none."""
    for line, result in enumerate(RunFile.open(path).results(), 2):
        identity = {"key": result.key, "prompt": result.prompt, "repeat": str(result.repeat)}
        if result.answer is None:
            yield AnswerRecord(line, identity, NoAnswer(result.verdict.because), result.source)
        else:
            answer = Answer(result.answer, result.latency_ms, result.cost)
            yield AnswerRecord(line, identity, answer, result.source)


def promptfoo_results(path: Path) -> Iterator[AnswerRecord]:
    """The answers in a file of results of promptfoo; equal questions in it are repeats of one."""
    times: Counter[tuple[str, ...]] = Counter()
    kinds: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for place, row in enumerate(_promptfoo_rows(path), 1):
        at = f"{path.name}, result {place}"
        source, identity = _promptfoo_source(row, at), _promptfoo_identity(row, at)
        question = (source, *sorted(f"{name} {value}" for name, value in identity.items()))
        times[question] += 1
        kinds[question].add(json.dumps(row.get("testCase", {}), sort_keys=True))
        if len(kinds[question]) > 1:
            hint = "give both a `description`, and run them again"
            raise SpecError(f"`{at}` answers the same question as another test; {hint}")
        identity["repeat"] = str(times[question])
        yield AnswerRecord(place, identity, _promptfoo_answer(row, at), source)


Shape: TypeAlias = tuple[str | None, tuple[str, ...]]
"""Whose answer a row is, and which things it says of its question: most rows of a file have the same."""


class RecordedTable:
    """The rows of one recording, which may hold the answers of several sources."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shapes: dict[Shape, int] = {}
        self._used = bytearray()
        """One byte per row: whether a question has asked for it."""
        self._rows = sqlite3.connect("", check_same_thread=False)  # a file without a name
        weakref.finalize(self, self._rows.close)
        self._rows.execute("PRAGMA journal_mode = OFF")  # nothing here is ever taken back
        self._rows.execute(
            "CREATE TABLE rows (number INTEGER PRIMARY KEY, shape INTEGER, identity BLOB, line INTEGER, "
            "answer BLOB, latency REAL, cost REAL, because TEXT)"
        )
        self._rows.execute("CREATE UNIQUE INDEX by_question ON rows (shape, identity)")

    @property
    def sources(self) -> set[str]:
        """Whose answers there are, as far as rows say."""
        return {source for source, _ in self._shapes if source is not None}

    def add(self, recordings: Iterable[AnswerRecord]) -> None:
        """Take rows in; two that answer one question are an error."""
        for record in recordings:
            names, values = zip(*sorted(record.identity.items()), strict=True)
            shape = self._shapes.setdefault((record.source, names), len(self._shapes))
            row = (len(self._used), shape, _packed(values), record.line, *_cells(record.answer))
            try:
                self._rows.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            except sqlite3.IntegrityError as duplicate:
                first = self._rows_of(shape, values)[1]
                raise self._answered_twice(first, record.line) from duplicate
            self._used.append(False)

    def keep_only(self, source: str) -> None:
        """From now on, answer with the rows of one source, and with those that name none."""
        for shape, number in [*self._shapes.items()]:
            if shape[0] not in (None, source):
                self._rows.execute("DELETE FROM rows WHERE shape = ?", (number,))
                del self._shapes[shape]

    def find(self, question: Question) -> Answer | NoAnswer | None:
        """The answer to a question; None when there is none, an error when there are two."""
        rows = [row for row in self._matching(question) if row is not None]
        if not rows:
            return None
        if len(rows) > 1:
            raise self._answered_twice(*(row[1] for row in rows))
        number, _, text, latency, cost, because = rows[0]
        self._used[number] = True
        return NoAnswer(because) if text is None else Answer(text.decode(*_CODING), latency, cost)

    def unused(self) -> Iterator[int]:
        """The lines of rows that no question has asked for."""
        for number, line in self._rows.execute("SELECT number, line FROM rows ORDER BY number"):
            if not self._used[number]:
                yield line

    def _matching(self, question: Question) -> Iterator[Any]:
        for (_, shape), number in self._shapes.items():
            values = _values_of(question, shape)
            if values is not None:
                yield self._rows_of(number, values)

    def _rows_of(self, shape: int, values: tuple[str, ...]) -> Any:
        query = (
            "SELECT number, line, answer, latency, cost, because FROM rows WHERE shape = ? AND identity = ?"
        )
        return self._rows.execute(query, (shape, _packed(values))).fetchone()

    def _answered_twice(self, *lines: int) -> SpecError:
        where = " and at ".join(map(str, lines))
        return SpecError(f"`{self._name}` answers one question twice: at {where}")


def _record_of(row: Mapping[str, Any], line: int, at: str) -> AnswerRecord:
    """The answer in a row; `at` names its place in messages."""
    fields: dict[str, Any] = {}
    for name, value in row.items():
        ours = _OUR_NAMES.get(name, name)
        if not name.startswith((FREE, VARS)) and name not in _KNOWN:
            raise SpecError(
                f"`{at}`: {did_you_mean('column of recorded answers', name, (*_KNOWN, 'vars.NAME'))}"
            )
        if ours in fields:
            raise SpecError(f"`{at}` has `{name}` and `{ours}`, which are the same; wanted one")
        fields[ours] = value
    identity = _identity(fields, at)
    if not identity.keys() - {"repeat"}:
        columns = "`test`, `key`, `description`, `prompt` or `vars`"
        raise SpecError(f"`{at}` does not tell which test it answers; wanted one of {columns}")
    return AnswerRecord(line, identity, _answer(fields, at), _source(fields, at))


def _identity(fields: Mapping[str, Any], at: str) -> dict[str, str]:
    variables = fields.get("vars", {})
    if not isinstance(variables, Mapping):
        raise SpecError(f"`{at}`: `vars` must be a mapping; got {type(variables).__name__}")
    identity = {f"{VARS}{name}": _as_text(value) for name, value in variables.items()}
    identity |= {name: _as_text(value) for name, value in fields.items() if name.startswith(VARS)}
    for name in (name for name in _IDENTIFYING if name in fields):
        kind = int if name in _WHOLE_NUMBERS else str
        if type(fields[name]) is not kind:
            expected = "a whole number" if kind is int else "a string"
            raise SpecError(f"`{at}`: `{name}` must be {expected}; got {type(fields[name]).__name__}")
        identity[name] = str(fields[name])
    return identity


def _answer(fields: Mapping[str, Any], at: str) -> Answer:
    if (text := text_of(fields.get("answer"))) is None:
        raise SpecError(f"`{at}` has no answer; wanted `output` or `answer`")
    return Answer(text, _number(fields, "latency_ms", at), _number(fields, "cost", at))


def _number(fields: Mapping[str, Any], name: str, at: str) -> float | None:
    value = fields.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise SpecError(f"`{at}`: `{name}` must be a number; got {type(value).__name__}")
    return value


def _source(fields: Mapping[str, Any], at: str) -> str | None:
    """Promptfoo names a provider by a text, or as a mapping with an id and a label."""
    source = fields.get("source")
    if isinstance(source, Mapping):
        source = source.get("label") or source.get("id")
    if not isinstance(source, str | None):
        raise SpecError(f"`{at}`: `source` must be a string; got {type(source).__name__}")
    return source


def _typed(row: Mapping[str, str], at: str) -> dict[str, Any]:
    """The cells of a table: numbers where numbers are wanted, nothing where nothing stands."""
    cells: dict[str, Any] = {}
    for name, cell in row.items():
        if name in ("answer", "output") or (cell and not name.startswith(FREE)):
            cells[name] = _cell(_OUR_NAMES.get(name, name), cell, at)
        elif name.startswith(VARS):
            cells[name] = cell
    return cells


def _cell(name: str, cell: str, at: str) -> Any:
    try:
        if name in _WHOLE_NUMBERS:
            return int(cell)
        if name in ("latency_ms", "cost"):
            return float(cell)
    except ValueError as error:
        raise SpecError(f"`{at}`: `{name}` must be a number; got `{cell[:40]}`") from error
    return read_json(cell, at=f"{at}, vars") if name == "vars" else cell


def _promptfoo_rows(path: Path) -> list[Mapping[str, Any]]:
    document = read_json(path.read_text(encoding="utf-8"), at=path.name)
    results = document.get("results") if isinstance(document, dict) else None
    if not isinstance(results, dict) or not isinstance(results.get("results"), list):
        raise SpecError(
            f"`{path.name}` is no file of results of promptfoo, which is all that `.json` may be here"
        )
    if results.get("version") != VERSION:
        raise SpecError(
            f"`{path.name}` has version {results.get('version')} of results; this reads {VERSION}"
        )
    for place, row in enumerate(results["results"], 1):
        if not isinstance(row, dict):
            raise SpecError(f"`{path.name}, result {place}` must be an object; got {type(row).__name__}")
    return list(results["results"])


def _promptfoo_source(row: Mapping[str, Any], at: str) -> str:
    provider = row.get("provider")
    source = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else None
    if not isinstance(source, str):
        raise SpecError(f"`{at}` does not tell its provider")
    return source


def _promptfoo_identity(row: Mapping[str, Any], at: str) -> dict[str, str]:
    prompt, variables = row.get("prompt"), row.get("vars")
    if not (isinstance(prompt, dict) and isinstance(prompt.get("raw"), str) and isinstance(variables, dict)):
        raise SpecError(f"`{at}` does not tell its prompt and its variables")
    public_variables = {name: value for name, value in variables.items() if not name.startswith("_")}
    identity = {f"{VARS}{name}": _as_text(value) for name, value in public_variables.items()} | {
        "prompt": prompt["raw"]
    }
    case = row.get("testCase")
    description = case.get("description") if isinstance(case, dict) else None
    return identity | ({"description": description} if description else {})


def _promptfoo_answer(row: Mapping[str, Any], at: str) -> Answer | NoAnswer:
    response = row.get("response")
    output = text_of(response.get("output")) if isinstance(response, dict) else None
    if output is None:
        return NoAnswer(f"promptfoo had no answer either, in `{at}`")
    return Answer(output, row.get("latencyMs"), row.get("cost"))


def _values_of(question: Question, shape: tuple[str, ...]) -> tuple[str, ...] | None:
    """What a question says of the same things; None when it lacks one of them."""
    plain = {
        "key": question.test,
        "test": str(question.number),
        "description": question.description,
        "prompt": question.prompt,
        "repeat": str(question.repeat),
    }
    try:
        return tuple(
            _as_text(question.vars[name.removeprefix(VARS)]) if name.startswith(VARS) else plain[name]
            for name in shape
        )
    except KeyError:
        return None


def _as_text(value: Any) -> str:
    """A variable's value in the form in which values are compared: a text as it is, other data as JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def _packed(values: tuple[str, ...]) -> bytes:
    """A digest, in which no two lists of texts run into each other."""
    return text_key("".join(f"{len(value)}:{value}" for value in values))


def _cells(answer: Answer | NoAnswer) -> tuple[bytes | None, float | None, float | None, str | None]:
    if isinstance(answer, NoAnswer):
        return None, None, None, answer.because
    return answer.text.encode(*_CODING), answer.latency_ms, answer.cost, None
