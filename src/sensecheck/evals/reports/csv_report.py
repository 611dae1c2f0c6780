"""A run as a table for spreadsheets: a row a result, in which nothing is a formula."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sensecheck.evals.reports.summary import by_metric
from sensecheck.evals.result import Result
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.titles import as_text
from sensecheck.io.csv import Cell, csv_row

FIXED: dict[str, Callable[[Result], Any]] = {
    "test": lambda result: result.test,
    "key": lambda result: result.key,
    "place": lambda result: result.place,
    "description": lambda result: result.description,
    "wording": lambda result: result.wording,
    "source": lambda result: result.source,
    "repeat": lambda result: result.repeat,
    "runs": lambda result: result.runs,
    "outcome": lambda result: result.outcome,
    "score": lambda result: result.score,
    "because": lambda result: result.verdict.because,
    "answer": lambda result: result.answer,
    "prompt": lambda result: result.prompt,
    "latency_ms": lambda result: result.latency_ms,
    "cost": lambda result: result.cost,
}
"""The columns that every run has."""


def csv_pieces(run: RunFile) -> Iterator[str]:
    """The head, then the rows; the run is gone through once before, for the names of the columns."""
    variables, metrics = _columns(run)
    yield _row((*FIXED, *(f"var.{name}" for name in variables), *(f"metric.{name}" for name in metrics)))
    for result in run.results():
        fixed = (told(result) for told in FIXED.values())
        given = (result.vars.get(name) for name in variables)
        scores = by_metric(result)
        yield _row((*fixed, *given, *(scores.get(name) for name in metrics)))


def _columns(run: RunFile) -> tuple[list[str], list[str]]:
    """The variables and the metrics, in the order in which they first occur."""
    variables: dict[str, None] = {}
    metrics: dict[str, None] = {}
    for result in run.results():
        variables.update(dict.fromkeys(result.vars))
        metrics.update(dict.fromkeys(score.metric for score in result.each_score() if score.metric))
    return list(variables), list(metrics)


def _row(values: Iterable[Any]) -> str:
    return csv_row(_cell(value) for value in values)


def _cell(value: Any) -> Cell:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return value
    return as_text(value)
