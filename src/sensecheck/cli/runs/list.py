"""`sensecheck runs list`: the runs of suites and of a store in one table; and its earlier names."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, note, outcome_counts, safe, show_table, write_json
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.runs.select import Project, TestName
from sensecheck.cli.store import no_store_yet, opened_store
from sensecheck.cli.tables import counted, cut, number
from sensecheck.core.errors import SensecheckError, SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.jsonl import RunFolder, State
    from sensecheck.runs.run_list import ListedRun
    from sensecheck.runs.tally import Tally

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without

_HEAD = ("run", "kind", "project", "test", "name", "began", "items", "metric", "mean", "")
_EARLIER_HEAD = ("run", "project", "test", "name", "began", "questions", "answered", "")


def list_runs(
    store: Store = None, project: Project = None, test: TestName = None, as_json: Json = False
) -> None:
    """List all runs of suites and of the store, the oldest first: how far they are, and their result.

    The project of a suite's run is the name of its file. A run that cannot be read is listed with the reason.
    """
    found = [*_suites(store, project, test), *_stored(store, project, test, as_json=as_json)]
    found.sort(key=lambda one: "" if one.run is None else one.run.at)
    if as_json:
        write_json([one.to_data() for one in found])
    elif found:
        show_table(Console(), _HEAD, [_row(one) for one in found], left=6, spare=("test", "kind", "began"))
    else:
        make = "`sensecheck run SUITE` or `sensecheck eval QUESTIONS`"
        Console().line(f"no run is stored; make one with {make}")
    for one in found:
        if one.error is not None and not as_json:
            note(f"{one.kind} {one.number}: {one.error}", as_json=False)


def collect(
    store: Store = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", metavar="", help="Only say what would be removed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Remove files that interrupted work left in a place; nothing that a run is made of is touched."""
    from sensecheck.runs.garbage import leftovers

    with opened_store(store or f"suites:{settings_with(None).runs_folder()}") as place:
        found, address = leftovers(place, remove=not dry_run), place.address
    if as_json:
        write_json([{"name": one.name, "size": one.size, "why": one.why} for one in found])
        return
    for one in found:
        Console().line(safe(one.name), (f"  {one.why}", "dim"))
    done = "would be removed from" if dry_run else "removed from"
    Console().line(
        f"{counted(len(found), 'file')}, {sum(one.size for one in found):,} bytes, {done} {safe(address)}"
    )


def list_suites(*, as_json: bool) -> None:
    """The runs of suites alone: how tests came out, and whether they are complete."""
    from sensecheck.runs.jsonl import RunFolder, State

    folder, console = RunFolder(settings_with(None).runs_folder()), Console()
    numbers = folder.numbers()
    if not numbers and not as_json:
        console.line(f"no run is kept in {safe(str(folder.path))}; make one with `sensecheck run BATTERY`")
    for one in numbers:
        try:
            state = State.of(folder.file(one))
            tally = _tally_of(folder, one, state)
        except SpecError as error:
            note(str(error), as_json=as_json)
            continue
        if as_json:
            write_json(_suite_data(one, state, tally))
        else:
            _show_suite(console, one, state, tally)


def list_evaluations(
    store: Store = None, project: Project = None, test: TestName = None, as_json: Json = False
) -> None:
    """List the evaluations of a store alone, the oldest first."""
    with extra("store"):
        from sensecheck.core.run import RunBrief
        from sensecheck.store.address import store_option

    with opened_store(store) as evaluations:
        found = [(run, evaluations.answered(run)) for run in evaluations.runs(project=project, test=test)]
        if as_json:
            write_json([{**RunBrief.of(run).to_data(), "answered": count} for run, count in found])
        elif found:
            rows = [_evaluation_row(run, count) for run, count in found]
            show_table(Console(), _EARLIER_HEAD, rows, left=5)
        else:
            make = f"sensecheck eval QUESTIONS{safe(store_option(evaluations.address))}"
            Console().line(f"no evaluation is kept in {safe(evaluations.address)}; make one with `{make}`")


def _suites(store: str | None, project: str | None, test: str | None) -> "list[ListedRun]":
    """The runs of the folder of suites, unless the store that is named holds suites itself."""
    from sensecheck.runs.jsonl import RunFolder
    from sensecheck.runs.run_list import listed_runs
    from sensecheck.runs.suite import SuiteRuns

    if store is not None and _holds_suites(store):
        return []
    place = SuiteRuns(RunFolder(settings_with(None).runs_folder()))
    return listed_runs(place, project=project, test=test)


def _holds_suites(store: str) -> bool:
    from sensecheck.runs.find import existing_place
    from sensecheck.runs.suite import SuiteRuns

    with closing(existing_place(store)) as place:
        return isinstance(place, SuiteRuns)


def _stored(store: str | None, project: str | None, test: str | None, *, as_json: bool) -> "list[ListedRun]":
    """The runs of the store; that of the settings need not be there, and hides no suites."""
    from sensecheck.runs.run_list import listed_runs

    if store is None and no_store_yet():
        return []
    try:
        with opened_store(store) as place:
            return listed_runs(place, project=project, test=test)
    except SensecheckError as error:
        if store is not None:
            raise
        note(str(error), as_json=as_json)
    return []


def _row(one: "ListedRun") -> list[str]:
    brief = one.run
    if brief is None:
        return [str(one.number), one.kind, *([""] * 7), "cannot be read"]
    names = [cut(text) for text in (brief.project, brief.test, brief.name)]
    state = "complete" if one.complete else f"interrupted after {brief.done:,}"
    if one.error is not None:
        state = "cannot be read in full"
    value = f"{one.value:.1%}" if one.kind == "suite" and one.value is not None else number(one.value)
    began = brief.at[:16].replace("T", " ")
    return [str(one.number), one.kind, *names, began, f"{brief.size:,}", safe(one.metric or ""), value, state]


def _tally_of(folder: "RunFolder", number: int, state: "State") -> "Tally":
    from itertools import islice

    from sensecheck.runs.jsonl import RunFile
    from sensecheck.runs.tally import Tally, outcomes_by_test

    tally = Tally()
    if state.header is not None:
        for one in outcomes_by_test(islice(RunFile(folder.file(number), state.header).results(), state.done)):
            tally.add(one)
    return tally


def _suite_data(number: int, state: "State", tally: "Tally") -> dict[str, object]:
    from sensecheck.batteries.run import tally_to_data

    battery = None if state.header is None else state.header.battery
    return {"run": number, "battery": battery, **tally_to_data(tally), "whole": state.whole}


def _show_suite(console: Console, number: int, state: "State", tally: "Tally") -> None:
    header = state.header
    if header is None:
        console.line(("interrupted before it began", "yellow"), label=(f"{number:>4}  ", "bold"))
        return
    left = "" if state.whole else f", interrupted after {state.done:,} of {header.cells:,} answers"
    tests = f"  {tally.total:,} test{'' if tally.total == 1 else 's'}: "
    console.line(
        (safe(header.battery), "bold"),
        tests,
        outcome_counts(tally.outcomes),
        (left, "yellow"),
        label=(f"{number:>4}  ", "bold"),
    )


def _evaluation_row(run: "Run", answered: int) -> list[str]:
    left = "" if run.whole else f"interrupted after {run.done:,}"
    began = f"{run.started_at:%Y-%m-%d %H:%M}"
    names = (cut(text) for text in (run.test.project, run.test.name, run.name))
    return [str(run.key), *names, began, f"{run.set.size:,}", f"{answered:,}", left]
