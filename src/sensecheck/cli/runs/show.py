"""`sensecheck runs show`: what a run came to, and one of its items in full."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Console, note, write_json
from sensecheck.cli.options import Json, Store
from sensecheck.cli.runs.select import (
    FoundRun,
    Memory,
    Project,
    RunArgument,
    Threads,
    found_run,
    kind_meant,
    limits_of,
)
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.parquet import FinishedRun, QueryLimits
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import AnsweredItem, RunTable

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

WORST = 5
_Worst = list[tuple[str, float, "AnsweredItem"]]


def show(
    context: typer.Context,
    run: RunArgument = "latest",
    question: Annotated[
        str | None,
        typer.Option("--question", metavar="ID", help="Show this item in full instead.", show_default=False),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Of an evaluation: show the worst questions by this metric; by the one that agrees best "
            "with people unless given.",
            show_default=False,
        ),
    ] = None,
    worst: Annotated[
        int | None,
        typer.Option(
            "--worst",
            min=0,
            metavar="N",
            help=f"Of an evaluation: how many of the worst questions to show; {WORST} unless given.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Of a large run: also for each value of this column, which it carries.",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            metavar="",
            help="Look at all rows of a very large run too; its files have counted what is shown otherwise.",
        ),
    ] = False,
    store: Store = None,
    project: Project = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Show what a run came to: tests that did not pass; or metrics, what is missing and why, the worst."""
    with found_run(run, store, project, kind=kind_meant(context)) as found:
        found.must_be("evaluation", metric=metric, worst=worst)
        found.must_be("large", by=by, exact=exact)
        if question is not None:
            _show_question(found.place, found.run, question, as_json=as_json)
        elif found.kind == "suite":
            _show_suite(found, as_json=as_json)
        elif found.kind == "large":
            limits = limits_of(memory, threads)
            _show_large(found.results, by, limits, exact=exact, as_json=as_json)
        else:
            most = WORST if worst is None else worst
            _show_run(found.place, found.run, metric, most, as_json=as_json)


def _show_suite(found: FoundRun, *, as_json: bool) -> None:
    """As `sensecheck run` shows it."""
    from sensecheck.batteries.run import BatteryRun
    from sensecheck.cli.batteries.view import show_results
    from sensecheck.runs.tally import Overview

    file = found.file
    overview = Overview(by_wording=len(file.header.wordings) > 1)
    for _ in overview.watch(file.results()):
        pass
    read = BatteryRun(found.run.key, file, overview)
    if as_json:
        write_json({**read.to_data(), "whole": found.run.whole})
        return
    show_results(read)
    if not found.run.whole:
        note(
            f"the run was interrupted after {found.run.done:,} of {file.header.cells:,} answers",
            as_json=False,
        )


def _show_large(
    run: "FinishedRun", by: str | None, limits: "QueryLimits", *, exact: bool, as_json: bool
) -> None:
    with extra("scale"):
        from sensecheck.runs.large_summary import summary_of

    found = summary_of(run, by=by, exact=exact or None, limits=limits)
    if as_json:
        write_json(found.to_data())
        return
    from sensecheck.cli.runs.view import show_summary

    show_summary(Console(), found)


def _show_question(store: "RunPlace", run: "Run", question: str, *, as_json: bool) -> None:
    from sensecheck.cli.runs.view import pair_data, show_pair
    from sensecheck.runs.rows import position_in

    found = next(store.answers(run, [position_in(store, run, question)]), None)
    if found is None:
        raise SpecError(f"the run {run.key} has not come to the question `{question}` yet")
    if as_json:
        write_json(pair_data(run, found))
    else:
        show_pair(Console(), run, found)


def _show_run(store: "RunPlace", run: "Run", metric: str | None, most: int, *, as_json: bool) -> None:
    from sensecheck.cli.runs.view import show_run
    from sensecheck.core.run import RunBrief
    from sensecheck.runs.summary import ordered, totals_of

    table = ordered(store.table(run))
    totals, chosen = totals_of(store, table), _metric_of(table, metric)
    lowest = _worst_questions(store, run, table, chosen, most)
    if not as_json:
        show_run(Console(), table, totals, chosen, lowest, address=store.address)
        return
    labels = {name: int((said == said).sum()) for name, said in table.labels.items()}
    worst = [{"id": name, "metric": chosen, "value": value} for name, value, _ in lowest]
    write_json({**RunBrief.of(run).to_data(), **totals.to_data(), "labels": labels, "worst": worst})


def _metric_of(table: "RunTable", metric: str | None) -> str | None:
    """The metric that ranks the worst; None where nothing was read."""
    from sensecheck.runs.shift import telling

    own = [one.name for one in table.metrics if table.column(one.name) is not None]
    if metric is not None and metric not in own:
        raise SpecError(unknown(f"metric of the run {table.run.key}", metric, set(own)))
    return telling(own) if metric is None else metric


def _worst_questions(
    store: "RunPlace", run: "Run", table: "RunTable", metric: str | None, most: int
) -> _Worst:
    import numpy as np

    column: Any = None if metric is None else table.column(metric)
    if column is None:
        return []
    order = np.argsort(column, kind="stable")[: int((~np.isnan(column)).sum())][:most]
    places = [int(at) for at in order]
    answers = {one.position: one for one in store.answers(run, places)}
    return [(table.names[at], float(column[at]), answers[at]) for at in places]
