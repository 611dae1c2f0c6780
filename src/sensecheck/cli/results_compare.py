"""`sensecheck results compare`: two large runs held against each other."""

from typing import TYPE_CHECKING, Annotated

import typer

from sensecheck.cli.fail_on import WORSE, judged, must_be_known
from sensecheck.cli.history_options import Alpha
from sensecheck.cli.history_table import counted
from sensecheck.cli.options import Json
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.results_options import By, Memory, Threads, limits_of, opened
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from sensecheck.evals.results.comparing import ResultsComparison

# ruff: noqa: PLC0415 - reading results wants DuckDB and Arrow, which `--help` does without

EXIT_CODES = "\n".join(
    (
        "Exit codes:",
        "0  compared; and, with --fail-on worse, no metric and no check fell by more than chance",
        "1  a metric or a check fell by more than chance, under --fail-on worse",
        "2  the command is wrong, or the runs have nothing in common",
        "3  under --fail-on worse: nothing fell, but what there was before is not there now (a metric, a "
        "row, a number)",
    )
)


def compare(
    before: Annotated[str, typer.Argument(metavar="BEFORE", help="The earlier run: its folder or URL.")],
    after: Annotated[str, typer.Argument(metavar="AFTER", help="The later run: its folder or URL.")],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="COLUMN",
            help="Rows with the same value here are pairs; by their id, or by their place in the same "
            "inputs, unless given.",
            show_default=False,
        ),
    ] = None,
    by: By = None,
    metric: Annotated[
        str | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Show the rows that moved most by this metric.",
            show_default=False,
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar=WORSE,
            help="Exit with 1 when a metric or a check fell by more than chance.",
            show_default=False,
        ),
    ] = None,
    alpha: Alpha = 0.05,
    memory: Memory = 1024,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Hold a run against an earlier one: every metric and check, every slice, and the rows that moved."""
    must_be_known(fail_on)
    old, new, limits = opened(before), opened(after), limits_of(memory, threads)
    with extra("scale"):
        from sensecheck.evals.results.comparing import compare_results

    found = compare_results(old, new, key=key, by=by or (), metric=metric, alpha=alpha, limits=limits)
    if as_json:
        write_json(found.to_data())
    else:
        _show(Paper(), found)
    raise typer.Exit(judged(found, fail_on))


def _show(paper: Paper, found: "ResultsComparison") -> None:
    from sensecheck.cli.history_compared import show_changes, show_claims

    told = f", {counted(found.n, 'row')} in both, known by {safe(found.paired_by)}"
    paper.say((f"{safe(found.before)} → {safe(found.after)}", "bold"), told)
    paper.say("")
    show_changes(paper, found)
    for one in found.metrics:
        if one.lost:
            paper.say((f"{safe(one.metric)}: {one.lost:,} read before and n/a now", "bold magenta"))
    for heading, count in (("only before", found.only_before), ("only now", found.only_after)):
        if count:
            paper.say((f"{counted(count, 'row')} {heading}", "bold"))
    for note in found.notes:
        paper.say(safe(note), label=("note ", "yellow"))
    show_claims(paper, found)
