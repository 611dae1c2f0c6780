"""A kept evaluation, as people read it."""

from sensecheck.cli.history_table import cut
from sensecheck.cli.paint import Paper, quoted, safe
from sensecheck.cli.totals_table import show_metrics, show_unanswered
from sensecheck.core.run import Run
from sensecheck.evals.qa.totals import Totals
from sensecheck.store.address import store_option
from sensecheck.store.run_reading import AnsweredPair, RunTable


def show_run(
    paper: Paper,
    table: RunTable,
    totals: Totals,
    metric: str | None,
    worst: list[tuple[str, float, AnsweredPair]],
    *,
    address: str,
) -> None:
    """What run it is, its metrics, what is missing in them, and where it is worst."""
    _show_head(paper, table)
    paper.say("")
    show_metrics(paper, totals)
    show_unanswered(paper, totals)
    if worst:
        paper.say("")
        paper.say((f"the worst by {safe(metric or '')}", "bold"))
    for name, value, found in worst:
        paper.say(
            (cut(name), "cyan"), f"  {quoted(found.pair.question or '')}", label=(f"{value:.3f}  ", "bold")
        )
    if worst:
        told = f"sensecheck history show {table.run.key} --question ID{safe(store_option(address))}"
        paper.say(("one of them in full: ", "dim"), (told, "cyan"))


def _show_head(paper: Paper, table: RunTable) -> None:
    run = table.run
    named = f" ({safe(run.name)})" if run.name else ""
    paper.say((f"run {run.key}{named}", "bold"), f" of {safe(run.test.project)}, {safe(run.test.name)}")
    lines = [("began", f"{run.started_at:%Y-%m-%d %H:%M} UTC"), ("questions", _questions(run, table))]
    encoders = dict.fromkeys(safe(one.encoder) for one in table.metrics if one.encoder)
    if encoders:
        lines.append(("encoders" if len(encoders) > 1 else "encoder", ", ".join(encoders)))
    if table.labels:
        said = (f"{safe(name)} ({int((said == said).sum()):,})" for name, said in table.labels.items())
        lines.append(("labels", ", ".join(said)))
    for label, told in lines:
        paper.say(told, label=(f"{label:<11}", "dim"))


def _questions(run: Run, table: RunTable) -> str:
    left = "" if run.whole else f", interrupted after {run.done:,}"
    unanswered = f", {table.unanswered:,} not answered" if table.unanswered else ""
    return f"{run.set.size:,}{left}{unanswered}"
