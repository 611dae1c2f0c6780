"""Stored evaluations, their questions and large runs, as people read them."""

from typing import TYPE_CHECKING, Any

from rich.text import Text

from sensecheck.cli.console import COLOURS, Console, quoted, safe, show_table
from sensecheck.cli.evaluation.view import MAX_REASON_CHARS, show_metrics, show_unanswered
from sensecheck.cli.store import store_needed
from sensecheck.cli.tables import NA, counted, cut, interval, metric_name, number, sparkline
from sensecheck.core.run import MetricScore, Run
from sensecheck.core.verdict import Outcome
from sensecheck.runs.record import AnsweredItem, RunTable
from sensecheck.runs.summary import Totals

if TYPE_CHECKING:  # DuckDB is an extra
    from sensecheck.runs.large_summary import Distribution, RunSummary

_LABEL_WIDTH = 10
_QUANTILES = ("5", "25", "50", "75", "95")
_OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "unsure", "measured", "error")


def show_run(
    console: Console,
    table: RunTable,
    totals: Totals,
    metric: str | None,
    worst: list[tuple[str, float, AnsweredItem]],
    *,
    address: str,
) -> None:
    """What run it is, its metrics, what is missing in them, and where it is worst."""
    _show_head(console, table)
    console.line("")
    show_metrics(console, totals)
    show_unanswered(console, totals)
    if worst:
        console.line("")
        console.line((f"the worst by {safe(metric or '')}", "bold"))
    for name, value, found in worst:
        console.line(
            (cut(name), "cyan"), f"  {quoted(found.item.question or '')}", label=(f"{value:.3f}  ", "bold")
        )
    if worst:
        named = safe(store_needed(table.run.key, address))
        command = f"sensecheck runs show {table.run.key} --question ID{named}"
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


def show_summary(console: Console, found: "RunSummary") -> None:
    """The metrics, how they lie, the checks, what is missing and why, and all of it by a column."""
    wrong = f", {found.errors:,} {'is an error' if found.errors == 1 else 'are errors'}"
    errors = (wrong, "bold magenta") if found.errors else ""
    console.line((safe(found.address), "bold"), f", {counted(found.rows, 'row')}", errors)
    console.line("")
    show_metrics(console, found.totals, quoting=False)
    _show_quantiles(console, found)
    _show_checks(console, found)
    _show_reasons(console, found)
    _show_slices(console, found)


def _show_head(console: Console, table: RunTable) -> None:
    run = table.run
    named = f" ({safe(run.name)})" if run.name else ""
    console.line((f"run {run.key}{named}", "bold"), f" of {safe(run.test.project)}, {safe(run.test.name)}")
    lines = [("began", f"{run.started_at:%Y-%m-%d %H:%M} UTC"), ("questions", _questions(run, table))]
    encoders = dict.fromkeys(safe(one.encoder) for one in table.metrics if one.encoder)
    if encoders:
        lines.append(("encoders" if len(encoders) > 1 else "encoder", ", ".join(encoders)))
    if table.labels:
        said = (f"{safe(name)} ({int((said == said).sum()):,})" for name, said in table.labels.items())
        lines.append(("labels", ", ".join(said)))
    for label, text in lines:
        console.line(text, label=(f"{label:<11}", "dim"))


def _questions(run: Run, table: RunTable) -> str:
    left = "" if run.whole else f", interrupted after {run.done:,}"
    unanswered = f", {table.unanswered:,} not answered" if table.unanswered else ""
    return f"{run.set.size:,}{left}{unanswered}"


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
    names = [metric_name(one.metric, one.encoder, several=several) for one in readings]
    rows = [(name, Text(number(one.value), "bold")) for name, one in zip(names, readings, strict=True)]
    show_table(console, ("metric", "value"), rows)
    for name, one in zip(names, readings, strict=True):
        if one.error is not None:
            console.line((f"n/a: {safe(one.error)}", "magenta"), label=(f"{name}: ", "bold"), indent=2)
        elif one.because:
            console.line((safe(one.because), "dim"), label=(f"{name}: ", "bold"), indent=2)


def _show_quantiles(console: Console, found: "RunSummary") -> None:
    """Between which numbers most of them lie, and on a terminal the shape of it."""
    rows = [_quantile_row(console, one) for one in found.metrics if one.summary.n]
    if rows:
        head = ("how they lie", "least", *(f"{share} %" for share in _QUANTILES), "greatest", "")
        console.line("")
        show_table(console, head, rows, spare=("", "5 %", "95 %"))
    if rows and not found.exact:
        console.line(("known to a twentieth, as the files counted them; `--exact` looks at all rows", "dim"))


def _quantile_row(console: Console, one: "Distribution") -> list[str | Text]:
    shares = [number(one.quantiles.get(share)) for share in _QUANTILES]
    shape = sparkline(console, list(map(float, one.spread.counts)))
    return [safe(one.summary.metric), number(one.least), *shares, number(one.greatest), Text(shape, "cyan")]


def _show_checks(console: Console, found: "RunSummary") -> None:
    words = [word for word in _OUTCOMES if any(one.outcomes.get(word) for one in found.checks)]
    rows: list[list[str | Text]] = [
        [safe(one.check), *(Text(f"{one.outcomes.get(word, 0):,}", COLOURS[word]) for word in words)]
        for one in found.checks
    ]
    if rows:
        console.line("")
        show_table(console, ("check", *words), rows)


def _show_reasons(console: Console, found: "RunSummary") -> None:
    if found.reasons:
        console.line("")
        console.line(("why rows are errors", "bold"))
    for reason in found.reasons:
        console.line(cut(reason.because, MAX_REASON_CHARS), label=(f"{reason.rows:>9,}  ", "magenta"))
    for gap in found.gaps:
        where = f"{safe(gap.input)} from {gap.start:,} to {gap.stop:,}"
        console.line(f"{where}: {cut(gap.because, MAX_REASON_CHARS)}", label=("not read ", "bold magenta"))


def _show_slices(console: Console, found: "RunSummary") -> None:
    """A row a value and metric; the commonest values first."""
    if found.by is None:
        return
    rows: list[list[str | Text]] = [
        [
            "none" if one.value is None else cut(one.value),
            safe(each.metric),
            f"{one.rows:,}",
            f"{one.errors:,}" if one.errors else "",
            f"{each.n:,}",
            Text(NA if each.mean is None else number(each.mean), "bold"),
            interval(each.low, each.high),
        ]
        for one in found.slices
        for each in one.metrics
    ]
    console.line("")
    head = (cut(found.by), "metric", "rows", "errors", "n", "mean", "95 %")
    show_table(console, head, rows, left=2, spare=("errors", "n"))
    if found.others:
        console.line((f"and {counted(found.others, 'value')} of {safe(found.by)} more", "dim"))
