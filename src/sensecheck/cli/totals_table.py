"""The metrics of a run in brief, and what is missing in them: the same after an evaluation and ever after."""

from rich.text import Text

from sensecheck.cli.history_table import cut, interval, metric_name, number, show_table
from sensecheck.cli.paint import Paper
from sensecheck.evals.qa.metric_summary import NOT_READ, MetricSummary
from sensecheck.evals.qa.totals import Totals

LONGEST_REASON = 100
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_metrics(paper: Paper, totals: Totals) -> None:
    """A line a metric, and below why some of its numbers are n/a."""
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    show_table(paper, _HEAD, [_row(one, several=several) for one in totals.metrics])
    for one in totals.metrics:
        if one.na > one.unanswered:  # who did not answer is told once, for all metrics
            name = metric_name(one.metric, one.encoder, several=several)
            paper.say((f"{name}: ", "bold"), (_why(one), _style(one)), indent=2)


def show_unanswered(paper: Paper, totals: Totals) -> None:
    """How many questions have no answer, and why."""
    if totals.unanswered:
        why = cut(totals.unanswered_because or "no reason was given", LONGEST_REASON)
        paper.say((f"{totals.unanswered:,} not answered: {why}", "bold magenta"))


def _row(one: MetricSummary, *, several: bool) -> list[str | Text]:
    return [
        metric_name(one.metric, one.encoder, several=several),
        f"{one.n:,}",
        Text(number(one.mean), "bold"),
        interval(one.low, one.high),
        Text(f"{one.na:,}" if one.na else "", _style(one)),
    ]


def _why(one: MetricSummary) -> str:
    """Every reason with its count; of readings that failed, what was most often wrong."""
    wrong = f": {cut(one.because or '', LONGEST_REASON)}" if one.unread else ""
    told = (f"{count:,} {why}{wrong if why == NOT_READ else ''}" for why, count in one.missing.items())
    return f"n/a for {one.na:,}: {'; '.join(told)}"


def _style(one: MetricSummary) -> str:
    return "magenta" if one.unread else "dim"
