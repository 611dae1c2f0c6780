"""A large run as one page to look through: figures of all rows, and as many answers as a page can hold."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.evals.qa.compare.moved import telling
from sensecheck.evals.qa.report.axes import line_of
from sensecheck.evals.qa.report.chosen import MOST
from sensecheck.evals.qa.report.page import write_packed
from sensecheck.evals.qa.report.page_data import Besides, PageData
from sensecheck.evals.qa.report.spreads import Spread, rounded
from sensecheck.evals.results.choosing import choose
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.hidden import hidden_cells
from sensecheck.evals.results.rows import Limits, tables
from sensecheck.evals.results.scanning import Numeric, Scanned, count_values, scan
from sensecheck.evals.results.shown_rows import ShownRows
from sensecheck.evals.results.summary import TABLE, RunSummary, summary_of


def write_results_page(
    run: FinishedRun,
    path: Path,
    *,
    metric: str | None = None,
    by: Sequence[str] = (),
    most: int = MOST,
    limits: Limits | None = None,
) -> int:
    """Write the page of a run, and say how many answers it shows; the worst are those by `metric`."""
    for column in by:
        run.must_carry(column)
    if metric is not None and metric not in run.metrics:
        raise SpecError(unknown(f"metric of `{run.address}`", metric, run.metrics))
    bounds = limits or Limits()
    summary = summary_of(run, exact=True, limits=bounds)
    with tables({TABLE: run}, bounds) as connection:
        worst = telling(run.metrics) if metric is None else metric
        reasons = choose(connection, TABLE, summary.rows, worst, most)
        shown = ShownRows(connection, TABLE, run, tuple(by))
        table = shown.numbers(_conditions(run, summary))
        page = PageData.of(table, Besides(), reached=np.arange(len(table.names)), most=most)
        write_packed(path, page.pairs(shown.answers()), lambda: _index(shown, page, summary, reasons))
    return len(table.names)


def _index(shown: ShownRows, page: PageData, summary: RunSummary, reasons: dict[str, int]) -> dict[str, Any]:
    """The index of what is shown, with the figures of all rows in it."""
    connection = shown.connection
    names = [metric.name for metric in page.table.metrics]
    slices = [_slice(connection, column, names) for column in shown.slices]
    index = page.index()
    if reasons:
        index["rows"]["position"] = shown.positions()
    for one in slices:
        if one["key"] in index["rows"]["slices"]:
            index["rows"]["slices"][one["key"]]["of"] = len(one["values"]) + one["others"]
    spreads = {one.summary.metric: one.spread for one in summary.metrics}
    totals = summary.totals
    return index | {
        "run": summary.address.rstrip("/").rpartition("/")[2],
        "at": "",
        "reached": summary.rows,
        "answered": totals.answered,
        "unanswered": totals.unanswered,
        "metrics": [_metric(spreads[name]) for name in names],
        "reasons": reasons,
        "cells": hidden_cells(connection, TABLE, page) if reasons else [],
        "slices": slices,
    }


def _metric(spread: Spread) -> dict[str, Any]:
    """The last digits of sums depend on who adds up first; a page is the same for the same run."""
    told = spread.to_data()
    means = {name: rounded(told[name]) for name in ("mean", "low", "high", "mean_blank_as_0")}
    return {**told, **means, "line": line_of(spread.summary.metric)}


def _slice(connection: DuckDBPyConnection, column: str, names: Sequence[str]) -> dict[str, Any]:
    many = [Numeric(name, name) for name in names]
    found = [one for one in scan(connection, TABLE, many, by=column) if one.value is not None]
    others = max(0, count_values(connection, TABLE, column) - len(found))
    return {"key": column, "values": [_row(one, names) for one in found], "others": others}


def _row(one: Scanned, names: Sequence[str]) -> dict[str, Any]:
    held = [one.moments[name] for name in names]
    means = [rounded(each.mean) for each in held]
    return {"value": one.value, "questions": one.rows, "means": means, "n": [each.n for each in held]}


def _conditions(run: FinishedRun, summary: RunSummary) -> dict[str, Any]:
    checks = {
        one.check: ", ".join(f"{count:,} {outcome}" for outcome, count in one.outcomes.items())
        for one in summary.checks
    }
    return {**run.plan.readers, **checks, "errors": f"{summary.errors:,} of {summary.rows:,} rows"}
