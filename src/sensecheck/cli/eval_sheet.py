"""What an evaluation came to, on paper and as data."""

from typing import Any

from sensecheck.cli.history_table import counted
from sensecheck.cli.paint import Paper, safe
from sensecheck.cli.totals_table import show_metrics, show_unanswered
from sensecheck.core.run import Run
from sensecheck.evals.qa.totals import Totals
from sensecheck.store.address import store_option


def show_totals(paper: Paper, run: Run, totals: Totals, address: str, *, before: int | None) -> None:
    """The table of metrics, what is missing in it and why, and where to see more."""
    show_metrics(paper, totals)
    _show_counts(paper, totals)
    for told in totals.notes:
        paper.say((safe(told), "dim"), label=("note: ", "yellow"))
    where = (
        f"run {run.key}{f' ({safe(run.name)})' if run.name else ''} of the project {safe(run.test.project)}"
    )
    paper.say((f"{where} is kept in {safe(address)}", "dim"))
    named = safe(store_option(address))
    paper.say(("look at it: ", "dim"), (f"sensecheck history show {run.key}{named}", "cyan"))
    if before is not None:
        compare = f"sensecheck history compare {before} {run.key}{named}"
        paper.say(("hold it against the one before: ", "dim"), (compare, "cyan"))


def totals_data(run: Run, totals: Totals, address: str, code: int) -> dict[str, Any]:
    """The same for programs."""
    return {
        "run": run.key,
        "id": run.id,
        "name": run.name,
        "project": run.test.project,
        "test": run.test.name,
        "store": address,
        **totals.to_data(),
        "exit_code": code,
    }


def _show_counts(paper: Paper, totals: Totals) -> None:
    told = f"{counted(totals.questions, 'question')}, {totals.answered:,} answered"
    paper.say((told, "bold"), (f", {totals.unread:,} readings failed" if totals.unread else "", "magenta"))
    show_unanswered(paper, totals)
