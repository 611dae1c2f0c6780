"""A large run as one page to look through: figures of all rows, and as many answers as a page can hold."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.runs.evaluation_page import Besides, PageData, write_packed
from sensecheck.runs.large_place import KEY, LargeRunPlace
from sensecheck.runs.large_rows import CHOSEN, ShownRows, choose
from sensecheck.runs.large_scan import Numeric, Scanned, count_values, scan
from sensecheck.runs.large_summary import RunSummary, summary_of
from sensecheck.runs.page_selection import MOST, OTHERWISE, line_of
from sensecheck.runs.parquet import TABLE, FinishedRun, QueryLimits, name_in_sql, tables
from sensecheck.runs.shift import telling
from sensecheck.runs.summary import Spread, rounded


def write_results_page(
    run: FinishedRun,
    path: Path,
    *,
    metric: str | None = None,
    by: Sequence[str] = (),
    most: int = MOST,
    limits: QueryLimits | None = None,
) -> int:
    """Write the page of a run, and say how many answers it shows; the worst are those by `metric`."""
    for column in by:
        run.must_carry(column)
    if metric is not None and metric not in run.metrics:
        raise SpecError(unknown(f"metric of `{run.address}`", metric, run.metrics))
    bounds = limits or QueryLimits()
    summary = summary_of(run, exact=True, limits=bounds)
    with tables({TABLE: run}, bounds) as connection:
        worst = telling(run.metrics) if metric is None else metric
        reasons = choose(connection, TABLE, summary.rows, worst, most)
        shown = ShownRows(connection, TABLE, run, tuple(by))
        described = LargeRunPlace(run).run_by_key(KEY)
        table = shown.numbers(replace(described, conditions=_conditions(run, summary)))
        page = PageData.of(table, Besides(), reached=np.arange(len(table.names)), most=most)
        write_packed(path, page.pairs(shown.answers()), lambda: _index(shown, page, summary, reasons))
    return len(table.names)


def _index(shown: ShownRows, page: PageData, summary: RunSummary, reasons: dict[str, int]) -> dict[str, Any]:
    """The index of what is shown, with the figures of all rows in it."""
    connection = shown.connection
    names = [metric.name for metric in page.table.metrics]
    slices = [_slice_data(connection, column, names) for column in shown.slices]
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
        "name": "",
        "at": "",
        "reached": summary.rows,
        "answered": totals.answered,
        "unanswered": totals.unanswered,
        "metrics": [_metric_data(spreads[name]) for name in names],
        "reasons": reasons,
        "cells": _hidden_cells(connection, TABLE, page) if reasons else [],
        "slices": slices,
    }


def _hidden_cells(connection: DuckDBPyConnection, table: str, page: PageData) -> list[list[int]]:
    """How many answers that are not shown lie in each cell of a hundredth, as `PageData` counts them."""
    axes = page.axes
    if axes is None:
        return []
    names = [name_in_sql(metric.name) for metric in page.table.metrics]
    facts, correct = (None if at is None else names[at] for at in (axes.facts, axes.correct))
    differs = "0" if facts is None else f"coalesce(({facts} < 1)::INTEGER, 0)"
    thresholds = ((correct, OTHERWISE), (facts, 1))
    wrong = [f"({name} < {least})::INTEGER" for name, least in thresholds if name is not None]
    rows = connection.execute(
        f"SELECT {_cell(names[axes.across])}, {_cell(names[axes.upwards])}, {differs}, count(*), "
        f"coalesce({', '.join((*wrong, '-1'))}) "
        f"FROM {name_in_sql(table)} ANTI JOIN {CHOSEN} USING (_input, _row) GROUP BY 1, 2, 3, 5 ORDER BY ALL"
    ).fetchall()
    return [list(row) for row in rows]


def _cell(number: str) -> str:
    return f"coalesce(floor({number} * 100 + 1e-9)::INTEGER, -1)"


def _metric_data(spread: Spread) -> dict[str, Any]:
    """The last digits of sums depend on who adds up first; a page is the same for the same run."""
    data = spread.to_data()
    means = {name: rounded(data[name]) for name in ("mean", "low", "high", "mean_blank_as_0")}
    return {**data, **means, "line": line_of(spread.summary.metric)}


def _slice_data(connection: DuckDBPyConnection, column: str, names: Sequence[str]) -> dict[str, Any]:
    many = [Numeric(name, name) for name in names]
    found = [one for one in scan(connection, TABLE, many, by=column) if one.value is not None]
    others = max(0, count_values(connection, TABLE, column) - len(found))
    return {"key": column, "values": [_slice_value_data(one, names) for one in found], "others": others}


def _slice_value_data(one: Scanned, names: Sequence[str]) -> dict[str, Any]:
    moments = [one.moments[name] for name in names]
    means = [rounded(each.mean) for each in moments]
    return {"value": one.value, "questions": one.rows, "means": means, "n": [each.n for each in moments]}


def _conditions(run: FinishedRun, summary: RunSummary) -> dict[str, Any]:
    checks = {
        one.check: ", ".join(f"{count:,} {outcome}" for outcome, count in one.outcomes.items())
        for one in summary.checks
    }
    return {**run.plan.readers, **checks, "errors": f"{summary.errors:,} of {summary.rows:,} rows"}
