"""`sensecheck runs list`: the runs of suites and of a store in one table; and its earlier names."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, cut, note, safe, show_table, write_json
from sensecheck.cli.options import Json, Store, option, settings_with
from sensecheck.cli.runs.select import Project, TestName, kind_meant
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
    """List all runs of suites and of the store, the oldest first: how far they are, and their result.

    The project of a suite's run is the name of its file. A run that cannot be read is listed with the reason.
    """
    evaluations_alone = kind_meant(context) is not None
    suites = [] if evaluations_alone else _suites(store, project, test)
    found = [*suites, *_stored(store, project, test, required=evaluations_alone, as_json=as_json)]
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
    dry_run: Annotated[bool, option("--dry-run", "Only say what would be removed.")] = False,
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
    except SensecheckError as wrong:
        if store is not None or required:
            raise
        note(str(wrong), as_json=as_json)
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
