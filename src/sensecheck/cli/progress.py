"""Progress bars on standard error, for whatever makes people wait.

A bar is shown only on a terminal; what is wrapped in one comes out the same without it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import Console, note, outcome_counts

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, Task, TaskID

    from sensecheck.batteries.run import BatteryStep
    from sensecheck.core.verdict import Outcome
    from sensecheck.evaluation.result import EvaluationPhase, EvaluationProgress, EvaluationResult


# ruff: noqa: PLC0415 - only who waits needs a bar, and what is waited for brings numpy along

SECONDS_BETWEEN_UPDATES = 0.1
_MANY = 10
"""From so many a second on, parts of one are no news."""
_PHASES: "dict[EvaluationPhase, str]" = {
    "loading": "loading",
    "evaluating": "evaluating questions",
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


@contextmanager
def stage_progress(*, as_json: bool) -> "Iterator[Callable[[str, int, int], None]]":
    """Shows how far a piece of work is, by its stage; to be passed to it as `on_progress`."""
    with bar(hidden=as_json and sys.stdout.isatty()) as progress:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            progress.update(tasks[stage], completed=done)

        yield report


def battery_progress(steps: "Iterator[BatteryStep]", *, hidden: bool) -> "Iterator[BatteryStep]":
    """The same steps; results become a bar on standard error while they come, if that is a terminal.

    It shows how far the run is, how fast, and how tests came out so far.
    """
    from sensecheck.batteries.run import BatteryStarted

    for step in steps:
        yield step
        if isinstance(step, BatteryStarted):
            yield from _after_results(steps, step.total, hidden=hidden)


def evaluation_progress(
    events: "Iterable[EvaluationProgress | EvaluationResult]", *, as_json: bool
) -> "Iterator[EvaluationProgress | EvaluationResult]":
    """The same events, with a bar on standard error while they come, if that is a terminal; notes are shown.

    The bar is the same whoever does the work: how far, how fast, how long, and what went wrong.
    """
    from rich.progress import TextColumn

    from sensecheck.evaluation.result import EvaluationProgress

    with _run_bar(_failures, before=TextColumn("{task.description}"), hidden=as_json) as progress:
        task, phase = progress.add_task("", total=None, failures={}), ""
        for event in events:
            if not isinstance(event, EvaluationProgress):
                progress.stop()
                yield event
                continue
            for said in event.notes:
                note(said, as_json=as_json)
            if event.phase != phase:  # whose speed says nothing about the next one
                phase = event.phase
                progress.reset(
                    task, total=event.total, completed=event.done, description=_PHASES[event.phase]
                )
            progress.update(task, completed=event.done, failures=event.failures)
            yield event


def speed_in_words(speed: float) -> str:
    """A number that can be read at a glance."""
    return f"{speed:,.0f}" if speed >= _MANY else f"{speed:.2g}"


def _after_results(steps: "Iterator[BatteryStep]", total: int, *, hidden: bool) -> "Iterator[BatteryStep]":
    """The first step that is no result, once all results were shown."""
    from sensecheck.batteries.run import BatteryProgress

    counts: Counter[Outcome] = Counter()
    others: list[BatteryStep] = []
    with _run_bar(lambda _: outcome_counts(counts), hidden=hidden) as progress:
        task, updated = progress.add_task("", total=total), 0.0
        for step in steps:
            if not isinstance(step, BatteryProgress):
                others.append(step)
                break
            counts[step.result.outcome] += 1
            if (now := monotonic()) - updated > SECONDS_BETWEEN_UPDATES:
                progress.update(task, completed=step.done)
                updated = now
    yield from others


def _run_bar(
    last: "Callable[[Task], Text]", *, before: "ProgressColumn | None" = None, hidden: bool
) -> "Bar":
    """A bar with speed and time, and at its end what `last` says of the task."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    columns = (BarColumn(24), MofNCompleteColumn(), _column(_rate), TimeRemainingColumn(), _column(last))
    return _bar(*(() if before is None else (before,)), *columns, hidden=hidden)


def _bar(*columns: "ProgressColumn", hidden: bool) -> "Bar":
    from rich.progress import Progress

    console = Console(stderr=True)
    return Progress(
        *columns,
        console=console,
        transient=True,
        disable=hidden or not console.is_terminal,
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


def _failures(task: "Task") -> Text:
    counts = task.fields["failures"].items()
    return Text(", ".join(f"{count:,} {what}" for what, count in counts if count), "magenta")
