"""The options that name runs, and the runs, labels and limits that they stand for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.parquet import FinishedRun, QueryLimits
    from sensecheck.runs.sql import EvalStore

# ruff: noqa: PLC0415 - the store brings SQLAlchemy, and results DuckDB and Arrow along, which `--help` does without

_RUN = "its number, `latest`, `previous`, its name, or how its id begins"
_FOLDER = "A finished run: the folder or URL that `sensecheck eval … --out` wrote."
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help=f"The run: {_RUN}.", show_default=True)]
Runs = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN…", help=f"The runs: each by {_RUN}. The latest unless given."),
]
Project = Annotated[
    str | None,
    typer.Option("--project", metavar="NAME", help="Only runs of this project.", show_default=False),
]
TestName = Annotated[
    str | None, typer.Option("--test", metavar="NAME", help="Only runs of this test.", show_default=False)
]
Alpha = Annotated[
    float,
    typer.Option(
        "--alpha",
        metavar="P",
        help="The chance of a false claim within labels, headline metrics, parts, or slices; 1 - P of "
        "intervals.",
    ),
]
LabelName = Annotated[
    str | None,
    typer.Option(
        "--label",
        metavar="NAME",
        help="What people said of the answers; need not be named where there is one label.",
        show_default=False,
    ),
]
Folder = Annotated[str, typer.Argument(metavar="FOLDER", help=_FOLDER, show_default=False)]
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


def runs_named(store: "EvalStore", named: list[str] | None, project: str | None) -> "list[Run]":
    """The runs that are named, each once, in the order of time."""
    found = {run.key: run for run in (store.run(name, project=project) for name in named or ["latest"])}
    return [found[key] for key in sorted(found)]


def chosen_label(
    known: tuple[str, ...], label: str | None, *, runs: "Sequence[Run]", store: "EvalStore"
) -> str:
    """The label that is named; where there is only one, it need not be named."""
    if label is not None:
        return label
    if len(known) == 1:
        return known[0]
    if not known:
        from sensecheck.store.address import store_option

        numbers = ", ".join(str(run.key) for run in runs)
        add = f"sensecheck history label {runs[-1].key} FILE{store_option(store.address)}"
        which = "run" if len(runs) == 1 else "runs"
        raise SpecError(f"no answer of the {which} {numbers} has a label; add some with `{add}`")
    raise SpecError(f"there are several labels; say which with `--label`: {', '.join(known)}")


def opened_results(address: str) -> "FinishedRun":
    """The run, which must be finished."""
    with extra("scale"):
        from sensecheck.runs.parquet import finished_run

    return finished_run(address)


def limits_of(memory: int, threads: int | None) -> "QueryLimits":
    """How much reading may take, as the options say."""
    with extra("scale"):
        from sensecheck.runs.parquet import QueryLimits

    return QueryLimits(memory, threads)
