"""`sensecheck results summary`: what a large run came to."""

from typing import Annotated

import typer

from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper
from sensecheck.cli.results_options import Folder, Memory, Threads, limits_of, opened
from sensecheck.core.extras import extra

# ruff: noqa: PLC0415 - reading results wants DuckDB and Arrow, which `--help` does without


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
    run, limits = opened(folder), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.evals.results.summary import summary_of

    found = summary_of(run, by=by, exact=exact or None, limits=limits)
    if as_json:
        write_json(found.to_data())
        return
    from sensecheck.cli.results_sheet import show_summary

    show_summary(Paper(), found)
