"""A kept evaluation, as people read it."""

from rich.text import Text

from sensecheck.cli.history_table import cut, interval, metric_name, number, show_table
from sensecheck.cli.paint import Paper, quoted, safe
from sensecheck.evals.qa.totals import MetricTotal, Totals
from sensecheck.store.records import Run
from sensecheck.store.run_reading import AnsweredPair, RunTable

LONGEST_REASON = 100
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_run(
    paper: Paper,
    table: RunTable,
    totals: Totals,
    metric: str | None,
    worst: list[tuple[str, float, AnsweredPair]],
) -> None:
    """What run it is, its metrics, what is missing in them, and where it is worst."""
    _show_head(paper, table)
    paper.say("")
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    show_table(paper, _HEAD, [_row(one, several=several) for one in totals.metrics])
    _show_missing(paper, totals, several=several)
    if worst:
        paper.say("")
        paper.say((f"the worst by {safe(metric or '')}", "bold"))
    for name, value, found in worst:
        paper.say(
            (cut(name), "cyan"), f"  {quoted(found.pair.question or '')}", label=(f"{value:.3f}  ", "bold")
        )
    if worst:
        told = f"sensecheck history show {table.run.key} --question ID"
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


def _row(one: MetricTotal, *, several: bool) -> list[str | Text]:
    return [
        metric_name(one.metric, one.encoder, several=several),
        f"{one.n:,}",
        Text(number(one.mean), "bold"),
        interval(one.low, one.high),
        Text(f"{one.missing:,}" if one.missing else "", "magenta" if one.unread else "dim"),
    ]


def _show_missing(paper: Paper, totals: Totals, *, several: bool) -> None:
    for one in totals.metrics:
        if one.missing:
            name = metric_name(one.metric, one.encoder, several=several)
            told = f"n/a for {one.missing:,}: {cut(one.because or '', LONGEST_REASON)}"
            paper.say((f"{name}: ", "bold"), (told, "magenta" if one.unread else "dim"), indent=2)
    if totals.unanswered:
        why = cut(totals.unanswered_because or "no reason was given", LONGEST_REASON)
        paper.say((f"{totals.unanswered:,} not answered: {why}", "bold magenta"))
