"""`sensecheck history compare` and `encoders`: what differs, and whether it is more than chance."""

from typing import Annotated

import typer

from sensecheck.cli.fail_on import WORSE, judged, must_be_known
from sensecheck.cli.history_options import Alpha, Project, RunArgument, opened
from sensecheck.cli.options import Json, Store
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper
from sensecheck.core.extras import extra

# ruff: noqa: PLC0415 - comparisons bring numpy along, which `--help` does without

EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on worse, neither a label nor a metric fell by more than chance",
        "1  a label or a metric fell by more than chance, under --fail-on worse",
        "2  the command is wrong, or the runs have nothing in common",
        "3  under --fail-on worse: nothing fell, but what there was before is not there now (a metric, a "
        "question, a number), or AFTER is not whole",
    )
)


def compare(
    before: Annotated[
        str, typer.Argument(metavar="BEFORE", help="The earlier run: its number, `previous`, or its id.")
    ] = "previous",
    after: Annotated[
        str, typer.Argument(metavar="AFTER", help="The later run: its number, `latest`, or its id.")
    ] = "latest",
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the questions that moved most by this metric.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar=WORSE,
            help="Exit with 1 when a label or a metric fell by more than chance.",
            show_default=False,
        ),
    ] = None,
    alpha: Alpha = 0.05,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Hold a run against an earlier one: every metric, every slice, and the questions that moved."""
    with extra("store"):
        from sensecheck.evals.qa.compare.comparison import compare_runs

    must_be_known(fail_on)
    with opened(store) as held:
        old, new = (held.run(named, project=project) for named in (before, after))
        found = compare_runs(held, old, new, alpha=alpha, metric=metric)
    if as_json:
        write_json(found.to_data())
    else:
        from sensecheck.cli.history_compared import show_comparison

        show_comparison(Paper(), found)
    raise typer.Exit(judged(found, fail_on))


def encoders(
    run: RunArgument = "latest",
    metric: Annotated[
        str, typer.Option("--metric", metavar="NAME", help="The metric that they are compared by.")
    ] = "semantic_similarity",
    alpha: Alpha = 0.05,
    store: Store = None,
    project: Project = None,
    as_json: Json = False,
) -> None:
    """Hold the encoders of one run against each other: how far they agree, and where they do not."""
    with extra("store"):
        from sensecheck.evals.qa.compare.encoders import compare_encoders

    with opened(store) as held:
        found = compare_encoders(held.table(held.run(run, project=project)), metric, alpha=alpha)
    if as_json:
        write_json([one.to_data() for one in found])
        return
    from sensecheck.cli.history_compared import show_encoders

    show_encoders(Paper(), found)
