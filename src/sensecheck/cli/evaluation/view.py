"""What an evaluation came to, as people read it: the same after an evaluation and ever after."""

from rich.text import Text

from sensecheck.cli.console import Console, cut, safe, show_table
from sensecheck.cli.store import store_needed
from sensecheck.evaluation.result import EvaluationResult
from sensecheck.measures.metrics import KNOWN, Part
from sensecheck.runs.summary import NOT_READ, MetricSummary, Totals
from sensecheck.text.escaping import counted, interval, number, with_encoder

MAX_REASON_CHARS = 100
MAX_NAMED = 3
"""Metrics that are named in one line; of more, how many they are: the table above has their n/a."""
_QUESTIONS, _ANSWERS = ("question", "questions"), ("answer", "answers")
_PARTS_IN_WORDS: dict[Part, str] = {
    "question": "question",
    "expected": "expected answer",
    "passages": "passages",
}
_NA = "n/a for "
_HEAD = ("metric", "n", "mean", "95 %", "n/a")


def show_evaluation(console: Console, result: EvaluationResult) -> None:
    """The table of metrics, what is missing in it and why, and where to see more."""
    run, totals = result.run, result.totals
    show_metrics(console, totals)
    _show_counts(console, totals)
    show_notes(console, totals)
    where = (
        f"run {run.key}{f' ({safe(run.name)})' if run.name else ''} of the project {safe(run.test.project)}"
    )
    console.line((f"{where} is stored in {safe(result.address)}", "dim"))
    store_option = safe(store_needed(run.key, result.address))
    console.line(("look at it: ", "dim"), (f"sensecheck runs show {run.key}{store_option}", "cyan"))
    if result.previous_run is not None:
        compare = f"sensecheck runs compare {result.previous_run} {run.key}{store_option}"
        console.line(("compare it with the run before: ", "dim"), (compare, "cyan"))


def show_metrics(console: Console, totals: Totals) -> None:
    """A line a metric, and below why some of its numbers are n/a."""
    several = len({metric.encoder for metric in totals.metrics if metric.encoder}) > 1
    show_table(console, _HEAD, [_row(metric, several=several) for metric in totals.metrics])
    names_by_reason: dict[str, list[str]] = {}
    for metric in totals.metrics:
        if metric.na > metric.unanswered:  # who did not answer is shown once, for all metrics
            name = safe(with_encoder(metric.metric, metric.encoder, several=several))
            names_by_reason.setdefault(_why(metric), []).append(name)
    for reason, names in names_by_reason.items():
        _say_why(console, reason, names)


def show_unanswered(console: Console, totals: Totals) -> None:
    """How many questions have no answer, and why."""
    if totals.unanswered:
        why = cut(totals.unanswered_because or "no reason was given", MAX_REASON_CHARS)
        console.line((f"{totals.unanswered:,} not answered: {why}", "bold magenta"))


def show_notes(console: Console, totals: Totals) -> None:
    """What the counts alone do not tell."""
    for note in totals.notes:
        console.line((safe(note), "dim"), label=("note: ", "yellow"))


def _row(summary: MetricSummary, *, several: bool) -> list[str | Text]:
    return [
        safe(with_encoder(summary.metric, summary.encoder, several=several)),
        f"{summary.n:,}",
        Text(number(summary.mean), "bold"),
        interval(summary.low, summary.high),
        Text(f"{summary.na:,}" if summary.na else "", "magenta" if summary.unread else "dim"),
    ]


def _why(summary: MetricSummary) -> str:
    """Every reason with its count; of readings that failed, what was most often wrong."""
    if summary.na == summary.unanswered + summary.inapplicable and summary.metric in KNOWN:
        return _lacks(summary.inapplicable, KNOWN[summary.metric].wants)
    wrong = f": {cut(summary.because or '', MAX_REASON_CHARS)}" if summary.unread else ""
    reasons = (f"{count:,} {why}{wrong if why == NOT_READ else ''}" for why, count in summary.missing.items())
    blank = (
        f" (mean {number(summary.mean_blank_as_0)} with 0 for them)" if summary.nothing and summary.n else ""
    )
    return f"{_NA}{summary.na:,}: {'; '.join(reasons)}{blank}"


def _lacks(count: int, wants: tuple[Part, ...]) -> str:
    """What so many questions do not have; of passages those count that an answer was given."""
    nouns = _ANSWERS if "passages" in wants else _QUESTIONS
    parts = " or ".join(_PARTS_IN_WORDS[part] for part in wants)
    return f"{count:,} {nouns[count != 1]} {'has' if count == 1 else 'have'} no {parts}"


def _say_why(console: Console, why: str, names: list[str]) -> None:
    """One line for all metrics that lack as much for the same reason."""
    subject = f"{len(names)} metrics" if len(names) > MAX_NAMED else ", ".join(names)
    if why.startswith(_NA):
        console.line((f"{subject}: ", "bold"), (why, "magenta" if NOT_READ in why else "dim"), indent=2)
        return
    do = "does" if len(names) == 1 else "do"
    them = "it" if why.startswith("1 ") else "them"
    console.line((f"{why}: {subject} {do} not apply to {them}", "dim"), indent=2)


def _show_counts(console: Console, totals: Totals) -> None:
    answered = f"{counted(totals.questions, 'question')}, {totals.answered:,} answered"
    console.line(
        (answered, "bold"), (f", {totals.unread:,} readings failed" if totals.unread else "", "magenta")
    )
    show_unanswered(console, totals)
