"""A bar for an evaluation: how far it is, how fast, how long it will take, and what went wrong so far."""

from collections.abc import Iterable, Iterator

from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from sensecheck.cli.paint import Paper
from sensecheck.cli.rate import Rate
from sensecheck.core.run import Run
from sensecheck.evals.qa.running import Batch


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


def shown(batches: Iterable[Batch], run: Run, *, hidden: bool) -> Iterator[Batch]:
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
