"""`sensecheck report`, `history` and `results` `report` and `export`: runs as pages and files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Paper, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.progress import bar
from sensecheck.cli.runs.select import (
    By,
    Folder,
    Memory,
    Project,
    RunArgument,
    Threads,
    limits_of,
    opened_results,
)
from sensecheck.cli.runs.trend import trend_of
from sensecheck.cli.store import opened_store, store_session
from sensecheck.cli.tables import counted
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.agreement import Agreement
    from sensecheck.runs.evaluation_page import Besides
    from sensecheck.runs.parquet import FinishedRun, QueryLimits
    from sensecheck.runs.sql import EvalStore
    from sensecheck.runs.sql_read import RunTable

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

_LAST_RUNS = 30
"""Runs of the same test, up to this one, that the page shows as a trend."""
_FORMS = (".jsonl", ".csv", ".parquet")
_STORES = (".sqlite3", ".sqlite", ".db")
_TARGETS = (
    "`FILE.parquet`, `FILE.jsonl`, `FILE.csv`, or a store: `postgresql://USER@HOST/DATABASE`, `FILE.sqlite3`"
)


def report_battery(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Its number, `latest`, `previous`, or its file.")],
    output: Annotated[
        list[Path],
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to, and by its ending in which form: .html, .xml (JUnit), .json, .jsonl, .csv, .md, "
            ".promptfoo.json. Repeat for more.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Write reports of a run that is kept; nothing is asked and nothing is judged again."""
    from sensecheck.runs.export import suffix_of, write_report
    from sensecheck.runs.jsonl import RunFile, RunFolder, State

    for path in output:
        suffix_of(path)
    found = RunFile.open(RunFolder(settings_with(None).runs_folder()).find(run))
    for path in output:
        write_report(found, path)
        if not as_json:
            Paper().say("written to ", (safe(str(path)), "bold"))
    state = State.of(found.path)
    if as_json:
        written = [str(path) for path in output]
        write_json({"run": str(found.path), "written": written, "whole": state.whole})
    elif not state.whole:
        about = (
            f"interrupted after {state.done:,} of {found.header.cells:,} answers; the reports hold no more"
        )
        Paper().say(("note: ", "bold yellow"), f"the run was {about}")
    raise typer.Exit(PASSED if state.whole else NOT_JUDGED)


def report_evaluation(
    run: RunArgument = "latest",
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page to write.")
    ] = Path("report.html"),
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Compare with this run: its number, `previous`, or its id.",
            show_default=False,
        ),
    ] = None,
    trend: Annotated[
        bool, typer.Option("--trend", metavar="", help="Show how the runs of this test went, up to this one.")
    ] = False,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Write a run as one page: answer by answer, every metric, and beside other runs.

    It wants a browser and fetches nothing. Agreement with labels is shown where there are some.
    """
    with extra("store"):
        from sensecheck.runs.evaluation_page import write_page

    if output.suffix != ".html":
        raise SpecError(f"`{output}` wants a name that ends in `.html`")
    with opened_store(store) as evaluations:
        chosen = evaluations.run(run, project=project)
        before = None if against is None else evaluations.run(against, project=project)
        table = evaluations.table(chosen)
        write_page(evaluations, table, output, besides=_besides(evaluations, table, before, trend=trend))
    _say_written(output, chosen, as_json=as_json)


def report_large_run(
    folder: Folder,
    html: Annotated[
        Path, typer.Option("--html", "--output", "-o", metavar="FILE.html", help="The page to write.")
    ] = Path("report.html"),
    by: By = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Of more answers than a page can hold, show the worst by this metric.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="So many answers are shown one by one.")
    ] = 5000,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write a run as one page: figures of all rows, and the errors, the worst and a sample one by one.

    It wants a browser and fetches nothing.
    """
    if html.suffix != ".html":
        raise SpecError(f"`{html}` wants a name that ends in `.html`")
    run, limits = opened_results(folder), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.runs.large_page import write_results_page

    shown = write_results_page(run, html, metric=metric, by=by or (), most=most, limits=limits)
    rows = run.manifest.rows
    if as_json:
        write_json({"run": run.address, "written": str(html), "shown": shown, "rows": rows})
    else:
        Paper().say(f"{shown:,} of {counted(rows, 'row')} written to ", (safe(str(html)), "bold"))


def export_evaluation(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to: .jsonl, .csv or .parquet.", show_default=False
        ),
    ],
    run: RunArgument = "latest",
    readings: Annotated[
        bool,
        typer.Option(
            "--readings", metavar="", help="A row a reading, with its reason; a row an answer unless given."
        ),
    ] = False,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Write a run to a file: a row an answer, with all metrics as columns."""
    from sensecheck.runs.export import write_rows

    with extra("store"):
        from sensecheck.runs.sql import READING, AnswerRows, reading_rows

    if output.suffix not in _FORMS:
        known = ", ".join(f"`{form}`" for form in _FORMS)
        raise SpecError(f"`{output}` names no form of export by its ending; known: {known}")
    with opened_store(store) as evaluations:
        found = evaluations.run(run, project=project)
        if readings:
            count = write_rows(output, READING, reading_rows(evaluations, found))
        else:
            answers = AnswerRows.of(evaluations, found)
            count = write_rows(output, answers.columns, answers.rows())
    if as_json:
        write_json({"run": found.key, "rows": count, "file": str(output)})
    else:
        Paper().say(f"{count:,} rows written to ", (safe(str(output)), "bold"))


def export_large_run(
    folder: Folder,
    to: Annotated[str, typer.Option("--to", metavar="WHERE", help=f"Where to: {_TARGETS.replace('`', '')}.")],
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="In a store: the column that says what kind of question it is.",
            show_default=False,
        ),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project", metavar="NAME", help="In a store: its project; the folder's name unless given."
        ),
    ] = None,
    test: Annotated[
        str, typer.Option("--test", metavar="NAME", help="In a store: the test that it is a run of.")
    ] = "default",
    name: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="In a store: what the run is called.")
    ] = "",
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write all rows in the order of the inputs: to a file, or to a store of evaluations."""
    run, path, limits = opened_results(folder), Path(to), limits_of(memory, threads)
    if "://" in to or path.suffix in _STORES:
        kept = _to_store(run, to, (project, test, name), by, limits, hidden=as_json)
        _say_exported(
            run.manifest.rows, f"run {kept.key} of {kept.test.project}", {"run": kept.key}, as_json=as_json
        )
        return
    _options_must_be_for_files(by, project)
    count = _to_file(run, path, limits)
    _say_exported(count, to, {"written": to}, as_json=as_json)


def _besides(store: "EvalStore", table: "RunTable", before: "Run | None", *, trend: bool) -> "Besides":
    """What is shown beside the run itself."""
    from sensecheck.runs.comparison import compare_evaluations as compare_runs
    from sensecheck.runs.evaluation_page import Besides

    run = table.run
    if before is not None and before.key == run.key:
        raise SpecError(f"`--against` names the run {run.key} itself; wanted another one")
    return Besides(
        None if before is None else compare_runs(store, before, run).to_data(),
        [point.to_data() for point in trend_of(store, _runs_until(store, run), None)] if trend else (),
        [row.to_data() for label in sorted(table.labels) for row in _agreement(store, table, label)],
    )


def _agreement(store: "EvalStore", table: "RunTable", label: str) -> "tuple[Agreement, ...]":
    from sensecheck.runs.agreement import agreement, said_yes_or_no

    return agreement(table, label, yes_or_no=said_yes_or_no(store, [table.run], label))


def _runs_until(store: "EvalStore", run: "Run") -> "list[Run]":
    """The runs of the same test, the oldest first, and this one last."""
    runs = store.runs(project=run.test.project, test=run.test.name)
    until = [one for one in runs if one.done and (one.started_at, one.key) <= (run.started_at, run.key)]
    return sorted(until, key=lambda one: (one.started_at, one.key))[-_LAST_RUNS:]


def _say_written(path: Path, run: "Run", *, as_json: bool) -> None:
    if as_json:
        write_json({"run": run.key, "written": str(path)})
    else:
        Paper().say(f"run {run.key} written to ", (safe(str(path)), "bold"))


def _to_store(
    run: "FinishedRun",
    address: str,
    named: tuple[str | None, str, str],
    by: str | None,
    limits: "QueryLimits",
    *,
    hidden: bool,
) -> "Run":
    with extra("postgresql" if address.startswith("postgres") else "store"):
        from sensecheck.runs.large_rows import keep_in_store
        from sensecheck.runs.sql import EvalStore

        store = EvalStore.open(address)
    project, test, name = named
    own = run.address.rstrip("/").rpartition("/")[2]
    slices = () if by is None else (run.must_carry(by),)
    with store_session(store), bar(hidden=hidden) as progress:
        task = progress.add_task("rows", total=run.manifest.rows)
        return keep_in_store(
            run,
            store,
            project=project or own,
            test=test,
            name=name or own,
            slices=slices,
            limits=limits,
            on_kept=lambda count: progress.advance(task, count),
        )


def _to_file(run: "FinishedRun", path: Path, limits: "QueryLimits") -> int:
    from sensecheck.runs.export import write_rows
    from sensecheck.runs.large_rows import export_parquet, plain_rows

    if path.suffix == ".parquet":
        return export_parquet(run, path, limits=limits)
    if path.suffix not in (".jsonl", ".csv"):
        raise SpecError(f"`{path}` names no form of export; known: {_TARGETS}")
    with plain_rows(run, limits=limits) as (names, rows):
        cells = rows if path.suffix == ".jsonl" else (_table_cells(row) for row in rows)
        return write_rows(path, dict.fromkeys(names, str), cells)


def _table_cells(row: dict[str, Any]) -> dict[str, Any]:
    """A list in a cell of a table is JSON."""
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
        for name, value in row.items()
    }


def _options_must_be_for_files(by: str | None, project: str | None) -> None:
    for option, given in (("--by", by), ("--project", project)):
        if given is not None:
            raise SpecError(f"`{option}` wants a store in `--to`; found a file")


def _say_exported(count: int, where: str, where_data: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        write_json({"rows": count, **where_data})
    else:
        Paper().say(f"{counted(count, 'row')} written to ", (safe(where), "bold"))
