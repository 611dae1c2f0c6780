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
    for name, value, one in worst:
        console.line(
            (cut(name), "cyan"), f"  {quoted(one.item.question or '')}", label=(f"{value:.3f}  ", "bold")
        )
    if worst:
        named = safe(store_needed(found.run.key, address))
        command = f"sensecheck runs show {found.run.key} --question ID{named}"
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


def _show_head(console: Console, found: RunSummary) -> None:
    run, totals = found.run, found.totals
    named = f" ({safe(run.name)})" if run.name else ""
    console.line((f"run {run.key}{named}", "bold"), f" of {safe(run.test.project)}, {safe(run.test.name)}")
    left = "" if run.whole else f", interrupted after {run.done:,}"
    unanswered = f", {totals.unanswered:,} not answered" if totals.unanswered else ""
    lines = [
        ("began", f"{run.started_at:%Y-%m-%d %H:%M} UTC"),
        ("questions", f"{run.set.size:,}{left}{unanswered}"),
    ]
    encoders = dict.fromkeys(safe(one.encoder) for one in totals.metrics if one.encoder)
    if encoders:
        lines.append(("encoders" if len(encoders) > 1 else "encoder", ", ".join(encoders)))
    if found.labels:
        said = (f"{safe(name)} ({count:,})" for name, count in found.labels.items())
        lines.append(("labels", ", ".join(said)))
    for label, text in lines:
        console.line(text, label=(f"{label:<11}", "dim"))


def _passages(found: AnsweredItem) -> tuple[str, ...]:
    """What the prompt held; where nothing is said of that, what came with the question."""
    return found.item.passages if found.scored.passages is None else found.scored.passages


def _say_lines(console: Console, label: str, text: str | None) -> None:
    """A text line by line, as it stands; what is not there is `n/a`."""
    lines = ["n/a"] if text is None else text.split("\n")
    for at, line in enumerate(lines):
        console.line(safe(line), label=(f"{'' if at else label:<{_LABEL_WIDTH}}", "dim"))


def _show_readings(console: Console, readings: tuple[MetricScore, ...]) -> None:
    if not readings:
        return
    console.line("")
    several = len({one.encoder for one in readings if one.encoder}) > 1
    names = [safe(with_encoder(one.metric, one.encoder, several=several)) for one in readings]
    rows = [(name, Text(number(one.value), "bold")) for name, one in zip(names, readings, strict=True)]
    show_table(console, ("metric", "value"), rows)
    for name, one in zip(names, readings, strict=True):
        if one.error is not None:
            console.line((f"n/a: {safe(one.error)}", "magenta"), label=(f"{name}: ", "bold"), indent=2)
        elif one.because:
            console.line((safe(one.because), "dim"), label=(f"{name}: ", "bold"), indent=2)


def _show_quantiles(console: Console, found: RunSummary) -> None:
    """Between which numbers most of them lie, and on a terminal the shape of it; of few, nothing."""
    if found.totals.questions < MANY:
        return
    several = len({one.encoder for one in found.totals.metrics if one.encoder}) > 1
    rows: list[list[str | Text]] = []
    for one in found.totals.metrics:
        if (lie := found.of(one)) is not None:
            shares = [number(lie.quantiles.get(share)) for share in _QUANTILES]
            shape = Text(sparkline(console, list(map(float, lie.counts))), "cyan")
            name = safe(with_encoder(one.metric, one.encoder, several=several))
            rows.append([name, number(lie.least), *shares, number(lie.greatest), shape])
    if rows:
        head = ("how they lie", "least", *(f"{share} %" for share in _QUANTILES), "greatest", "")
        console.line("")
        show_table(console, head, rows, spare=("", "5 %", "95 %"))
    if rows and not found.exact:
        console.line(("known to a twentieth, as the files counted them; `--exact` reads all rows", "dim"))


def _show_slices(console: Console, found: RunSummary) -> None:
    """A row a value and metric; the most frequent values first."""
    if found.by is None:
        return
    rows: list[list[str | Text]] = [
        [
            "none" if one.value is None else cut(one.value),
            safe(each.metric),
            f"{one.questions:,}",
            f"{each.n:,}",
            Text(number(each.mean), "bold"),
            interval(each.low, each.high),
        ]
        for one in found.slices
        for each in one.metrics
    ]
    console.line("")
    head = (cut(found.by), "metric", "questions", "n", "mean", "95 %")
    show_table(console, head, rows, left=2, spare=("n",))
    if found.others:
        console.line((f"and {counted(found.others, 'value')} of {safe(found.by)} more", "dim"))
