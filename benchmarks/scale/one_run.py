"""One whole run in a process of its own, for those who measure; prints what it took as JSON."""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.family import Member, family
from benchmarks.scale.null_encoder import NullEncoder

from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.execution.driver import Progress, Worker, run_shards
from sensecheck.execution.executor import Executor, Make, WorkerPool
from sensecheck.execution.manifest import begun, manifest_in, plan_in
from sensecheck.execution.object_store import location_of
from sensecheck.execution.planning import plan_run
from sensecheck.tables.assess import Assessor
from sensecheck.tables.order import TableOrder

ORDER = TableOrder(metrics=("semantic_similarity",), columns={"answer": "answer", "expected": "expected"})
TOLD_EVERY = 10.0
"""Seconds between two lines of progress."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a run can tell of itself."""

    rows: int
    errors: int
    files: int
    cpu: float
    """CPU seconds of all processes: for the plan, while workers were ready, and for the manifest."""
    start: float
    """CPU seconds until workers were ready: imports, processes, the model."""
    daemons: float
    """CPU seconds of processes that are neither the driver nor a worker, while workers were ready."""
    wall: float
    """Seconds on the clock while workers were ready."""
    routed: int
    results: int
    """Bytes of the routed copy, and of the results."""
    manifest: int
    """Bytes of the manifest."""


class Watched:
    """An executor, and what its pools took to become ready and to work.

    Processes are looked at while they live: some of Ray's end without telling anybody what they took.
    """

    def __init__(self, inner: Executor) -> None:
        self.inner = inner
        self.start = self.cpu = self.daemons = self.wall = 0.0
        self.left = 0.0
        """The CPU seconds of this process alone, when the pool had done its work."""

    @property
    def name(self) -> str:
        """As the one inside."""
        return self.inner.name

    @contextmanager
    def pool(self, make: Make) -> Iterator[WorkerPool]:
        """The pool of the one inside."""
        before = family(os.getpid())
        with self.inner.pool(make) as pool:
            ready, began = family(os.getpid()), time.perf_counter()
            self.start += _grown(before, ready)
            yield pool
            self.wall += time.perf_counter() - began
            done = family(os.getpid())
            self.cpu += _grown(ready, done)
            self.daemons += _grown(ready, _daemons(done))
            self.left = time.process_time()


def main() -> None:
    """Run as the command line says."""
    parser = argparse.ArgumentParser(description="One run, measured.")
    parser.add_argument("inputs", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--on", choices=("inline", "processes", "ray"), default="processes")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--encoder", choices=tuple(ENCODERS), default="minilm")
    parser.add_argument("--shard-rows", type=int, default=50_000)
    asked = parser.parse_args()
    imported = time.process_time()
    watched = Watched(executor_named(asked.on, asked.workers))
    place = location_of(asked.out)
    readers = {"encoder": ENCODERS[asked.encoder]().fingerprint}
    loaded = time.process_time() - imported
    began = time.process_time()
    plan = begun(place, plan_run(ORDER, readers, asked.inputs, shard_rows=asked.shard_rows))
    planned = time.process_time() - began
    steps = run_shards(place, plan, watched, partial(worker_at, asked.out, asked.encoder))
    followed(takewhile(_is_under_way, steps), asked.on)
    routed = _size(Path(asked.out) / "routed")
    followed(steps, asked.on)  # to the end, where the routed copy is thrown away
    manifest = manifest_in(place)
    assert manifest is not None
    told = Told(
        manifest.rows,
        manifest.errors,
        len(manifest.entries),
        planned + watched.cpu + time.process_time() - watched.left,
        imported + loaded + watched.start,
        watched.daemons,
        watched.wall,
        routed,
        sum(entry.size for entry in manifest.entries),
        _size(Path(asked.out), "manifest.json"),
    )
    print(json.dumps(asdict(told)))


def executor_named(name: str, workers: int) -> Executor:
    """An executor with so many workers."""
    if name == "inline":
        from sensecheck.execution.executor import Inline

        return Inline()
    if name == "processes":
        from sensecheck.execution.processes import Processes

        return Processes(workers)
    from sensecheck.execution.ray_executor import RayExecutor

    return RayExecutor(workers, address="local")  # a cluster of its own, gone with it


def worker_at(address: str, encoder: str) -> Worker:
    """A worker for the run that lies there; made where it will work."""
    place = location_of(address)
    plan = plan_in(place)
    return Worker(place, plan, Assessor(plan.order, Backends(ENCODERS[encoder]())))


def _minilm() -> Encoder:
    return load_encoder("minilm")


ENCODERS: dict[str, "partial[Encoder] | type[NullEncoder]"] = {
    "minilm": partial(_minilm),
    "null": NullEncoder,
}


def followed(progress: Iterator[Progress], on: str) -> None:
    """Go to the end, and say from time to time how far it is."""
    told = time.monotonic()
    for step in progress:
        if time.monotonic() - told > TOLD_EVERY:
            told = time.monotonic()
            print(f"  {on}: {step}", file=sys.stderr, flush=True)


def _is_under_way(step: Progress) -> bool:
    return step.phase != "writing"


def _grown(before: list[Member], after: list[Member]) -> float:
    """The CPU seconds that processes took meanwhile, also those that are new."""
    known = {one.pid: one.cpu for one in before}
    return sum(one.cpu - known.get(one.pid, 0.0) for one in after)


def _daemons(members: list[Member]) -> list[Member]:
    """Of Ray's processes, those that are no actor of ours."""
    return [one for one in members[1:] if "ray" in one.title and not _is_actor(one.title)]


def _is_actor(title: str) -> bool:
    return title.startswith("ray::") and not title.startswith("ray::IDLE")


def _size(folder: Path, pattern: str = "*") -> int:
    return sum(file.stat().st_size for file in folder.glob(pattern) if file.is_file())


if __name__ == "__main__":
    main()
