"""`sensecheck runs show`: what a run came to, and one of its items in full."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, note, write_json
from sensecheck.cli.options import Json, Store, option
from sensecheck.cli.runs.select import (
    FoundRun,
    Memory,
    Project,
    RunArgument,
    Threads,
    find_run,
    kind_meant,
)
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.summary import RunSummary

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

WORST = 5


def show(
    context: typer.Context,
    run: RunArgument = "latest",
    question: Annotated[str | None, option("--question ID", "Show this item in full instead.")] = None,
    metric: Annotated[
        str | None,
        option(
            "--metric NAME",
            "Show the worst questions by this metric; by the one that agrees best with people unless given.",
        ),
    ] = None,
    worst: Annotated[
        int | None,
        option("--worst N", f"How many of the worst questions to show; {WORST} unless given.", min=0),
    ] = None,
    by: Annotated[
        str | None,
        option("--by NAME", "Also for each value of this slice, or column that a large run carries."),
    ] = None,
    exact: Annotated[
        bool,
        option(
            "--exact",
            "Read all rows of a very large run too; its files have counted what is shown otherwise.",
        ),
    ] = False,
    store: Store = None,
    project: Project = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Show what a run came to: tests that did not pass; or metrics, what is missing and why, the worst."""
    with find_run(run, store, project, kind=kind_meant(context), limits=(memory, threads)) as found_run:
        if question is not None:
            _show_question(found_run.place, found_run.run, question, as_json=as_json)
        elif found_run.kind == "suite" and not (metric or by or worst):
            _show_suite(found_run, as_json=as_json)
        else:
            _show_run(found_run, metric, WORST if worst is None else worst, by, exact=exact, as_json=as_json)


def _show_suite(found_run: FoundRun, *, as_json: bool) -> None:
    """As `sensecheck run` shows it."""
    from sensecheck.batteries.run import BatteryRun
    from sensecheck.cli.batteries.view import show_results
    from sensecheck.runs.tally import Overview

    file = found_run.file
    overview = Overview(by_wording=len(file.header.wordings) > 1)
    for _ in overview.watch(file.results()):
        pass
    battery_run = BatteryRun(found_run.run.key, file, overview)
    if as_json:
        write_json({**battery_run.to_data(), "whole": found_run.run.whole})
        return
    show_results(battery_run)
    if not found_run.run.whole:
        note(
            f"the run was interrupted after {found_run.run.done:,} of {file.header.cells:,} answers",
            as_json=False,
        )


def _show_question(store: "RunPlace", run: "Run", question: str, *, as_json: bool) -> None:
    from sensecheck.cli.runs.view import pair_data, show_pair
    from sensecheck.runs.rows import position_in

    answered = next(store.answers(run, [position_in(store, run, question)]), None)
    if answered is None:
        raise SpecError(f"the run {run.key} has not come to the question `{question}` yet")
    if as_json:
        write_json(pair_data(run, answered))
    else:
        show_pair(Console(), run, answered)


def _show_run(
    found_run: FoundRun, metric: str | None, most: int, by: str | None, *, exact: bool, as_json: bool
) -> None:
    from sensecheck.cli.runs.view import show_run
    from sensecheck.runs.rows import worst_rows
    from sensecheck.runs.summary import FEW_ROWS, ordered, summary_of

    place, run = found_run
    numbers = ordered(place.table(run)) if run.set.size <= FEW_ROWS else run
    summary = summary_of(place, numbers, by=by, exact=exact or None)
    chosen_metric = _metric_of(summary, metric)
    lowest = (
        []
        if chosen_metric is None
        else worst_rows(place, numbers, chosen_metric, most if summary.exact else 0)
    )
    answers = {row.position: row for row in place.answers(run, [at for *_, at in lowest])} if lowest else {}
    if as_json:
        worst = [{"id": name, "metric": chosen_metric, "value": value} for name, value, _ in lowest]
        write_json({**summary.to_data(), "worst": worst})
    else:
        worst_answers = [(name, value, answers[at]) for name, value, at in lowest]
        show_run(Console(), summary, chosen_metric, worst_answers, address=place.address)


def _metric_of(summary: "RunSummary", metric: str | None) -> str | None:
    """The metric that ranks the worst; None where nothing was read."""
    from sensecheck.runs.shift import telling

    metrics = list(dict.fromkeys(entry.metric for entry in summary.totals.metrics if entry.n))
    if metric is not None and metric not in metrics:
        raise SpecError(did_you_mean(f"metric of the run {summary.run.key}", metric, set(metrics)))
    return telling(metrics) if metric is None else metric
