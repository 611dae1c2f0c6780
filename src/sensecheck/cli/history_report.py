"""`sensecheck history report`: a kept run as a page to look through."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.history_options import Project, RunArgument, opened
from sensecheck.cli.history_trend import trend_of
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.evals.qa.agreement.with_labels import Agreement
    from sensecheck.evals.qa.report.page_data import Besides
    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.run_reading import RunTable

# ruff: noqa: PLC0415 - pages bring numpy along, which `--help` does without

_LAST = 30
"""Runs of the same test, up to this one, that the page shows as a trend."""


def report(
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
        from sensecheck.evals.qa.report.page import write_page

    if output.suffix != ".html":
        raise SpecError(f"`{output}` wants a name that ends in `.html`")
    with opened(store) as held:
        chosen = held.run(run, project=project)
        before = None if against is None else held.run(against, project=project)
        table = held.table(chosen)
        write_page(held, table, output, besides=_besides(held, table, before, trend=trend))
    _tell(output, chosen, as_json=as_json)


def _besides(store: "EvalStore", table: "RunTable", before: "Run | None", *, trend: bool) -> "Besides":
    """What is told beside the run itself."""
    from sensecheck.evals.qa.compare.comparison import compare_runs
    from sensecheck.evals.qa.report.page_data import Besides

    run = table.run
    if before is not None and before.key == run.key:
        raise SpecError(f"`--against` names the run {run.key} itself; wanted another one")
    return Besides(
        None if before is None else compare_runs(store, before, run).to_data(),
        [point.to_data() for point in trend_of(store, _runs_until(store, run), None)] if trend else (),
        [row.to_data() for label in sorted(table.labels) for row in _agreement(store, table, label)],
    )


def _agreement(store: "EvalStore", table: "RunTable", label: str) -> "tuple[Agreement, ...]":
    from sensecheck.evals.qa.agreement.raters import said_yes_or_no
    from sensecheck.evals.qa.agreement.with_labels import agreement

    return agreement(table, label, yes_or_no=said_yes_or_no(store, [table.run], label))


def _runs_until(store: "EvalStore", run: "Run") -> "list[Run]":
    """The runs of the same test, the oldest first, and this one last."""
    runs = store.runs(project=run.test.project, test=run.test.name)
    held = [one for one in runs if one.done and (one.started_at, one.key) <= (run.started_at, run.key)]
    return sorted(held, key=lambda one: (one.started_at, one.key))[-_LAST:]


def _tell(path: Path, run: "Run", *, as_json: bool) -> None:
    if as_json:
        write_json({"run": run.key, "written": str(path)})
    else:
        Paper().say(f"run {run.key} written to ", (safe(str(path)), "bold"))
