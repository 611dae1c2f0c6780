"""The progress of each kind of run.

How fast it goes, beside a bar.

A bar that moves while an encoder places texts.

A bar for a run: how far it is, how fast, and how tests came out so far.

A bar for an evaluation: how far it is, how fast, how long it will take, and what went wrong so far.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from sensecheck.cli.console import COLOURS, Paper
from sensecheck.cli.exit_codes import WORST_FIRST
from sensecheck.cli.progress import bar
from sensecheck.core.backends import Encoder, Placement
from sensecheck.core.run import Run
from sensecheck.core.verdict import Outcome
from sensecheck.encoders.wrappers import Around
from sensecheck.evaluation.evaluate import Batch
from sensecheck.runs.jsonl import Writing
from sensecheck.runs.result import Result

_MANY = 10
"""From so many a second on, parts of one are no news."""


class Rate(ProgressColumn):
    """How many a second."""

    def render(self, task: Task) -> Text:
        """The speed of the last half minute, as far as it is known."""
        return Text("" if task.speed is None else f"{spoken(task.speed)} a second", "dim")


def spoken(speed: float) -> str:
    """A number that can be read at a glance."""
    return f"{speed:,.0f}" if speed >= _MANY else f"{speed:.2g}"


AT_ONCE = 256
"""Enough for an engine to be busy, few enough for a bar to move."""


@contextmanager
def placing_shown(encoder: Encoder, texts: int | None, *, hidden: bool) -> Iterator[Encoder]:
    """The same encoder, with a bar on standard error while it is asked, if that is a terminal.

    `texts` is how many there will be, if that is known.
    """
    with bar(hidden=hidden) as progress:
        if progress.disable:
            yield encoder
            return
        task = progress.add_task("placing texts", total=texts)
        yield _Told(encoder, lambda placed: progress.advance(task, placed))


class _Told(Around):
    """The same vectors, a few texts at a time; each time, somebody is told how many."""

    def __init__(self, inner: Encoder, tell: Callable[[int], None]) -> None:
        super().__init__(inner)
        self._tell = tell

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order."""
        placed: list[Placement] = []
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            placed += self._inner.place(some, tokens=tokens)
            self._tell(len(some))
        return placed


OFTEN = 0.1
"""Seconds between two looks at the counts."""


class _Outcomes(ProgressColumn):
    def __init__(self, counts: Counter[Outcome]) -> None:
        super().__init__()
        self._counts = counts

    def render(self, task: Task) -> Text:
        return counted(self._counts)


def counted(counts: Counter[Outcome]) -> Text:
    """How many of each outcome, in its colour."""
    told = [Text(f"{counts[word]} {word}", COLOURS[word]) for word in reversed(WORST_FIRST) if counts[word]]
    return Text(", ").join(told)


def battery_progress(results: Iterator[Result], writing: Writing, *, hidden: bool) -> Iterator[Result]:
    """The same results, with a bar on standard error while they come, if that is a terminal."""
    paper = Paper(stderr=True)
    if hidden or not paper.is_terminal:
        yield from results
        return
    counts: Counter[Outcome] = Counter()
    columns = (BarColumn(24), MofNCompleteColumn(), Rate(), TimeRemainingColumn(), _Outcomes(counts))
    with Progress(
        *columns, console=paper, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("", total=writing.run.header.cells)
        looked = 0.0
        for done, result in enumerate(results, 1):
            counts[result.outcome] += 1
            if (now := monotonic()) - looked > OFTEN:
                progress.update(task, completed=done)
                looked = now
            yield result


class _Wrong(ProgressColumn):
    """What could not be answered or read so far."""

    def __init__(self) -> None:
        super().__init__()
        self.unanswered = self.unread = 0

    def count(self, batch: Batch) -> None:
        self.unanswered += sum(told.answer is None for _, told in batch)
        self.unread += sum(one.error is not None for _, told in batch for one in told.readings)

    def render(self, task: Task) -> Text:
        counts = ((self.unanswered, "not answered"), (self.unread, "not read"))
        return Text(", ".join(f"{count:,} {word}" for count, word in counts if count), "magenta")


def evaluation_progress(batches: Iterable[Batch], run: Run, *, hidden: bool) -> Iterator[Batch]:
    """The same batches, with a bar on standard error while they come, if that is a terminal."""
    paper, wrong = Paper(stderr=True), _Wrong()
    if hidden or not paper.is_terminal:
        yield from batches
        return
    columns = (BarColumn(24), MofNCompleteColumn(), Rate(), TimeRemainingColumn(), wrong)
    with Progress(
        *columns, console=paper, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as progress:
        task = progress.add_task("", total=run.set.size, completed=run.done)
        for batch in batches:
            wrong.count(batch)
            progress.advance(task, len(batch))
            yield batch
