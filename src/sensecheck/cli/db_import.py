"""`sensecheck db import`: evaluations of another database, kept in ours as they are."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.options import Json, Store, settings_with
from sensecheck.cli.outcomes import FAILED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.progress import bar
from sensecheck.core.errors import NotKept
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.importing import Imported, Importing

# ruff: noqa: PLC0415 - databases are an extra, which `--help` does without

_STATES = {"imported": "green", "already there": "dim", "kept otherwise": "bold yellow"}


def import_(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A file of SQLite, or postgresql://USER@HOST/DATABASE.")
    ],
    project: Annotated[str, typer.Option("--project", metavar="NAME", help="The project to keep them in.")],
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="NAME", help="The test of all runs, instead of the source's own."),
    ] = None,
    encoder_name: Annotated[
        str | None,
        typer.Option(
            "--encoder-name",
            metavar="NAME",
            help="By which encoder its semantic similarities were, where its tests do not say it.",
        ),
    ] = None,
    metrics_too: Annotated[
        bool, typer.Option("--metrics-too", metavar="", help="Other columns of numbers are metrics too.")
    ] = False,
    store: Store = None,
    as_json: Json = False,
) -> None:
    """Bring in the evaluations of another database: its table `evals`, with its ids and its values.

    The source is only read. A run that is there already is not kept twice, and never changed.

    Exit codes: 0 all runs are kept as the source has them, 1 one is kept otherwise than it is there by now,
    2 the command is wrong or the source cannot be understood, 3 a database does not answer.
    """
    with extra("store"):
        from sqlalchemy.exc import DBAPIError

        from sensecheck.store.eval_store import EvalStore
        from sensecheck.store.importing import Wanted, importing
        from sensecheck.store.waiting import first_line

        opened = EvalStore.open(store or settings_with(None).store)
    wanted = Wanted(project, test, encoder_name, metrics_too)
    try:
        with importing(opened, source, wanted) as found:
            done = _brought(found, as_json=as_json)
            if as_json:
                _write(found, opened, done)
            else:
                _sum_up(found, opened, done)
    except DBAPIError as wrong:
        raise NotKept(f"the store `{opened.address}` refused: {first_line(wrong)}") from None
    finally:
        opened.close()
    raise typer.Exit(FAILED if any(one.state == "kept otherwise" for one in done) else PASSED)


def _brought(found: "Importing", *, as_json: bool) -> "list[Imported]":
    """Bring in all runs, and say of each what became of it."""
    paper, done = Paper(), []
    with bar(hidden=as_json) as shown:
        task = shown.add_task("evaluations", total=found.evaluations)
        for one in found.each():
            done.append(one)
            shown.advance(task, one.evaluations)
            if not as_json:
                _show(paper, one)
    return done


def _show(paper: Paper, one: "Imported") -> None:
    counted = f"{one.evaluations:,} evaluation{'' if one.evaluations == 1 else 's'}"
    unknown = f", questions known by their id alone: {one.unknown:,}" if one.unknown else ""
    label = (f"{one.state:<15} ", _STATES[one.state])
    paper.say((safe(one.run), "bold"), f"  {counted}, test {safe(one.test)}{unknown}", label=label)


def _sum_up(found: "Importing", store: "EvalStore", done: "list[Imported]") -> None:
    paper = Paper()
    for note in found.notes:
        paper.say(safe(note), label=("note: ", "yellow"))
    states = _counted(done)
    counts = ", ".join(f"{states[state]:,} {state}" for state in _STATES if states[state])
    paper.say(f"runs in {safe(store.address)}: {counts or 'none; the source has no evaluations'}")
    if states["kept otherwise"]:
        paper.say("what is kept is never changed; import a changed run under another id", indent=2)


def _counted(done: "Iterable[Imported]") -> Counter[str]:
    return Counter(one.state for one in done)


def _write(found: "Importing", store: "EvalStore", done: "list[Imported]") -> None:
    states = _counted(done)
    write_json(
        {
            "source": found.rows.source.address,
            "store": store.address,
            "project": found.wanted.project,
            **{state.replace(" ", "_"): states[state] for state in _STATES},
            "runs": [asdict(one) for one in done],
            "notes": list(found.notes),
        }
    )
