"""Kept evaluations, their questions and large runs, as people read them."""

from typing import Any

from rich.text import Text

from sensecheck.cli.console import COLOURS, Paper, quoted, safe, show_table
from sensecheck.cli.evaluation.view import LONGEST_REASON, show_metrics, show_unanswered
from sensecheck.cli.tables import NA, counted, cut, interval, metric_name, number, sparkline
from sensecheck.core.run import KeptReading, Run
from sensecheck.core.verdict import Outcome
from sensecheck.runs.large_summary import Distribution, RunSummary
from sensecheck.runs.sql_read import AnsweredPair, RunTable
from sensecheck.runs.summary import Totals
from sensecheck.store.address import store_option

_LABEL_WIDTH = 10
_QUANTILES = ("5", "25", "50", "75", "95")
_OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "unsure", "measured", "error")


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
        command = f"sensecheck history show {table.run.key} --question ID{safe(store_option(address))}"
        paper.say(("one of them in full: ", "dim"), (command, "cyan"))


def show_pair(paper: Paper, run: Run, found: AnsweredPair) -> None:
    """The texts, what people said of the answer, and the readings with their reasons."""
    pair, answered = found.pair, found.told
    paper.say((safe(pair.name), "bold"), f", question {found.position + 1:,} of run {run.key}")
    _say_lines(paper, "question", pair.question)
    _say_lines(paper, "expected", pair.expected)
    if answered.answer is None:
        paper.say(
            (f"nobody answered: {safe(answered.error or '')}", "bold magenta"),
            label=(f"{'answer':<{_LABEL_WIDTH}}", "dim"),
        )
    else:
        _say_lines(paper, "answer", answered.answer)
    for passage in _passages(found):
        _say_lines(paper, "passage", passage)
    if answered.passages == ():
        _say_lines(paper, "passages", "the prompt held none")
    if pair.slices:
        _say_lines(paper, "slices", ", ".join(f"{key}={value}" for key, value in pair.slices.items()))
    if answered.labels:
        _say_lines(paper, "labels", ", ".join(f"{name} {value:g}" for name, value in answered.labels.items()))
    _show_readings(paper, answered.readings)


def pair_data(run: Run, found: AnsweredPair) -> dict[str, Any]:
    """The same for programs."""
    pair, answered = found.pair, found.told
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


def show_summary(paper: Paper, found: RunSummary) -> None:
    """The metrics, how they lie, the checks, what is missing and why, and all of it by a column."""
    wrong = f", {found.errors:,} {'is an error' if found.errors == 1 else 'are errors'}"
    errors = (wrong, "bold magenta") if found.errors else ""
    paper.say((safe(found.address), "bold"), f", {counted(found.rows, 'row')}", errors)
    paper.say("")
    show_metrics(paper, found.totals, quoting=False)
    _show_quantiles(paper, found)
    _show_checks(paper, found)
    _show_reasons(paper, found)
    _show_slices(paper, found)


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
    for label, text in lines:
        paper.say(text, label=(f"{label:<11}", "dim"))


def _questions(run: Run, table: RunTable) -> str:
    left = "" if run.whole else f", interrupted after {run.done:,}"
    unanswered = f", {table.unanswered:,} not answered" if table.unanswered else ""
    return f"{run.set.size:,}{left}{unanswered}"


def _passages(found: AnsweredPair) -> tuple[str, ...]:
    """What the prompt held; where nothing is said of that, what came with the question."""
    return found.pair.passages if found.told.passages is None else found.told.passages


def _say_lines(paper: Paper, label: str, text: str | None) -> None:
    """A text line by line, as it stands; what is not there is `n/a`."""
    lines = ["n/a"] if text is None else text.split("\n")
    for at, line in enumerate(lines):
        paper.say(safe(line), label=(f"{'' if at else label:<{_LABEL_WIDTH}}", "dim"))


def _show_readings(paper: Paper, readings: tuple[KeptReading, ...]) -> None:
    if not readings:
        return
    paper.say("")
    several = len({one.encoder for one in readings if one.encoder}) > 1
    names = [metric_name(one.metric, one.encoder, several=several) for one in readings]
    rows = [(name, Text(number(one.value), "bold")) for name, one in zip(names, readings, strict=True)]
    show_table(paper, ("metric", "value"), rows)
    for name, one in zip(names, readings, strict=True):
        if one.error is not None:
            paper.say((f"n/a: {safe(one.error)}", "magenta"), label=(f"{name}: ", "bold"), indent=2)
        elif one.because:
            paper.say((safe(one.because), "dim"), label=(f"{name}: ", "bold"), indent=2)


def _show_quantiles(paper: Paper, found: RunSummary) -> None:
    """Between which numbers most of them lie, and on a terminal the shape of it."""
    rows = [_quantile_row(paper, one) for one in found.metrics if one.summary.n]
    if rows:
        head = ("how they lie", "least", *(f"{share} %" for share in _QUANTILES), "greatest", "")
        paper.say("")
        show_table(paper, head, rows, spare=("", "5 %", "95 %"))
    if rows and not found.exact:
        paper.say(("known to a twentieth, as the files counted them; `--exact` looks at all rows", "dim"))


def _quantile_row(paper: Paper, one: Distribution) -> list[str | Text]:
    shares = [number(one.quantiles.get(share)) for share in _QUANTILES]
    shape = sparkline(paper, list(map(float, one.spread.counts)))
    return [safe(one.summary.metric), number(one.least), *shares, number(one.greatest), Text(shape, "cyan")]


def _show_checks(paper: Paper, found: RunSummary) -> None:
    words = [word for word in _OUTCOMES if any(one.outcomes.get(word) for one in found.checks)]
    rows: list[list[str | Text]] = [
        [safe(one.check), *(Text(f"{one.outcomes.get(word, 0):,}", COLOURS[word]) for word in words)]
        for one in found.checks
    ]
    if rows:
        paper.say("")
        show_table(paper, ("check", *words), rows)


def _show_reasons(paper: Paper, found: RunSummary) -> None:
    if found.reasons:
        paper.say("")
        paper.say(("why rows are errors", "bold"))
    for reason in found.reasons:
        paper.say(cut(reason.because, LONGEST_REASON), label=(f"{reason.rows:>9,}  ", "magenta"))
    for gap in found.gaps:
        where = f"{safe(gap.input)} from {gap.start:,} to {gap.stop:,}"
        paper.say(f"{where}: {cut(gap.because, LONGEST_REASON)}", label=("not read ", "bold magenta"))


def _show_slices(paper: Paper, found: RunSummary) -> None:
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
    paper.say("")
    head = (cut(found.by), "metric", "rows", "errors", "n", "mean", "95 %")
    show_table(paper, head, rows, left=2, spare=("errors", "n"))
    if found.others:
        paper.say((f"and {counted(found.others, 'value')} of {safe(found.by)} more", "dim"))
