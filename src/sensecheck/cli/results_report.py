"""`sensecheck results report`: a large run as a page to look through."""

from pathlib import Path
from typing import Annotated

import typer

from sensecheck.cli.history_table import counted
from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.results_options import By, Folder, Memory, Threads, limits_of, opened
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

# ruff: noqa: PLC0415 - reading results wants DuckDB and Arrow, which `--help` does without


def report(
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
    run, limits = opened(folder), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.evals.results.page import write_results_page

    shown = write_results_page(run, html, metric=metric, by=by or (), most=most, limits=limits)
    rows = run.manifest.rows
    if as_json:
        write_json({"run": run.address, "written": str(html), "shown": shown, "rows": rows})
    else:
        Paper().say(f"{shown:,} of {counted(rows, 'row')} written to ", (safe(str(html)), "bold"))
