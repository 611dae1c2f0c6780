"""What becomes of a task that failed: another try, halves of its rows, at last the one row to blame."""

from dataclasses import dataclass, replace

from sensecheck.core.errors import NotKept
from sensecheck.evals.executors.executor import Failed, How, Task
from sensecheck.evals.shards.result_name import result_name
from sensecheck.evals.shards.tasks import AssessShard, RoutePiece, Unread

MOST_TRIES = 2
MOST_LOSSES = 5
"""Machines that may go away under a task before it is suspected itself."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do, and how often it has failed."""

    body: RoutePiece | AssessShard
    failures: int = 0
    losses: int = 0

    @property
    def key(self) -> str:
        """Its name among all jobs of a run."""
        if isinstance(self.body, RoutePiece):
            return f"piece {self.body.piece}"
        return result_name(self.body.shard.id, self.body.rows)

    @property
    def is_given_up(self) -> bool:
        """Whether its rows are not even read any more."""
        return isinstance(self.body, AssessShard) and self.body.fault is not None

    @property
    def task(self) -> Task:
        """As a crew takes it."""
        return Task(self.key, self.body)

    def again(self, how: How) -> "Job | None":
        """The same once more; None when it has had its tries."""
        if how == "lost" and self.losses + 1 < MOST_LOSSES:
            return replace(self, losses=self.losses + 1)
        tried = replace(self, failures=self.failures + 1, losses=0)
        return tried if tried.failures < _most_tries(self.body) else None


def after(job: Job, failed: Failed) -> tuple[Job, ...] | Unread:
    """What is done instead; of a piece of the input that had its tries, that it cannot be read."""
    again = job.again(failed.how)
    if again is not None:
        return (again,)
    if isinstance(job.body, RoutePiece):
        return Unread(job.body.piece, f"it could not be routed: {failed.because}")
    return tuple(Job(part) for part in parted(job.body, failed.because))


def parted(task: AssessShard, because: str) -> tuple[AssessShard, ...]:
    """The same rows in two halves; a single row is not read any more, and told as an error."""
    start, stop = span_of(task)
    if task.fault is not None:
        raise NotKept(
            f"row {start:,} of the shard `{task.shard.id}` cannot even be kept as an error: {because}; what "
            "is done is kept, and the same command goes on"
        )
    if stop - start == 1:
        return (replace(task, rows=(start, stop), fault=f"it could not be read: {because}"),)
    middle = (start + stop) // 2
    return replace(task, rows=(start, middle)), replace(task, rows=(middle, stop))


def span_of(task: AssessShard) -> tuple[int, int]:
    """The first row of the shard that it is about, and the one after its last."""
    return (0, task.shard.rows) if task.rows is None else task.rows


def _most_tries(body: RoutePiece | AssessShard) -> int:
    """A half of what failed twice is parted at its first failure; only of a single row this would be rash."""
    if isinstance(body, RoutePiece) or body.rows is None:
        return MOST_TRIES
    start, stop = body.rows
    return MOST_TRIES if stop - start == 1 else 1
