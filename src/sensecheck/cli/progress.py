"""One progress bar on standard error, for whatever makes people wait.

It is shown only on a terminal; what is wrapped in it comes out the same without it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rich.text import Text

from sensecheck.cli.console import Console, outcome_counts

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn, Task, TaskID

    from sensecheck.batteries.run import BatteryStep
    from sensecheck.core.verdict import Outcome
    from sensecheck.evaluation.result import EvaluationPhase, EvaluationProgress, EvaluationResult

    EvaluationEvent = EvaluationProgress | EvaluationResult

# ruff: noqa: PLC0415 - only who waits needs a bar, and what is waited for brings numpy along

T = TypeVar("T")
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


class RunPosition(NamedTuple):
    """How far a run is, and what its bar says besides."""

    done: int
    total: int | None
    phase: str = ""
    status: Text = Text()


def bar(*, hidden: bool = False) -> "Bar":
    """A bar on standard error, if that is a terminal: how far, how fast, how long, and a status."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(24),
        MofNCompleteColumn(),
        _column(_rate),
        TimeRemainingColumn(),
        _column(lambda task: task.fields.get("status", Text())),
        console=console,
        transient=True,
        disable=hidden or not console.is_terminal,
        redirect_stdout=False,
        redirect_stderr=False,
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


def battery_progress(steps: "Iterable[BatteryStep]", *, hidden: bool) -> "Iterator[BatteryStep]":
    """The same steps, with a bar while results come: how tests came out so far."""
    from sensecheck.batteries.run import BatteryProgress, BatteryStarted

    counts: Counter[Outcome] = Counter()

    def position(step: "BatteryStep") -> RunPosition | None:
        if isinstance(step, BatteryStarted):
            counts.clear()
            return RunPosition(0, step.total)
        if not isinstance(step, BatteryProgress):
            return None
        counts[step.result.outcome] += 1
        return RunPosition(step.done, step.total, status=outcome_counts(counts))

    return _with_bar(steps, position, hidden=hidden)


def evaluation_progress(events: "Iterable[EvaluationEvent]", *, hidden: bool) -> "Iterator[EvaluationEvent]":
    """The same events, with a bar while they come, whoever does the work: what went wrong so far."""
    from sensecheck.evaluation.result import EvaluationProgress

    def position(event: "EvaluationEvent") -> RunPosition | None:
        if not isinstance(event, EvaluationProgress):
            return None
        failures = ", ".join(f"{count:,} {what}" for what, count in event.failures.items() if count)
        return RunPosition(event.done, event.total, _PHASES[event.phase], Text(failures, "magenta"))

    return _with_bar(events, position, hidden=hidden)


def speed_in_words(speed: float) -> str:
    """A number that can be read at a glance."""
    return f"{speed:,.0f}" if speed >= _MANY else f"{speed:.2g}"


def _with_bar(
    steps: Iterable[T], position: Callable[[T], RunPosition | None], *, hidden: bool
) -> Iterator[T]:
    """The same steps, with a bar while they say how far the run is; it is gone while another is shown."""
    with bar(hidden=hidden) as progress:
        task, phase, updated = progress.add_task("", total=None, visible=False), None, 0.0
        for step in steps:
            at = position(step)
            if at is None:
                progress.stop()
                phase = None
            yield step
            if at is None:
                continue
            if at.phase != phase:  # whose speed says nothing about the next one
                phase = at.phase
                progress.start()
                progress.reset(task, total=at.total, completed=at.done, description=phase, visible=True)
                progress.update(task, status=at.status)
            elif (now := monotonic()) - updated > SECONDS_BETWEEN_UPDATES:
                progress.update(task, completed=at.done, status=at.status)
                updated = now


def _column(render: "Callable[[Task], Text]") -> "ProgressColumn":
    from rich.progress import ProgressColumn

    class RenderedColumn(ProgressColumn):
        def render(self, task: "Task") -> Text:
            return render(task)

    return RenderedColumn()


def _rate(task: "Task") -> Text:
    """The speed of the last half minute, as far as it is known."""
    return Text("" if task.speed is None else f"{speed_in_words(task.speed)} a second", "dim")
