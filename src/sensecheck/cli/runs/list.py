"""`sensecheck runs list`: the runs of suites and of a store in one table; and its earlier names."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, cut, note, safe, show_table, write_json
from sensecheck.cli.options import Json, Store, option, settings_with
from sensecheck.cli.runs.select import Project, TestName, kind_meant, why_none
from sensecheck.cli.store import no_store_yet, opened_store
from sensecheck.core.errors import SensecheckError
from sensecheck.text.escaping import counted, number

if TYPE_CHECKING:
    from sensecheck.runs.run_list import ListedRun

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without

_HEAD = ("run", "kind", "project", "test", "name", "began", "items", "metric", "mean", "")


def list_runs(
    context: typer.Context,
    store: Store = None,
    project: Project = None,
    test: TestName = None,
    as_json: Json = False,
) -> None:
    """List all runs of batteries and of the store, the oldest first: how far they are, and their result.

    The project of a battery's run is the name of its file. A run that cannot be read is listed with the
    reason.
    """
    evaluations_alone = kind_meant(context) is not None
    suites = [] if evaluations_alone else _suites(store, project, test)
    runs = [*suites, *_stored(store, project, test, required=evaluations_alone, as_json=as_json)]
    runs.sort(key=lambda run: "" if run.run is None else run.run.at)
    if as_json:
        write_json([run.to_data() for run in runs])
    elif runs:
        show_table(Console(), _HEAD, [_row(run) for run in runs], left=6, spare=("test", "kind", "began"))
    else:
        every = [] if evaluations_alone or project is test is None else _suites(store, None, None)
        if project is not None or test is not None:
            every += _stored(store, None, None, required=evaluations_alone, as_json=False)
        names = [(run.run.project, run.run.test) for run in every if run.run is not None]
        Console().line(safe(why_none(names, project, test)))
    for run in runs:
        if run.error is not None and not as_json:
            note(f"{run.kind} {run.number}: {run.error}", as_json=False)


def collect(
    store: Store = None,
    dry_run: Annotated[bool, option("--dry-run", "Only say what would be removed.")] = False,
    as_json: Json = False,
) -> None:
    """Remove files that interrupted work left in a place; nothing that a run is made of is touched."""
    from sensecheck.runs.run_list import leftovers

    with opened_store(store or f"suites:{settings_with(None).runs_folder()}") as place:
        files, address = leftovers(place, remove=not dry_run), place.address
    if as_json:
        write_json([{"name": file.name, "size": file.size, "why": file.why} for file in files])
        return
    for file in files:
        Console().line(safe(file.name), (f"  {file.why}", "dim"))
    action = "would be removed from" if dry_run else "removed from"
    Console().line(
        f"{counted(len(files), 'file')}, {sum(file.size for file in files):,} bytes, {action} {safe(address)}"
    )


def _suites(store: str | None, project: str | None, test: str | None) -> "list[ListedRun]":
    """The runs of the folder of suites, unless the store that is named holds suites itself."""
    from sensecheck.runs.find import existing_place
    from sensecheck.runs.jsonl import RunFolder
    from sensecheck.runs.run_list import listed_runs
    from sensecheck.runs.suite import SuiteRuns

    if store is not None:
        with closing(existing_place(store)) as named:
            if isinstance(named, SuiteRuns):
                return []
    place = SuiteRuns(RunFolder(settings_with(None).runs_folder()))
    return listed_runs(place, project=project, test=test)


def _stored(
    store: str | None, project: str | None, test: str | None, *, required: bool, as_json: bool
) -> "list[ListedRun]":
    """The runs of the store; that of the settings need not be there, and hides no suites."""
    from sensecheck.runs.run_list import listed_runs

    if store is None and not required and no_store_yet():
        return []
    try:
        with opened_store(store) as place:
            return listed_runs(place, project=project, test=test)
    except SensecheckError as error:
        if store is not None or required:
            raise
        note(str(error), as_json=as_json)
    return []


def _row(run: "ListedRun") -> list[str]:
    brief = run.run
    if brief is None:
        return [str(run.number), run.kind, *([""] * 7), "cannot be read"]
    names = [cut(text) for text in (brief.project, brief.test, brief.name)]
    state = "complete" if run.complete else f"interrupted after {brief.done:,}"
    if run.error is not None:
        state = "cannot be read in full"
    value = f"{run.value:.1%}" if run.kind == "suite" and run.value is not None else number(run.value)
    began = brief.at[:16].replace("T", " ")
    return [str(run.number), run.kind, *names, began, f"{brief.size:,}", safe(run.metric or ""), value, state]
