"""What a worker of a large run does with a task, and how a pool of workers comes through all jobs."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from sensecheck.core.errors import NoWorkers
from sensecheck.execution.executor import TaskDone, WorkerPool
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.manifest import keep_result
from sensecheck.execution.plan import INPUT, ROW, RunPlan
from sensecheck.execution.routing import route, rows_of
from sensecheck.execution.tasks import Assessed, AssessShard, Job, Routed, RoutePiece, Unread, after
from sensecheck.tables.aggregates import Aggregates
from sensecheck.tables.arrow import FAULT

MAX_FAILURES_IN_A_ROW = 50
"""Failures a worker, without a single success between them: then it is not the rows that are to blame."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Routes pieces and assesses shards of one run; killed at any moment, it leaves nothing half done."""

    location: StorageLocation
    plan: RunPlan
    assess: Callable[[pa.Table], pa.Table]

    def __call__(self, task: RoutePiece | AssessShard) -> Routed | Unread | Assessed:
        """Do it, and say what came of it; the files are written by then."""
        result = (
            route(self.location, self.plan, task.piece)
            if isinstance(task, RoutePiece)
            else self._assessed(task)
        )
        pa.default_memory_pool().release_unused()  # what one task took shall not add up with the next one's
        return result

    def _assessed(self, task: AssessShard) -> Assessed:
        rows = rows_of(self.location, task.shard, task.rows)
        if task.fault is not None:
            reasons = pa.array([task.fault] * rows.num_rows, pa.string())
            rows = rows.set_column(rows.column_names.index(FAULT), FAULT, reasons)
        assessed = self.assess(rows)
        added = assessed.column_names[rows.num_columns :]
        results = assessed.select([INPUT, ROW, *self.plan.carried, *added])
        return keep_result(self.location, task, results, Aggregates.of(results, self.plan.order))


def worked(jobs: Iterable[Job], start_pool: Callable[[], WorkerPool]) -> Iterator[Routed | Unread | Assessed]:
    """The results, in whichever order they come; a pool is started if there is anything to do."""
    rest, queue, under_way, failures = iter(jobs), deque[Job](), dict[str, Job](), 0

    def is_anything_left() -> bool:
        queue.extend(islice(rest, 0 if queue else 1))
        return bool(queue)

    if not is_anything_left():
        return
    pool = start_pool()
    while is_anything_left() or pool.busy:
        while is_anything_left() and pool.has_room:
            job = queue.popleft()
            under_way[job.key] = job
            pool.take(job.task)
        outcome = pool.next()
        job = under_way.pop(outcome.key)
        if isinstance(outcome, TaskDone):
            failures = failures if job.is_given_up else 0
            yield outcome.result
            continue
        if outcome.error is not None:
            raise outcome.error
        failures += 1
        if failures >= MAX_FAILURES_IN_A_ROW * pool.size:
            raise NoWorkers(
                f"{failures:,} tasks failed in a row, the last one since {outcome.because}; what is done is "
                "stored, and the same command continues"
            )
        replacement = after(job, outcome)
        if isinstance(replacement, Unread):
            yield replacement
        else:
            queue.extendleft(reversed(replacement))  # first: the bad row is found before others are lost
