"""What every worker of a large run does, wherever it is: a pure function from task to kept file."""

from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

from sensecheck.evals.shards.column_kinds import FAULT, INPUT, ROW
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.result_file import keep_result
from sensecheck.evals.shards.routing import route
from sensecheck.evals.shards.shard_rows import rows_of
from sensecheck.evals.shards.tasks import Assessed, AssessShard, Routed, RoutePiece, Unread
from sensecheck.evals.tables.aggregates import Aggregates


@dataclass(frozen=True, slots=True)
class Worker:
    """Routes pieces and assesses shards of one run; killed at any moment, it leaves nothing half done."""

    place: Place
    plan: RunPlan
    assess: Callable[[pa.Table], pa.Table]

    def __call__(self, task: RoutePiece | AssessShard) -> Routed | Unread | Assessed:
        """Do it, and say what is kept."""
        done = (
            route(self.place, self.plan, task.piece) if isinstance(task, RoutePiece) else self._assessed(task)
        )
        pa.default_memory_pool().release_unused()  # what one task took shall not add up with the next one's
        return done

    def _assessed(self, task: AssessShard) -> Assessed:
        rows = rows_of(self.place, task.shard, task.rows)
        if task.fault is not None:
            rows = _all_wrong(rows, task.fault)
        read = self.assess(rows)
        added = read.column_names[rows.num_columns :]
        results = read.select([INPUT, ROW, *self.plan.carried, *added])
        return keep_result(self.place, task, results, Aggregates.of(results, self.plan.order))


def _all_wrong(rows: pa.Table, because: str) -> pa.Table:
    """The same rows, none of which is to be read."""
    told = pa.array([because] * rows.num_rows, pa.string())
    return rows.set_column(rows.column_names.index(FAULT), FAULT, told)
