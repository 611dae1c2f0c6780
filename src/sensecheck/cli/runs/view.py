"""Runs and their questions, as people read them."""

from typing import Any

from rich.text import Text

from sensecheck.cli.console import Console, cut, quoted, safe, show_table, sparkline
from sensecheck.cli.evaluation.view import show_metrics, show_notes, show_unanswered
from sensecheck.cli.store import store_needed
from sensecheck.core.run import MetricScore, Run
from sensecheck.runs.record import AnsweredItem
from sensecheck.runs.summary import RunSummary
from sensecheck.text.escaping import counted, interval, number, with_encoder

MANY = 100
"""Of fewer questions it is not shown how their numbers lie."""
_LABEL_WIDTH = 10
_QUANTILES = ("5", "25", "50", "75", "95")


def show_run(
    console: Console,
    found: RunSummary,
    metric: str | None,
    worst: list[tuple[str, float, AnsweredItem]],
    *,
    address: str,
) -> None:
    """What run it is, its metrics and how they lie, what is missing, slices, and where it is worst."""
    _show_head(console, found)
    console.line("")
    show_metrics(console, found.totals)
    show_unanswered(console, found.totals)
    show_notes(console, found.totals)
    _show_quantiles(console, found)
    _show_slices(console, found)
    if worst:
        console.line("")
        console.line((f"the worst by {safe(metric or '')}", "bold"))
    for name, value, answered in worst:
        console.line(
            (cut(name), "cyan"), f"  {quoted(answered.item.question or '')}", label=(f"{value:.3f}  ", "bold")
        )
    if worst:
        store_option = safe(store_needed(found.run.key, address))
        command = f"sensecheck runs show {found.run.key} --question ID{store_option}"
        console.line(("one of them in full: ", "dim"), (command, "cyan"))


def show_pair(console: Console, run: Run, found: AnsweredItem) -> None:
    """The texts, what people said of the answer, and the readings with their reasons."""
    pair, answered = found.item, found.scored
    console.line((safe(pair.name), "bold"), f", question {found.position + 1:,} of run {run.key}")
    _say_lines(console, "question", pair.question)
    _say_lines(console, "expected", pair.expected)
    if answered.answer is None:
        console.line(
            (f"nobody answered: {safe(answered.error or '')}", "bold magenta"),
            label=(f"{'answer':<{_LABEL_WIDTH}}", "dim"),
        )
    else:
        _say_lines(console, "answer", answered.answer)
    for passage in _passages(found):
        _say_lines(console, "passage", passage)
    if answered.passages == ():
        _say_lines(console, "passages", "the prompt held none")
    if pair.slices:
        _say_lines(console, "slices", ", ".join(f"{key}={value}" for key, value in pair.slices.items()))
    if answered.labels:
        _say_lines(
            console, "labels", ", ".join(f"{name} {value:g}" for name, value in answered.labels.items())
        )
    _show_readings(console, answered.readings)


def pair_data(run: Run, found: AnsweredItem) -> dict[str, Any]:
    """The same for programs."""
    pair, answered = found.item, found.scored
    return {
        "run": run.key,
        "position": found.position,
        "id": pair.name,
        "question": pair.question,
        "expected": pair.expected,
        "slices": dict(pair.slices),
        "passages": list(_passages(found)),
        "answer": answered.answer,
        "error": answered.error,
        "latency_ms": answered.latency_ms,
        "cost": answered.cost,
        "labels": dict(answered.labels),
        "readings": [reading._asdict() for reading in answered.readings],
    }


def _show_head(console: Console, summary: RunSummary) -> None:
    run, totals = summary.run, summary.totals
    name = f" ({safe(run.name)})" if run.name else ""
    console.line((f"run {run.key}{name}", "bold"), f" of {safe(run.test.project)}, {safe(run.test.name)}")
    interruption = "" if run.whole else f", interrupted after {run.done:,}"
    unanswered = f", {totals.unanswered:,} not answered" if totals.unanswered else ""
    lines = [
        ("began", f"{run.started_at:%Y-%m-%d %H:%M} UTC"),
        ("questions", f"{run.set.size:,}{interruption}{unanswered}"),
    ]
    encoders = dict.fromkeys(safe(metric.encoder) for metric in totals.metrics if metric.encoder)
    if encoders:
        lines.append(("encoders" if len(encoders) > 1 else "encoder", ", ".join(encoders)))
    if summary.labels:
        label_counts = (f"{safe(name)} ({count:,})" for name, count in summary.labels.items())
        lines.append(("labels", ", ".join(label_counts)))
    for label, text in lines:
        console.line(text, label=(f"{label:<11}", "dim"))


def _passages(answered: AnsweredItem) -> tuple[str, ...]:
    """The passages of the prompt; where those are unknown, the ones of the question."""
    return answered.item.passages if answered.scored.passages is None else answered.scored.passages


def _say_lines(console: Console, label: str, text: str | None) -> None:
    """A text line by line, unchanged; a missing one is `n/a`."""
    lines = ["n/a"] if text is None else text.split("\n")
    for at, line in enumerate(lines):
        console.line(safe(line), label=(f"{'' if at else label:<{_LABEL_WIDTH}}", "dim"))


def _show_readings(console: Console, readings: tuple[MetricScore, ...]) -> None:
    if not readings:
        return
    console.line("")
    several = len({reading.encoder for reading in readings if reading.encoder}) > 1
    names = [safe(with_encoder(reading.metric, reading.encoder, several=several)) for reading in readings]
    rows = [
        (name, Text(number(reading.value), "bold")) for name, reading in zip(names, readings, strict=True)
    ]
    show_table(console, ("metric", "value"), rows)
    for name, reading in zip(names, readings, strict=True):
        if reading.error is not None:
            console.line((f"n/a: {safe(reading.error)}", "magenta"), label=(f"{name}: ", "bold"), indent=2)
        elif reading.because:
            console.line((safe(reading.because), "dim"), label=(f"{name}: ", "bold"), indent=2)


def _show_quantiles(console: Console, summary: RunSummary) -> None:
    """The quantiles of each metric, and on a terminal the shape of its distribution; of few, nothing."""
    if summary.totals.questions < MANY:
        return
    several = len({metric.encoder for metric in summary.totals.metrics if metric.encoder}) > 1
    rows: list[list[str | Text]] = []
    for metric in summary.totals.metrics:
        if (distribution := summary.of(metric)) is not None:
            shares = [number(distribution.quantiles.get(share)) for share in _QUANTILES]
            shape = Text(sparkline(console, list(map(float, distribution.counts))), "cyan")
            name = safe(with_encoder(metric.metric, metric.encoder, several=several))
            rows.append([name, number(distribution.least), *shares, number(distribution.greatest), shape])
    if rows:
        head = ("how they lie", "least", *(f"{share} %" for share in _QUANTILES), "greatest", "")
        console.line("")
        show_table(console, head, rows, spare=("", "5 %", "95 %"))
    if rows and not summary.exact:
        console.line(("known to a twentieth, as the files counted them; `--exact` reads all rows", "dim"))


def _show_slices(console: Console, summary: RunSummary) -> None:
    """A row a value and metric; the most frequent values first."""
    if summary.by is None:
        return
    rows: list[list[str | Text]] = [
        [
            "none" if group.value is None else cut(group.value),
            safe(metric.metric),
            f"{group.questions:,}",
            f"{metric.n:,}",
            Text(number(metric.mean), "bold"),
            interval(metric.low, metric.high),
        ]
        for group in summary.slices
        for metric in group.metrics
    ]
    console.line("")
    head = (cut(summary.by), "metric", "questions", "n", "mean", "95 %")
    show_table(console, head, rows, left=2, spare=("n",))
    if summary.others:
        console.line((f"and {counted(summary.others, 'value')} of {safe(summary.by)} more", "dim"))
