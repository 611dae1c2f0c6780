"""`sensecheck runs report` and `runs export`: a run of any place as pages and files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Json, Store
from sensecheck.cli.progress import bar
from sensecheck.cli.runs.select import (
    By,
    FoundRun,
    Memory,
    Project,
    RunArgument,
    Threads,
    found_run,
    found_runs,
    kind_meant,
    limits_of,
)
from sensecheck.cli.runs.trend import trend_of
from sensecheck.cli.tables import counted
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.agreement import Agreement
    from sensecheck.runs.evaluation_page import Besides
    from sensecheck.runs.parquet import FinishedRun, QueryLimits
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import RunTable

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

MAX_ROWS = 5000
_LAST_RUNS = 30
"""Runs of the same test, up to this one, that the page shows as a trend."""
_FORMS = (".jsonl", ".csv", ".parquet")
_STORES = (".sqlite3", ".sqlite", ".db")
_TARGETS = (
    "`FILE.parquet`, `FILE.jsonl`, `FILE.csv`, or a store: `postgresql://USER@HOST/DATABASE`, `FILE.sqlite3`"
)


def report(
    context: typer.Context,
    run: RunArgument = "latest",
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to, and by its ending in which form: .html; for suites also .xml (JUnit), .json, "
            ".jsonl, .csv, .md, .promptfoo.json. Repeat for more; report.html unless given.",
            show_default=False,
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="RUN",
            help="Of an evaluation: compare with this run, named in the same way.",
            show_default=False,
        ),
    ] = None,
    trend: Annotated[
        bool,
        typer.Option(
            "--trend",
            metavar="",
            help="Of an evaluation: show how the runs of its test went, up to this one.",
        ),
    ] = False,
    by: By = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Of a large run with more answers than a page can hold: show the worst by this metric.",
            show_default=False,
        ),
    ] = None,
    most: Annotated[
        int | None,
        typer.Option(
            "--max-rows",
            min=1,
            metavar="N",
            help=f"Of a large run: at most N answers are shown one by one; {MAX_ROWS:,} unless given.",
            show_default=False,
        ),
    ] = None,
    store: Store = None,
    project: Project = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write reports of a run: a page for a browser that fetches nothing, or files for other tools.

    Nothing is asked and nothing is judged again. Agreement with labels is shown where there are some.
    """
    outputs = output or [Path("report.html")]
    with found_run(run, store, project, kind=kind_meant(context)) as found:
        found.must_be("evaluation", against=against, trend=trend)
        found.must_be("large", by=by, metric=metric, max_rows=most)
        if found.kind == "suite":
            _report_suite(found, outputs, as_json=as_json)
            return
        for path in outputs:
            if path.suffix != ".html":
                raise SpecError(f"`{path}` must have a name that ends in `.html`")
        if found.kind == "large":
            limits = limits_of(memory, threads)
            _report_large(found.results, outputs, by or [], metric, most or MAX_ROWS, limits, as_json=as_json)
        else:
            with found_runs([against] if against else [], store, project, kind="evaluation") as others:
                _report_evaluation(found, outputs, others, trend=trend, as_json=as_json)


def export(
    context: typer.Context,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Where to: .jsonl, .csv or .parquet; a large run also to a store: FILE.sqlite3, "
            "postgresql://USER@HOST/DATABASE.",
            show_default=False,
        ),
    ],
    run: RunArgument = "latest",
    readings: Annotated[
        bool,
        typer.Option(
            "--readings", metavar="", help="A row a score, with its reason; a row an answer unless given."
        ),
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Of a large run, in a store: the column that says what kind of question it is.",
            show_default=False,
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test",
            metavar="NAME",
            help="Of a large run, in a store: the test that it is a run of.",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="TEXT",
            help="Of a large run, in a store: what the run is called.",
            show_default=False,
        ),
    ] = None,
    store: Store = None,
    project: Annotated[
        str | None,
        typer.Option(
            "--project",
            metavar="NAME",
            help="Only runs of this project; of a large run, its project in a store.",
            show_default=False,
        ),
    ] = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write the rows of a run to a file: a row an answer, with all metrics as columns."""
    with found_run(run, store, project, kind=kind_meant(context)) as found:
        found.must_be("large", by=by, test=test, name=name)
        if found.kind == "large" and not readings:
            named = (project, test or "default", name or "")
            _export_large(found.results, output, named, by, limits_of(memory, threads), as_json=as_json)
        else:
            _export_rows(found, Path(output), readings=readings, as_json=as_json)


def _report_suite(found: FoundRun, outputs: list[Path], *, as_json: bool) -> None:
    from sensecheck.runs.export import suffix_of, write_report

    for path in outputs:
        suffix_of(path)
    file, run = found.file, found.run
    for path in outputs:
        write_report(file, path)
        if not as_json:
            Console().line("written to ", (safe(str(path)), "bold"))
    if as_json:
        written = [str(path) for path in outputs]
        write_json({"run": str(file.path), "written": written, "whole": run.whole})
    elif not run.whole:
        about = f"interrupted after {run.done:,} of {run.set.size:,} answers; the reports hold no more"
        Console().line(("note: ", "bold yellow"), f"the run was {about}")
    raise typer.Exit(PASSED if run.whole else NOT_JUDGED)


def _report_evaluation(
    found: FoundRun, outputs: list[Path], others: list[FoundRun], *, trend: bool, as_json: bool
) -> None:
    from sensecheck.runs.evaluation_page import write_page

    table = found.place.table(found.run)
    besides = _besides(found, table, others[0] if others else None, trend=trend)
    for path in outputs:
        write_page(found.place, table, path, besides=besides)
        if as_json:
            write_json({"run": found.run.key, "written": str(path)})
        else:
            Console().line(f"run {found.run.key} written to ", (safe(str(path)), "bold"))


def _report_large(
    run: "FinishedRun",
    outputs: list[Path],
    by: list[str],
    metric: str | None,
    most: int,
    limits: "QueryLimits",
    *,
    as_json: bool,
) -> None:
    with extra("scale"):
        from sensecheck.runs.large_page import write_results_page

    for path in outputs:
        shown, rows = (
            write_results_page(run, path, metric=metric, by=by, most=most, limits=limits),
            run.manifest.rows,
        )
        if as_json:
            write_json({"run": run.address, "written": str(path), "shown": shown, "rows": rows})
        else:
            Console().line(f"{shown:,} of {counted(rows, 'row')} written to ", (safe(str(path)), "bold"))


def _export_rows(found: FoundRun, output: Path, *, readings: bool, as_json: bool) -> None:
    from sensecheck.runs.export import write_rows
    from sensecheck.runs.rows import READING, AnswerRows, reading_rows

    if output.suffix not in _FORMS:
        known = ", ".join(f"`{form}`" for form in _FORMS)
        raise SpecError(f"`{output}` names no form of export by its ending; known: {known}")
    place, run = found.place, found.run
    if readings:
        count = write_rows(output, READING, reading_rows(place, run))
    else:
        answers = AnswerRows.of(place, run)
        count = write_rows(output, answers.columns, answers.rows())
    if as_json:
        write_json({"run": run.key, "rows": count, "file": str(output)})
    else:
        Console().line(f"{count:,} rows written to ", (safe(str(output)), "bold"))


def _export_large(
    run: "FinishedRun",
    to: str,
    named: tuple[str | None, str, str],
    by: str | None,
    limits: "QueryLimits",
    *,
    as_json: bool,
) -> None:
    """All rows in the order of the inputs: to a file, or to a store of evaluations."""
    path = Path(to)
    if "://" in to or path.suffix in _STORES:
        kept = _to_store(run, to, named, by, limits, hidden=as_json)
        _say_exported(
            run.manifest.rows, f"run {kept.key} of {kept.test.project}", {"run": kept.key}, as_json=as_json
        )
        return
    _options_must_be_for_files(by, named[0])
    count = _to_file(run, path, limits)
    _say_exported(count, to, {"written": to}, as_json=as_json)


def _besides(found: FoundRun, table: "RunTable", before: FoundRun | None, *, trend: bool) -> "Besides":
    """What is shown alongside the run itself."""
    from sensecheck.runs.comparison import compare
    from sensecheck.runs.evaluation_page import Besides

    store, run = found
    if before is not None and (before.run.key, before.place.address) == (run.key, store.address):
        raise SpecError(f"`--against` names the run {run.key} itself; wanted another one")
    return Besides(
        None if before is None else compare(before, found).to_data(),
        [point.to_data() for point in trend_of(store, _runs_until(store, run), None)] if trend else (),
        [row.to_data() for label in sorted(table.labels) for row in _agreement(store, table, label)],
    )


def _agreement(store: "RunPlace", table: "RunTable", label: str) -> "tuple[Agreement, ...]":
    from sensecheck.runs.agreement import agreement, said_yes_or_no

    return agreement(table, label, yes_or_no=said_yes_or_no(store, [table.run], label))


def _runs_until(store: "RunPlace", run: "Run") -> "list[Run]":
    """The runs of the same test, the oldest first, and this one last."""
    runs = store.runs(project=run.test.project, test=run.test.name)
    until = [one for one in runs if one.done and (one.started_at, one.key) <= (run.started_at, run.key)]
    return sorted(until, key=lambda one: (one.started_at, one.key))[-_LAST_RUNS:]


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
    with store.session(), bar(hidden=hidden) as progress:
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
            raise SpecError(f"`{option}` must be a store in `--output`; got a file")


def _say_exported(count: int, where: str, where_data: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        write_json({"rows": count, **where_data})
    else:
        Console().line(f"{counted(count, 'row')} written to ", (safe(where), "bold"))
