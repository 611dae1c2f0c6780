"""Any run by number, name, path or URL.

What the verbs of `sensecheck history` can be told, and the store that they read.

What the verbs of results can be told, and the runs that they read.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.options import settings_with
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.parquet import FinishedRun, Limits
    from sensecheck.runs.sql import EvalStore


# ruff: noqa: PLC0415 - the store brings numpy and SQLAlchemy along, which `--help` does without

_RUN = "its number, `latest`, `previous`, its name, or how its id begins"
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


@contextmanager
def opened(address: str | None) -> "Iterator[EvalStore]":
    """The store that is meant, which must be there; what its database refuses becomes a readable line."""
    with extra("store"):
        from sensecheck.cli.evaluation.execute import told_plainly

    with told_plainly(_store(settings_with(None).store if address is None else address)) as store:
        yield store


def _store(address: str) -> "EvalStore":
    """Reading makes no database where none is."""
    from pathlib import Path

    with extra("store"):
        from sensecheck.store.address import database_url, shown, store_option

    url = database_url(address)
    is_file = url.get_backend_name() == "sqlite"
    if is_file and not Path(url.database or "").is_file():
        raise SpecError(
            f"there is no store `{shown(url)}`; `sensecheck eval QUESTIONS{store_option(url)}` makes it, "
            "or name another with `--store`"
        )
    with extra("store" if is_file else "postgresql"):
        from sensecheck.runs.sql import EvalStore

        return EvalStore.open(address)


def runs_named(store: "EvalStore", named: list[str] | None, project: str | None) -> "list[Run]":
    """The runs that are meant, each once, in the order of time."""
    found = {run.key: run for run in (store.run(name, project=project) for name in named or ["latest"])}
    return [found[key] for key in sorted(found)]


def chosen_label(
    known: tuple[str, ...], label: str | None, *, runs: "Sequence[Run]", store: "EvalStore"
) -> str:
    """The label that is meant; where there is only one, it need not be named."""
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


def opened_results(address: str) -> "FinishedRun":
    """The run, which must be finished."""
    with extra("scale"):
        from sensecheck.runs.parquet import finished_run

    return finished_run(address)


def limits_of(memory: int, threads: int | None) -> "Limits":
    """What the options say."""
    with extra("scale"):
        from sensecheck.runs.parquet import Limits

    return Limits(memory, threads)
