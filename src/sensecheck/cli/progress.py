"""Progress bars on standard error, for whatever makes people wait.

A bar is shown only on a terminal; what is wrapped in one comes out the same without it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import Paper, note, outcome_counts
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, Task

    from sensecheck.checks.calibrate import LabelledSample, ReadSample
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.config import Settings
    from sensecheck.core.backends import Answerers, Encoder, Placement
    from sensecheck.core.protocols import Measure
    from sensecheck.core.run import Run
    from sensecheck.core.verdict import Outcome
    from sensecheck.evaluation.evaluate import Batch
    from sensecheck.execution.driver import Phase, Progress
    from sensecheck.runs.jsonl import Writing
    from sensecheck.runs.result import Result


# ruff: noqa: PLC0415 - only who waits needs a bar, and what is waited for brings numpy along

TEXTS_AT_ONCE = 256
"""Enough for an engine to be busy, few enough for a bar to move."""
SECONDS_BETWEEN_UPDATES = 0.1
_MANY = 10
"""From so many a second on, parts of one are no news."""
_PHASES: "dict[Phase, str]" = {
    "routing": "reading the input",
    "assessing": "assessing rows",
    "writing": "writing the manifest",
}


def bar(*, hidden: bool = False) -> "Bar":
    """A bar on standard error, if that is a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    return _bar(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        hidden=hidden,
    )


def read_with_bar(
    rows: "Sequence[LabelledSample]", reader: "Measure | OpenCheck", settings: "Settings", *, as_json: bool
) -> "Iterator[ReadSample]":
    """Each row with what the measure, or the whole check, reads off it."""
    from sensecheck.checks.calibrate import read_each

    answerers = _answerers(rows, reader, settings)
    with bar(hidden=as_json and sys.stdout.isatty()) as progress:
        task = progress.add_task("reading", total=len(rows))
        for read in read_each(rows, reader, answerers):
            yield read
            progress.advance(task)


def must_be_able_to_fit() -> None:
    """Raise for a missing package now, rather than after all rows were read."""
    for package in ("scipy", "sklearn"):
        if find_spec(package) is None:
            with extra("train"):
                raise ModuleNotFoundError(name=package)


@contextmanager
def encoding_progress(encoder: "Encoder", texts: int | None, *, hidden: bool) -> "Iterator[Encoder]":
    """The same encoder, with a bar on standard error while it is asked, if that is a terminal.

    `texts` is how many there will be, if that is known.
    """
    with bar(hidden=hidden) as progress:
        if progress.disable:
            yield encoder
            return
        task = progress.add_task("placing texts", total=texts)
        yield _reporting(encoder, lambda encoded: progress.advance(task, encoded))


def battery_progress(results: "Iterator[Result]", writing: "Writing", *, hidden: bool) -> "Iterator[Result]":
    """The same results, with a bar on standard error while they come, if that is a terminal.

    It says how far the run is, how fast, and how tests came out so far.
    """
    counts: Counter[Outcome] = Counter()
    with _run_bar(lambda _: outcome_counts(counts), hidden=hidden) as progress:
        if progress.disable:
            yield from results
            return
        task = progress.add_task("", total=writing.run.header.cells)
        updated = 0.0
        for done, result in enumerate(results, 1):
            counts[result.outcome] += 1
            if (now := monotonic()) - updated > SECONDS_BETWEEN_UPDATES:
                progress.update(task, completed=done)
                updated = now
            yield result


def evaluation_progress(batches: "Iterable[Batch]", run: "Run", *, hidden: bool) -> "Iterator[Batch]":
    """The same batches, with a bar on standard error while they come, if that is a terminal.

    It says how far the run is, how fast, how long it will take, and what went wrong so far.
    """
    failures = Counter[str]()
    with _run_bar(lambda _: _failures(failures), hidden=hidden) as progress:
        if progress.disable:
            yield from batches
            return
        task = progress.add_task("", total=run.set.size, completed=run.done)
        for batch in batches:
            failures["not answered"] += sum(answered.answer is None for _, answered in batch)
            failures["not read"] += sum(
                reading.error is not None for _, answered in batch for reading in answered.readings
            )
            progress.advance(task, len(batch))
            yield batch


def large_progress(steps: "Iterable[Progress]", *, as_json: bool) -> None:
    """Take all steps, with a bar on standard error while they come, if that is a terminal.

    The bar is the same whoever does the work: how far, how fast, how long, and how many errors.
    """
    from rich.progress import TextColumn

    with _run_bar(_errors, before=TextColumn("{task.description}"), hidden=as_json) as progress:
        task, phase, linked = progress.add_task("", total=None, errors=0), "", False
        for step in steps:
            if step.link is not None and not linked:
                note(f"watch the workers at {step.link}", as_json=as_json)
                linked = True
            if step.phase != phase:  # whose speed says nothing about the next one
                phase = step.phase
                progress.reset(task, total=step.total, completed=step.done, description=_PHASES[step.phase])
            progress.update(task, completed=step.done, errors=step.errors)


def speed_in_words(speed: float) -> str:
    """A number that can be read at a glance."""
    return f"{speed:,.0f}" if speed >= _MANY else f"{speed:.2g}"


def _run_bar(
    last: "Callable[[Task], Text]", *, before: "ProgressColumn | None" = None, hidden: bool
) -> "Bar":
    """A bar with speed and time, and at its end what `last` says of the task."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    columns = (BarColumn(24), MofNCompleteColumn(), _column(_rate), TimeRemainingColumn(), _column(last))
    return _bar(*(() if before is None else (before,)), *columns, hidden=hidden)


def _bar(*columns: "ProgressColumn", hidden: bool) -> "Bar":
    from rich.progress import Progress

    paper = Paper(stderr=True)
    return Progress(
        *columns,
        console=paper,
        transient=True,
        disable=hidden or not paper.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
    )


def _column(render: "Callable[[Task], Text]") -> "ProgressColumn":
    from rich.progress import ProgressColumn

    class RenderedColumn(ProgressColumn):
        def render(self, task: "Task") -> Text:
            return render(task)

    return RenderedColumn()


def _rate(task: "Task") -> Text:
    """The speed of the last half minute, as far as it is known."""
    return Text("" if task.speed is None else f"{speed_in_words(task.speed)} a second", "dim")


def _failures(counts: Counter[str]) -> Text:
    return Text(", ".join(f"{count:,} {what}" for what, count in counts.items() if count), "magenta")


def _errors(task: "Task") -> Text:
    errors = task.fields["errors"]
    return Text(f"{errors:,} error{'' if errors == 1 else 's'}" if errors else "", "magenta")


def _reporting(encoder: "Encoder", report: Callable[[int], None]) -> "Encoder":
    """The same vectors, a few texts at a time; each time it is reported how many."""
    from sensecheck.encoders.wrappers import Around

    class Reporting(Around):
        def place(self, texts: Sequence[str], *, tokens: bool = False) -> "Sequence[Placement]":
            placed: list[Placement] = []
            for start in range(0, len(texts), TEXTS_AT_ONCE):
                some = texts[start : start + TEXTS_AT_ONCE]
                placed += self._inner.place(some, tokens=tokens)
                report(len(some))
            return placed

    return Reporting(encoder)


def _answerers(
    rows: "Sequence[LabelledSample]", reader: "Measure | OpenCheck", settings: "Settings"
) -> "Answerers":
    """Who answers what the rows need; no model is loaded where nothing is."""
    from sensecheck.checks.deciding import OpenCheck
    from sensecheck.checks.gate import Gate
    from sensecheck.config import answerers
    from sensecheck.core.backends import Answerers
    from sensecheck.core.space import Space

    check = reader.reader if isinstance(reader, OpenCheck) else Gate(reader)
    if any(check.needs(row.sample, Space()) for row in rows):
        return answerers(settings)
    return Answerers()
