"""One question of an evaluation in full: its answer, and all that was read off it."""

from typing import Any

from rich.text import Text

from sensecheck.cli.history_table import metric_name, number
from sensecheck.cli.paint import Paper, safe, show_table
from sensecheck.core.run import KeptReading, Run
from sensecheck.store.run_reading import AnsweredPair

_SIDE = 10


def show_pair(paper: Paper, run: Run, found: AnsweredPair) -> None:
    """The texts, what people said of the answer, and the readings with their reasons."""
    pair, told = found.pair, found.told
    paper.say((safe(pair.name), "bold"), f", question {found.position + 1:,} of run {run.key}")
    _say(paper, "question", pair.question)
    _say(paper, "expected", pair.expected)
    if told.answer is None:
        paper.say(
            (f"nobody answered: {safe(told.error or '')}", "bold magenta"),
            label=(f"{'answer':<{_SIDE}}", "dim"),
        )
    else:
        _say(paper, "answer", told.answer)
    for passage in _passages(found):
        _say(paper, "passage", passage)
    if told.passages == ():
        _say(paper, "passages", "the prompt held none")
    if pair.slices:
        _say(paper, "slices", ", ".join(f"{key}={value}" for key, value in pair.slices.items()))
    if told.labels:
        _say(paper, "labels", ", ".join(f"{name} {value:g}" for name, value in told.labels.items()))
    _show_readings(paper, told.readings)


def pair_data(run: Run, found: AnsweredPair) -> dict[str, Any]:
    """The same for programs."""
    pair, told = found.pair, found.told
    return {
        "run": run.key,
        "position": found.position,
        "id": pair.name,
        "question": pair.question,
        "expected": pair.expected,
        "slices": dict(pair.slices),
        "passages": list(_passages(found)),
        "answer": told.answer,
        "error": told.error,
        "latency_ms": told.latency_ms,
        "cost": told.cost,
        "labels": dict(told.labels),
        "readings": [reading._asdict() for reading in told.readings],
    }


def _passages(found: AnsweredPair) -> tuple[str, ...]:
    """What the prompt held; where nothing is said of that, what came with the question."""
    return found.pair.passages if found.told.passages is None else found.told.passages


def _say(paper: Paper, label: str, text: str | None) -> None:
    """A text line by line, as it stands; what is not there is `n/a`."""
    lines = ["n/a"] if text is None else text.split("\n")
    for number_, line in enumerate(lines):
        paper.say(safe(line), label=(f"{'' if number_ else label:<{_SIDE}}", "dim"))


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
