"""`sensecheck results export`: the rows of a large run for other tools, or for the store of evaluations."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.history_table import counted
from sensecheck.cli.history_written import write_rows
from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.progress import bar
from sensecheck.cli.results_options import Folder, Memory, Threads, limits_of, opened
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.evals.results.finished import FinishedRun
    from sensecheck.evals.results.rows import Limits

# ruff: noqa: PLC0415 - reading results wants DuckDB and Arrow, which `--help` does without

_STORES = (".sqlite3", ".sqlite", ".db")
_WAYS = (
    "`FILE.parquet`, `FILE.jsonl`, `FILE.csv`, or a store: `postgresql://USER@HOST/DATABASE`, `FILE.sqlite3`"
)


def export(
    folder: Folder,
    to: Annotated[str, typer.Option("--to", metavar="WHERE", help=f"Where to: {_WAYS.replace('`', '')}.")],
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
    run, path, limits = opened(folder), Path(to), limits_of(memory, threads)
    if "://" in to or path.suffix in _STORES:
        kept = _to_store(run, to, (project, test, name), by, limits, hidden=as_json)
        _tell(run.manifest.rows, f"run {kept.key} of {kept.test.project}", {"run": kept.key}, as_json=as_json)
        return
    _must_be_no_store(by, project)
    count = _to_file(run, path, limits)
    _tell(count, to, {"written": to}, as_json=as_json)


def _to_file(run: "FinishedRun", path: Path, limits: "Limits") -> int:
    from sensecheck.evals.results.exporting import export_parquet, plain_rows

    if path.suffix == ".parquet":
        return export_parquet(run, path, limits=limits)
    if path.suffix not in (".jsonl", ".csv"):
        raise SpecError(f"`{path}` names no form of export; known: {_WAYS}")
    with plain_rows(run, limits=limits) as (names, rows):
        cells = rows if path.suffix == ".jsonl" else (_cells(row) for row in rows)
        return write_rows(path, dict.fromkeys(names, str), cells)


def _cells(row: dict[str, Any]) -> dict[str, Any]:
    """A list in a cell of a table is JSON."""
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value
        for name, value in row.items()
    }


def _to_store(
    run: "FinishedRun",
    address: str,
    named: tuple[str | None, str, str],
    by: str | None,
    limits: "Limits",
    *,
    hidden: bool,
) -> "Run":
    with extra("postgresql" if address.startswith("postgres") else "store"):
        from sensecheck.cli.store_refusals import told_plainly
        from sensecheck.evals.results.storing import keep_in_store
        from sensecheck.store.eval_store import EvalStore

        store = EvalStore.open(address)
    project, test, name = named
    own = run.address.rstrip("/").rpartition("/")[2]
    slices = () if by is None else (run.must_carry(by),)
    with told_plainly(store) as held, bar(hidden=hidden) as shown:
        task = shown.add_task("rows", total=run.manifest.rows)
        return keep_in_store(
            run,
            held,
            project=project or own,
            test=test,
            name=name or own,
            slices=slices,
            limits=limits,
            on_kept=lambda count: shown.advance(task, count),
        )


def _must_be_no_store(by: str | None, project: str | None) -> None:
    for option, given in (("--by", by), ("--project", project)):
        if given is not None:
            raise SpecError(f"`{option}` wants a store in `--to`; found a file")


def _tell(count: int, where: str, told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        write_json({"rows": count, **told})
    else:
        Paper().say(f"{counted(count, 'row')} written to ", (safe(where), "bold"))
