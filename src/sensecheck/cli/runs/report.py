"""`sensecheck runs report` and `runs export`: a run of any place as pages and files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.console import Console, safe, write_json
from sensecheck.cli.exit_codes import NOT_JUDGED, PASSED
from sensecheck.cli.options import Json, Store, option
from sensecheck.cli.progress import bar
from sensecheck.cli.runs.select import (
    FoundRun,
    Memory,
    Project,
    RunArgument,
    Threads,
    find_run,
    find_runs,
    kind_meant,
)
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.text.escaping import counted

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.agreement import Agreement
    from sensecheck.runs.evaluation_page import Besides
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import RunTable

# ruff: noqa: PLC0415 - the parts that read runs bring numpy, DuckDB and Arrow along, which `--help` does without

MAX_ROWS = 5000
_LAST_RUNS = 30
"""Runs of the same test, up to this one, that the page shows as a trend."""
_FORMS = (".jsonl", ".csv", ".parquet")
_STORES = (".sqlite3", ".sqlite", ".db")
MAX_LABELLED_ROWS = 1_000_000
"""Of more rows agreement with labels is not computed for a page."""


def report(
    context: typer.Context,
    run: RunArgument = "latest",
    output: Annotated[
        list[Path] | None,
        option(
            "--output -o FILE",
            "Where to, and by its ending in which form: .html; for batteries also .xml (JUnit), .json, "
            ".jsonl, .csv, .md, .promptfoo.json. Repeat for more; report.html unless given.",
        ),
    ] = None,
    against: Annotated[
        str | None, option("--against RUN", "Compare with this run, named in the same way.")
    ] = None,
    trend: Annotated[bool, option("--trend", "Show how the runs of its test went, up to this one.")] = False,
    by: Annotated[
        list[str] | None,
        option(
            "--by NAME",
            "Also for each value of this slice, or column that a large run carries. Repeat for more.",
        ),
    ] = None,
    metric: Annotated[
        str | None,
        option(
            "--metric NAME", "Of a run with more answers than a page can hold: show the worst by this metric."
        ),
    ] = None,
    most: Annotated[
        int | None,
        option("--max-rows N", f"At most N answers are shown one by one; {MAX_ROWS:,} unless given.", min=1),
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
    from sensecheck.runs.evaluation_page import write_page

    outputs = output or [Path("report.html")]
    with find_run(run, store, project, kind=kind_meant(context), limits=(memory, threads)) as found_run:
        if found_run.kind == "suite":
            _report_suite(found_run, outputs, as_json=as_json)
            return
        for path in outputs:
            if path.suffix != ".html":
                raise SpecError(f"`{path}` must have a name that ends in `.html`")
        kind = kind_meant(context) or "evaluation"
        with find_runs([against] if against else [], store, project, kind=kind) as others:
            besides = _besides(found_run, others[0] if others else None, trend=trend)
            for path in outputs:
                count = write_page(
                    *found_run, path, besides=besides, by=by, metric=metric, most=most or MAX_ROWS
                )
                key, rows = found_run.run.key, found_run.run.done
                if as_json:
                    write_json({"run": key, "written": str(path), "shown": count, "rows": rows})
                else:
                    some = f", {count:,} of {counted(rows, 'answer')}" if count < rows else ""
                    Console().line(f"run {key} written to ", (safe(str(path)), "bold"), some)


def export(
    context: typer.Context,
    output: Annotated[
        str,
        option(
            "--output -o FILE",
            "Where to: .jsonl, .csv or .parquet; or a place for a copy of the run and its labels: "
            "FILE.sqlite3, postgresql://USER@HOST/DATABASE, folder:PATH, parquet:ADDRESS.",
        ),
    ],
    run: RunArgument = "latest",
    readings: Annotated[
        bool, option("--readings", "A row a score, with its reason; a row an answer unless given.")
    ] = False,
    label: Annotated[
        str | None,
        option(
            "--label NAME", "Only answers with this label, as `sensecheck calibrate` reads them; to a .jsonl."
        ),
    ] = None,
    test: Annotated[str | None, option("--test NAME", "Of a copy: the test that it is a run of.")] = None,
    name: Annotated[str | None, option("--name TEXT", "Of a copy: what the run is called.")] = None,
    store: Store = None,
    project: Annotated[
        str | None,
        option("--project NAME", "Only runs of this project; the project of a copy of a large run."),
    ] = None,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write the rows of a run to a file, a row an answer with its metrics; or copy it to another place."""
    with find_run(
        run,
        store,
        None if kind_meant(context) == "large" else project,
        kind=kind_meant(context),
        limits=(memory, threads),
    ) as found_run:
        if label is None and _is_place(output):
            _copy(found_run, output, project, test, name, as_json=as_json)
            return
        for flag, value in (("--test", test), ("--name", name)):
            if label is None and value is not None:
                raise SpecError(f"`{flag}` is for a copy in a place; `{output}` is a file")
        _export_rows(found_run, Path(output), label, readings=readings, as_json=as_json)


def _report_suite(found_run: FoundRun, outputs: list[Path], *, as_json: bool) -> None:
    from sensecheck.runs.export import suffix_of, write_report

    for path in outputs:
        suffix_of(path)
    file, run = found_run.file, found_run.run
    for path in outputs:
        write_report(file, path)
        if not as_json:
            Console().line("written to ", (safe(str(path)), "bold"))
    if as_json:
        paths = [str(path) for path in outputs]
        write_json({"run": str(file.path), "written": paths, "whole": run.whole})
    elif not run.whole:
        about = f"interrupted after {run.done:,} of {run.set.size:,} answers; the reports hold no more"
        Console().line(("note: ", "bold yellow"), f"the run was {about}")
    raise typer.Exit(PASSED if run.whole else NOT_JUDGED)


def _export_rows(
    found_run: FoundRun, output: Path, label: str | None, *, readings: bool, as_json: bool
) -> None:
    from sensecheck.runs.export import write_rows
    from sensecheck.runs.rows import LABELLED, READING, AnswerRows, labelled_rows, reading_rows

    place, run = found_run
    if label is not None:
        if readings or output.suffix != ".jsonl":
            raise SpecError(f"`--label` writes samples to a `.jsonl`, without `--readings`; got `{output}`")
        names = place.outline(run).labels
        if label not in names:
            raise SpecError(did_you_mean("label", label, names))
        columns, rows = LABELLED, labelled_rows(place, run, label)
    elif output.suffix not in _FORMS:
        forms = ", ".join(f"`{form}`" for form in _FORMS)
        raise SpecError(f"`{output}` names no form of export by its ending; known: {forms}, or a place")
    elif readings:
        columns, rows = READING, reading_rows(place, run)
    else:
        answers = AnswerRows.of(place, run)
        columns, rows = answers.columns, answers.rows()
    count = write_rows(output, columns, rows)
    if as_json:
        write_json({"run": run.key, "rows": count, "file": str(output)})
    else:
        what = counted(count, "row" if label is None else "labelled answer")
        Console().line(f"{what} written to ", (safe(str(output)), "bold"))


def _is_place(output: str) -> bool:
    return "://" in output or output.startswith(("folder:", "parquet:")) or Path(output).suffix in _STORES


def _copy(
    found_run: FoundRun,
    address: str,
    project: str | None,
    test: str | None,
    name: str | None,
    *,
    as_json: bool,
) -> None:
    from sensecheck.runs.find import open_place
    from sensecheck.runs.rows import copy_run

    target = open_place(address)
    with target.session(), bar(hidden=as_json) as progress:
        task = progress.add_task("rows", total=found_run.run.done)
        copy = copy_run(
            found_run.place,
            found_run.run,
            target,
            project=project or (found_run.run.name if found_run.kind == "large" else None),
            test=test or ("default" if found_run.kind == "large" else None),
            name=name,
            on_stored=lambda count: progress.advance(task, count),
        )
    if as_json:
        write_json({"rows": found_run.run.done, "run": copy.key, "store": target.address})
    else:
        where = f"run {copy.key} of {copy.test.project} in {target.address}"
        Console().line(f"{counted(found_run.run.done, 'row')} written to ", (safe(where), "bold"))


def _besides(found_run: FoundRun, before: FoundRun | None, *, trend: bool) -> "Besides":
    """What is shown alongside the run itself."""
    from sensecheck.runs.comparison import compare
    from sensecheck.runs.evaluation_page import Besides
    from sensecheck.runs.trend import trend_of

    store, run = found_run
    if before is not None and (before.run.key, before.place.address) == (run.key, store.address):
        raise SpecError(f"`--against` names the run {run.key} itself; wanted another one")
    labels = store.outline(run).labels if run.set.size <= MAX_LABELLED_ROWS else ()
    table = store.table(run) if labels else None
    return Besides(
        None if before is None else compare(before, found_run).to_data(),
        [point.to_data() for point in trend_of(store, _runs_until(store, run), None)] if trend else (),
        [row.to_data() for label in labels for row in _agreement(store, table, label)] if table else (),
    )


def _agreement(store: "RunPlace", table: "RunTable", label: str) -> "tuple[Agreement, ...]":
    from sensecheck.runs.agreement import agreement, is_binary

    return agreement(table, label, yes_or_no=is_binary(store, [table.run], label))


def _runs_until(store: "RunPlace", run: "Run") -> "list[Run]":
    """The runs of the same test, the oldest first, and this one last."""
    runs = store.runs(project=run.test.project, test=run.test.name)
    earlier_runs = [
        candidate
        for candidate in runs
        if candidate.done and (candidate.started_at, candidate.key) <= (run.started_at, run.key)
    ]
    return sorted(earlier_runs, key=lambda candidate: (candidate.started_at, candidate.key))[-_LAST_RUNS:]
