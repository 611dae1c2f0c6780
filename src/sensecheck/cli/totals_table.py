"""The metrics of a run in brief, and what is missing in them: the same after an evaluation and ever after."""

from rich.text import Text

from sensecheck.cli.history_table import cut, interval, metric_name, number
from sensecheck.cli.paint import Paper, show_table
from sensecheck.evals.qa.metric_summary import NOT_READ, MetricSummary
from sensecheck.evals.qa.totals import Totals
from sensecheck.measures.metrics import KNOWN, Part

LONGEST_REASON = 100
FEW = 3
"""Metrics that are named in one line; of more, how many they are: the table above has their n/a."""
QUESTIONS, ANSWERS = ("question", "questions"), ("answer", "answers")
_IN_WORDS: dict[Part, str] = {"question": "question", "expected": "expected answer", "passages": "passages"}
_NA = "n/a for "
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_metrics(paper: Paper, totals: Totals, *, quoting: bool = True) -> None:
    """A line a metric, and below why some of its numbers are n/a; errors are quoted, unless told later."""
    several = len({one.encoder for one in totals.metrics if one.encoder}) > 1
    show_table(paper, _HEAD, [_row(one, several=several) for one in totals.metrics])
    alike: dict[str, list[str]] = {}
    for one in totals.metrics:
        if one.na > one.unanswered:  # who did not answer is told once, for all metrics
            name = metric_name(one.metric, one.encoder, several=several)
            alike.setdefault(_why(one, quoting=quoting), []).append(name)
    for why, names in alike.items():
        _say_why(paper, why, names)


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


def _why(one: MetricSummary, *, quoting: bool) -> str:
    """Every reason with its count; of readings that failed, what was most often wrong."""
    if one.na == one.unanswered + one.inapplicable and one.metric in KNOWN:
        return _lacks(one.inapplicable, KNOWN[one.metric].wants)
    wrong = f": {cut(one.because or '', LONGEST_REASON)}" if one.unread and quoting else ""
    told = (f"{count:,} {why}{wrong if why == NOT_READ else ''}" for why, count in one.missing.items())
    blank = f" (mean {number(one.mean_blank_as_0)} with 0 for them)" if one.nothing and one.n else ""
    return f"{_NA}{one.na:,}: {'; '.join(told)}{blank}"


def _lacks(count: int, wants: tuple[Part, ...]) -> str:
    """What so many questions do not have; of passages those count that an answer was given."""
    who = ANSWERS if "passages" in wants else QUESTIONS
    parts = " or ".join(_IN_WORDS[part] for part in wants)
    return f"{count:,} {who[count != 1]} {'has' if count == 1 else 'have'} no {parts}"


def _say_why(paper: Paper, why: str, names: list[str]) -> None:
    """One line for all metrics that lack as much for the same reason."""
    told = f"{len(names)} metrics" if len(names) > FEW else ", ".join(names)
    if why.startswith(_NA):
        paper.say((f"{told}: ", "bold"), (why, "magenta" if NOT_READ in why else "dim"), indent=2)
        return
    do = "does" if len(names) == 1 else "do"
    them = "it" if why.startswith("1 ") else "them"
    paper.say((f"{why}: {told} {do} not apply to {them}", "dim"), indent=2)


def _style(one: MetricSummary) -> str:
    return "magenta" if one.unread else "dim"
