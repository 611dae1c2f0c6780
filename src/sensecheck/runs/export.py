"""Runs written to files: battery runs as reports, rows as tables; the name of the file says in which form.

A report is written piece by piece, so that no run is in memory as a whole; rows are written as they come.
"""

# ruff: noqa: PLC0415 - an extra

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import encode, to_data
from sensecheck.io.atomic import whole_binary_file, whole_file
from sensecheck.io.csv import Cell, csv_row
from sensecheck.runs.ci_reports import junit_pieces, markdown_pieces
from sensecheck.runs.jsonl import RunFile, compact_json, result_line
from sensecheck.runs.promptfoo import promptfoo_pieces
from sensecheck.runs.result import Result
from sensecheck.runs.tally import Summed, TestOutcome, as_text, by_metric, mean_of, outcomes_by_test

ColumnTypes = Mapping[str, type]
"""The name of each column, and what it holds; any cell may be empty."""
Row = Mapping[str, Any]
"""What there is by the name of its column; a column that is not named is empty."""
Pieces = Callable[[RunFile], Iterator[str]]
ROWS_AT_ONCE = 10_000
FIXED = {
    **{name: attrgetter(name) for name in ("test", "key", "place", "description", "wording", "source")},
    **{name: attrgetter(name) for name in ("repeat", "runs", "outcome", "score")},
    "because": attrgetter("verdict.because"),
    **{name: attrgetter(name) for name in ("answer", "prompt", "latency_ms", "cost")},
}
"""The columns that every run has."""


def json_pieces(run: RunFile) -> Iterator[str]:
    """What was run, what it came to, and every test with its repeats."""
    summed = Summed.of(run)
    head = {
        "run": to_data(run.header),
        "whole": not summed.interrupted,
        "summary": summed.whole.to_data(),
        "sources": {source: summary.to_data() for source, summary in summed.sources.items()},
    }
    yield compact_json(head).removesuffix("}") + ',"tests":['
    for number, test in enumerate(outcomes_by_test(run.results())):
        yield (",\n" if number else "\n") + compact_json(_test_data(test))
    yield "\n]}\n"


def jsonl_pieces(run: RunFile) -> Iterator[str]:
    """The lines of the run; each is read before it is written, so that a torn one is found."""
    yield run.header.to_line()
    for result in run.results():
        yield result_line(result)


def csv_pieces(run: RunFile) -> Iterator[str]:
    """The head, then the rows; the run is gone through once before, for the names of the columns."""
    variables, metrics = _variables_and_metrics(run)
    yield _csv_line((*FIXED, *(f"var.{name}" for name in variables), *(f"metric.{name}" for name in metrics)))
    for result in run.results():
        fixed = (read(result) for read in FIXED.values())
        values = (result.vars.get(name) for name in variables)
        scores = by_metric(result)
        yield _csv_line((*fixed, *values, *(scores.get(name) for name in metrics)))


_HTML = ".html"
_PIECES: dict[str, Pieces] = {
    ".promptfoo.json": promptfoo_pieces,
    ".xml": junit_pieces,
    ".json": json_pieces,
    ".jsonl": jsonl_pieces,
    ".csv": csv_pieces,
    ".md": markdown_pieces,
}
SUFFIXES = (_HTML, *_PIECES)


def write_report(run: RunFile, path: Path) -> None:
    """Write the run in the form that the path's ending names, whole or not at all."""
    suffix = suffix_of(path)
    if path.exists() and path.samefile(run.path):
        raise SpecError(f"`{path}` is the run itself; a report needs another file")
    if suffix == _HTML:
        from sensecheck.runs.battery_page import write_html

        write_html(run, path)
        return
    with whole_file(path, errors="backslashreplace") as file:
        for piece in _PIECES[suffix](run):
            file.write(piece)


def suffix_of(path: Path) -> str:
    """The ending that says in which form a report is written; another one is an error."""
    suffixes = [suffix for suffix in SUFFIXES if path.name.lower().endswith(suffix)]
    if not suffixes:
        known = ", ".join(f"`{suffix}`" for suffix in SUFFIXES)
        raise SpecError(f"`{path}` names no form of report by its ending; known: {known}")
    return max(suffixes, key=len)


def write_rows(path: Path, columns: ColumnTypes, rows: Iterable[Row]) -> int:
    """Write all rows by the file's ending, in whole or not at all; how many there are."""
    write = {".jsonl": _write_jsonl, ".csv": _write_csv, ".parquet": _write_parquet}[path.suffix]
    return write(path, columns, ({name: row.get(name) for name in columns} for row in rows))


def _test_data(test: TestOutcome) -> dict[str, Any]:
    first = test.first
    return {
        "test": first.test,
        "key": first.key,
        "place": first.place or None,
        "description": first.description,
        "wording": first.wording,
        "source": first.source,
        "outcome": test.outcome,
        "because": test.deciding.verdict.because,
        "score": mean_of(result.score for result in test.results),
        "consistency": test.consistency or None,
        "passed": test.passed,
        "runs": first.runs,
        "passes": first.passes,
        "vars": encode(first.vars),
        "prompt": first.prompt,
        "metadata": encode(first.metadata),
        "repeats": [_repeat_data(result) for result in test.results],
    }


def _repeat_data(result: Result) -> dict[str, Any]:
    return {
        "repeat": result.repeat,
        "outcome": result.outcome,
        "score": result.score,
        "answer": result.answer,
        "latency_ms": result.latency_ms,
        "cost": result.cost,
        "scores": encode(result.scores),
        "verdict": result.verdict.to_data(),
    }


def _variables_and_metrics(run: RunFile) -> tuple[list[str], list[str]]:
    """The variables and the metrics, in the order in which they first occur."""
    variables: dict[str, None] = {}
    metrics: dict[str, None] = {}
    for result in run.results():
        variables.update(dict.fromkeys(result.vars))
        metrics.update(dict.fromkeys(score.metric for score in result.each_score() if score.metric))
    return list(variables), list(metrics)


def _csv_line(values: Iterable[Any]) -> str:
    return csv_row(_cell(value) for value in values)


def _cell(value: Any) -> Cell:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    return as_text(value)


def _write_jsonl(path: Path, columns: ColumnTypes, rows: Iterable[Row]) -> int:
    """What is not there is null."""
    lines = (json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n" for row in rows)
    return _write_lines(path, lines)


def _write_csv(path: Path, columns: ColumnTypes, rows: Iterable[Row]) -> int:
    """What is not there is an empty cell."""
    lines = (csv_row(cells) for cells in chain([columns], (row.values() for row in rows)))
    return _write_lines(path, lines) - 1


def _write_lines(path: Path, lines: Iterable[str]) -> int:
    count = 0
    with whole_file(path, errors="backslashreplace") as file:
        for count, line in enumerate(lines, 1):  # noqa: B007 - how many there were
            file.write(line)
    return count


def _write_parquet(path: Path, columns: ColumnTypes, rows: Iterable[Row]) -> int:
    with extra("parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    kinds = {str: pa.string(), float: pa.float64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
    count, remaining = 0, iter(rows)
    with whole_binary_file(path) as file, pq.ParquetWriter(file, schema) as writer:
        while batch := list(islice(remaining, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema))
            count += len(batch)
    return count
