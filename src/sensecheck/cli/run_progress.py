"""A bar for a run: how far it is, how fast, and how tests came out so far."""

from collections import Counter
from collections.abc import Iterator
from time import monotonic

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from sensecheck.cli.outcomes import WORST_FIRST
from sensecheck.cli.paint import COLOURS, Paper
from sensecheck.cli.rate import Rate
from sensecheck.core.verdict import Outcome
from sensecheck.evals.result import Result
from sensecheck.evals.run_folder import Writing

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


def shown(results: Iterator[Result], writing: Writing, *, hidden: bool) -> Iterator[Result]:
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
