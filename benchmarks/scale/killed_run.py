"""One run on a Ray cluster, in a process that can be killed; every try of a task leaves a note."""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from sensecheck.core.backends import Backends
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.execution.driver import Worker, run_shards
from sensecheck.execution.executor import Executor, Inline
from sensecheck.execution.manifest import plan_in
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import plan_run
from sensecheck.execution.tasks import AssessShard, RoutePiece
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder

WORKERS = 2
ORDER = TableOrder(
    ("semantic_similarity", "squad_token_f1"), (), {"answer": "answer", "expected": "expected", "id": "id"}
)


@dataclass(frozen=True, slots=True)
class Noting:
    """A worker that notes what it begins, and takes its time."""

    inner: Worker
    notes: Path
    pause: float

    def __call__(self, task: RoutePiece | AssessShard) -> Any:
        """Note it, pause, and do it."""
        key = task.shard.id if isinstance(task, AssessShard) else f"piece {task.piece}"
        note = json.dumps({"key": key, "process": os.getpid()})
        (self.notes / f"{uuid4().hex}.json").write_text(note, encoding="utf-8")
        time.sleep(self.pause)
        return self.inner(task)


def main() -> None:
    """Drive the run to its end, or go on with it."""
    parser = argparse.ArgumentParser(description="One run that can be killed.")
    for name in ("inputs", "out", "notes", "address"):
        parser.add_argument(name)
    parser.add_argument("--pause", type=float, required=True)
    parser.add_argument("--shard-rows", type=int, required=True)
    asked = parser.parse_args()
    from sensecheck.execution.ray_executor import RayExecutor

    drive(
        planned(asked.inputs, asked.shard_rows),
        asked.out,
        RayExecutor(WORKERS, address=asked.address),
        partial(noting, asked.out, asked.notes, asked.pause),
    )


def planned(inputs: str, shard_rows: int) -> RunPlan:
    """The run over a folder of inputs."""
    return plan_run(ORDER, {"encoder": "hashing"}, [inputs], shard_rows=shard_rows, carried=("id",))


def drive(plan: RunPlan, out: str, executor: Executor, make: Callable[[], Any]) -> None:
    """All of a run that is not done yet."""
    for _ in run_shards(location_of(out), plan, executor, make):
        pass


def alone(plan: RunPlan, out: str) -> None:
    """The same run in this process, undisturbed."""
    drive(plan, out, Inline(), partial(_worker, out))


def noting(out: str, notes: str, pause: float) -> Noting:
    """A worker that leaves notes in a folder."""
    return Noting(_worker(out), Path(notes), pause)


def _worker(out: str) -> Worker:
    place = location_of(out)
    plan = plan_in(place)
    return Worker(place, plan, Assessor(plan.order, Backends(HashingEncoder())))


if __name__ == "__main__":
    main()
