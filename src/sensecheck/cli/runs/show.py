"""`sensecheck runs`, `history list`, `history show` and `results summary`: runs listed and shown."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, outcome_counts, safe, show_table, write_json
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.runs.select import (
    Folder,
    Memory,
    Project,
    RunArgument,
    TestName,
    Threads,
    limits_of,
    opened_results,
)
from sensecheck.cli.store import opened_store
from sensecheck.cli.tables import cut
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.jsonl import RunFolder, State
    from sensecheck.runs.sql import EvalStore
    from sensecheck.runs.sql_read import AnsweredPair, RunTable
    from sensecheck.runs.tally import Tally

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

_HEAD = ("run", "project", "test", "name", "began", "questions", "answered", "")
_Worst = list[tuple[str, float, "AnsweredPair"]]


def runs(as_json: Json = False) -> None:
    """List the runs that are kept: their battery, how tests came out, and whether they are whole."""
    from sensecheck.runs.jsonl import RunFolder, State

    folder, paper = RunFolder(settings_with(None).runs_folder()), Paper()
    numbers = folder.numbers()
    if not numbers and not as_json:
        paper.say(f"no run is kept in {safe(str(folder.path))}; make one with `sensecheck run BATTERY`")
    for number in numbers:
        state = State.of(folder.file(number))
        tally = _tally_of(folder, number, state)
        if as_json:
            write_json(_battery_run_data(number, state, tally))
        else:
            _show_battery_run(paper, number, state, tally)


def list_(store: Store = None, project: Project = None, test: TestName = None, as_json: Json = False) -> None:
    """List the evaluations that are kept, the oldest first."""
    with extra("store"):
        from sensecheck.core.run import RunBrief
        from sensecheck.store.address import store_option

    with opened_store(store) as evaluations:
        found = evaluations.runs(project=project, test=test)
        answered = _answer_counts(evaluations, found)
        if as_json:
            briefs = ((RunBrief.of(run).to_data(), answered.get(run.key, 0)) for run in found)
            write_json([{**run, "answered": count} for run, count in briefs])
        elif found:
            show_table(Paper(), _HEAD, [_list_row(run, answered.get(run.key, 0)) for run in found], left=5)
        else:
            make = f"sensecheck eval QUESTIONS{safe(store_option(evaluations.address))}"
            Paper().say(f"no evaluation is kept in {safe(evaluations.address)}; make one with `{make}`")


def show(
    run: RunArgument = "latest",
    question: Annotated[
        str | None,
        typer.Option(
            "--question", metavar="ID", help="Show this question in full instead.", show_default=False
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the worst questions by this metric; by the one that agrees best with people unless "
            "given.",
            show_default=False,
        ),
    ] = None,
    worst: Annotated[
        int, typer.Option("--worst", min=0, metavar="N", help="How many of the worst questions to show.")
    ] = 5,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Show the metrics of a run, what could not be read and why, and its worst questions."""
    with opened_store(store) as evaluations:
        found = evaluations.run(run, project=project)
        if question is not None:
            _show_question(evaluations, found, question, as_json=as_json)
        else:
            _show_run(evaluations, found, metric, worst, as_json=as_json)


def summary(
    folder: Folder,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Also for each value of this column, which the results carry.",
            show_default=False,
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            metavar="",
            help="Look at all rows, also of a very large run; otherwise its files have counted what is told.",
        ),
    ] = False,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Show each metric and check of a run, how its numbers lie, and why rows are errors."""
    run, limits = opened_results(folder), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.runs.large_summary import summary_of

    found = summary_of(run, by=by, exact=exact or None, limits=limits)
    if as_json:
        write_json(found.to_data())
        return
    from sensecheck.cli.runs.view import show_summary

    show_summary(Paper(), found)


def _tally_of(folder: "RunFolder", number: int, state: "State") -> "Tally":
    from itertools import islice

    from sensecheck.runs.jsonl import RunFile
    from sensecheck.runs.tally import Tally, tried

    tally = Tally()
    if state.header is not None:
        for one in tried(islice(RunFile(folder.file(number), state.header).results(), state.done)):
            tally.add(one)
    return tally


def _battery_run_data(number: int, state: "State", tally: "Tally") -> dict[str, Any]:
    from sensecheck.cli.batteries.view import counts

    battery = None if state.header is None else state.header.battery
    return {"run": number, "battery": battery, **counts(tally), "whole": state.whole}


def _show_battery_run(paper: Paper, number: int, state: "State", tally: "Tally") -> None:

    header = state.header
    if header is None:
        paper.say(("interrupted before it began", "yellow"), label=(f"{number:>4}  ", "bold"))
        return
    left = "" if state.whole else f", interrupted after {state.done:,} of {header.cells:,} answers"
    tests = f"  {tally.total:,} test{'' if tally.total == 1 else 's'}: "
    paper.say(
        (safe(header.battery), "bold"),
        tests,
        outcome_counts(tally.outcomes),
        (left, "yellow"),
        label=(f"{number:>4}  ", "bold"),
    )


def _answer_counts(store: "EvalStore", found: "list[Run]") -> dict[int, int]:
    """By the number of each run: how many of its questions have an answer."""
    from sqlalchemy import func, select

    from sensecheck.store.engine import reading
    from sensecheck.store.tables import answers

    counts = select(answers.c.run, func.count(answers.c.answer)).group_by(answers.c.run)
    query = counts.where(answers.c.run.in_([run.key for run in found]))

    def read() -> dict[int, int]:
        with reading(store.engine) as connection:
            return {row[0]: row[1] for row in connection.execute(query)}

    return store.patience.until_done(read)


def _list_row(run: "Run", answered: int) -> list[str]:
    left = "" if run.whole else f"interrupted after {run.done:,}"
    began = f"{run.started_at:%Y-%m-%d %H:%M}"
    names = (cut(text) for text in (run.test.project, run.test.name, run.name))
    return [str(run.key), *names, began, f"{run.set.size:,}", f"{answered:,}", left]


def _show_question(store: "EvalStore", run: "Run", question: str, *, as_json: bool) -> None:
    from sensecheck.cli.runs.view import pair_data, show_pair
    from sensecheck.runs.sql import position_in

    found = next(store.answers(run, [position_in(store, run, question)]), None)
    if found is None:
        raise SpecError(f"the run {run.key} has not come to the question `{question}` yet")
    if as_json:
        write_json(pair_data(run, found))
    else:
        show_pair(Paper(), run, found)


def _show_run(store: "EvalStore", run: "Run", metric: str | None, most: int, *, as_json: bool) -> None:
    from sensecheck.cli.runs.view import show_run
    from sensecheck.core.run import RunBrief
    from sensecheck.runs.summary import ordered, totals_of

    table = ordered(store.table(run))
    totals, chosen = totals_of(store, table), _metric_of(table, metric)
    lowest = _worst_questions(store, run, table, chosen, most)
    if not as_json:
        show_run(Paper(), table, totals, chosen, lowest, address=store.address)
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
    store: "EvalStore", run: "Run", table: "RunTable", metric: str | None, most: int
) -> _Worst:
    import numpy as np

    column: Any = None if metric is None else table.column(metric)
    if column is None:
        return []
    order = np.argsort(column, kind="stable")[: int((~np.isnan(column)).sum())][:most]
    places = [int(at) for at in order]
    answers = {one.position: one for one in store.answers(run, places)}
    return [(table.names[at], float(column[at]), answers[at]) for at in places]
