"""`sensecheck history show`: what one evaluation came to, or one of its questions in full."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensecheck.cli.history_options import Project, RunArgument, opened
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.run_reading import AnsweredPair, RunTable

# ruff: noqa: PLC0415 - the parts that read runs bring numpy along, which `--help` does without

Worst = list[tuple[str, float, "AnsweredPair"]]


def show(
    run: RunArgument = "latest",
    question: Annotated[
        str | None,
        typer.Option(
            "--question", metavar="ID", help="Show this question in full instead.", show_default=False
        ),
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the worst questions by this metric; by the one that agrees best with people unless "
            "given.",
            show_default=False,
        ),
    ] = None,
    worst: Annotated[
        int, typer.Option("--worst", min=0, metavar="N", help="How many of the worst questions to show.")
    ] = 5,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Show the metrics of a run, what could not be read and why, and its worst questions."""
    with opened(store) as held:
        found = held.run(run, project=project)
        if question is not None:
            _show_question(held, found, question, as_json=as_json)
        else:
            _show_run(held, found, metric, worst, as_json=as_json)


def _show_question(store: "EvalStore", run: "Run", question: str, *, as_json: bool) -> None:
    from sensecheck.cli.history_names import position_in
    from sensecheck.cli.history_pair import pair_data, show_pair

    found = next(store.answers(run, [position_in(store, run, question)]), None)
    if found is None:
        raise SpecError(f"the run {run.key} has not come to the question `{question}` yet")
    if as_json:
        write_json(pair_data(run, found))
    else:
        show_pair(Paper(), run, found)


def _show_run(store: "EvalStore", run: "Run", metric: str | None, most: int, *, as_json: bool) -> None:
    from sensecheck.cli.history_sheet import show_run
    from sensecheck.evals.qa.compare.brief import RunBrief
    from sensecheck.evals.qa.metric_order import ordered
    from sensecheck.evals.qa.totals import totals_of

    table = ordered(store.table(run))
    totals, chosen = totals_of(store, table), _chosen(table, metric)
    told = _worst(store, run, table, chosen, most)
    if not as_json:
        show_run(Paper(), table, totals, chosen, told, address=store.address)
        return
    labels = {name: int((said == said).sum()) for name, said in table.labels.items()}
    worst = [{"id": name, "metric": chosen, "value": value} for name, value, _ in told]
    write_json({**RunBrief.of(run).to_data(), **totals.to_data(), "labels": labels, "worst": worst})


def _chosen(table: "RunTable", metric: str | None) -> str | None:
    """The metric by which the worst are told; None where nothing was read."""
    from sensecheck.evals.qa.compare.moved import telling

    own = [one.name for one in table.metrics if table.column(one.name) is not None]
    if metric is not None and metric not in own:
        raise SpecError(unknown(f"metric of the run {table.run.key}", metric, set(own)))
    return telling(own) if metric is None else metric


def _worst(store: "EvalStore", run: "Run", table: "RunTable", metric: str | None, most: int) -> Worst:
    import numpy as np

    column: Any = None if metric is None else table.column(metric)
    if column is None:
        return []
    order = np.argsort(column, kind="stable")[: int((~np.isnan(column)).sum())][:most]
    places = [int(at) for at in order]
    answers = {one.position: one for one in store.answers(run, places)}
    return [(table.names[at], float(column[at]), answers[at]) for at in places]
