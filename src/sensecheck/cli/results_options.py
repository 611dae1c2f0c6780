"""What the verbs of results can be told, and the runs that they read."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.evals.results.finished import FinishedRun
    from sensecheck.evals.results.rows import Limits

# ruff: noqa: PLC0415 - reading results wants DuckDB and Arrow, which `--help` does without

FOLDER = "A finished run: the folder or URL that `sensecheck eval … --out` wrote."
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help=FOLDER, show_default=False)]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        help="Also for each value of this column, which the results carry. Repeat for more.",
        show_default=False,
    ),
]
Memory = Annotated[
    int, typer.Option("--memory", metavar="MB", help="What reading may take; more is done on the disk.")
]
Threads = Annotated[
    int | None,
    typer.Option("--threads", min=1, metavar="N", help="All cores unless given.", show_default=False),
]


def opened(address: str) -> "FinishedRun":
    """The run, which must be finished."""
    with extra("scale"):
        from sensecheck.evals.results.finished import finished_run

    return finished_run(address)


def limits_of(memory: int, threads: int | None) -> "Limits":
    """What the options say."""
    with extra("scale"):
        from sensecheck.evals.results.rows import Limits

    return Limits(memory, threads)
