"""A large run from its first piece to its manifest: what its workers do, and how they come through all jobs.

Begun again, it goes on where it was: work that an earlier try has done is found and not done again, and
progress is reported after every task.
"""

import json
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import islice
from typing import Literal

import pyarrow as pa

from sensecheck.core.errors import NoWorkers, StorageError
from sensecheck.execution.executor import Executor, Make, TaskDone, WorkerPool
from sensecheck.execution.location import StorageLocation, looked_into
from sensecheck.execution.manifest import (
    MANIFEST_FILE,
    Gap,
    Manifest,
    ResultFile,
    begun,
    keep_result,
    manifest_in,
    result_in,
)
from sensecheck.execution.plan import INPUT, ROW, RunPlan
from sensecheck.execution.routing import ROUTED_FOLDER, Shards, route, routed_in, rows_of
from sensecheck.execution.tasks import (
    RESULTS_FOLDER,
    Assessed,
    AssessShard,
    Job,
    Routed,
    RoutePiece,
    Shard,
    Unread,
    after,
    parsed_result_name,
)
from sensecheck.tables.aggregates import Aggregates
from sensecheck.tables.arrow import FAULT

MAX_FAILURES_IN_A_ROW = 50
"""Failures a worker, without a single success between them: then it is not the rows that are to blame."""

Phase = Literal["routing", "assessing", "writing"]
Span = tuple[int, int]
StartPool = Callable[[], WorkerPool]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is reported after every task, whoever does the work."""

    phase: Phase
    done: int
    """Pieces of the input while these are routed; afterwards rows."""
    total: int
    rows: int = 0
    """Rows that were routed, or assessed."""
    errors: int = 0
    """Rows that are errors, so far."""
    link: str | None = None
    """A page on which the workers can be watched."""

    def plus(self, done: int, rows: int, errors: int = 0) -> "Progress":
        """So much further."""
        return replace(self, done=self.done + done, rows=self.rows + rows, errors=self.errors + errors)


Steps = Generator[Progress, None, None]
"""How far a run is, after each of its tasks; who closes it gives up the run, which can go on later."""


def run_shards(location: StorageLocation, plan: RunPlan, executor: Executor, make: Make) -> Steps:
    """Do all that is not done yet, and say how far it is; a run that is finished has nothing to say.

    `make` makes a `Worker` for the location and the plan. What cannot be read is an error of its row or a gap
    of the manifest; what sensecheck raises on purpose ends the run, and the same call continues with it.
    """
    plan = begun(location, plan)
    try:
        if manifest_in(location) is None:
            yield from _done(location, plan, executor, make)
    except StorageError:
        if manifest_in(location) is None:  # else someone has finished the same run, and cleared away
            raise
    clear_away(location)


def clear_away(location: StorageLocation) -> None:
    """Of a finished run, throw away the copy of the inputs that was routed: no one reads it any more."""
    with suppress(StorageError):  # the run is finished all the same; the next call tries it again
        location.drop(ROUTED_FOLDER)


def left_to_route(location: StorageLocation, plan: RunPlan) -> tuple[list[Routed], list[Job]]:
    """What is routed is not read again, and what could not be read is tried anew: what is there, and jobs."""
    routed = routed_in(location, plan)
    missing = (number for number in range(len(plan.pieces)) if number not in routed)
    return list(routed.values()), [Job(RoutePiece(number)) for number in missing]


def left_to_assess(
    location: StorageLocation, shards: Sequence[Shard]
) -> tuple[list[Assessed], Iterator[Job]]:
    """Results that are there, also of some rows of a shard, and jobs for the others.

    These are made one by one: the places of all rows of a large run are too much to hold.
    """
    names_by_shard = _names_by_shard(location)
    names: list[str] = []
    left: list[tuple[int, Span | None]] = []
    for number, shard in enumerate(shards):
        names_by_span = {
            rows or (0, shard.rows): name for rows, name in names_by_shard.get(shard.id, {}).items()
        }
        chosen, missing = cover(shard.rows, names_by_span)
        names.extend(names_by_span[span] for span in chosen)
        left.extend((number, span if names_by_span else None) for span in missing)
    jobs = (Job(AssessShard(shards[number], rows)) for number, rows in left)
    return looked_into(partial(result_in, location), names), jobs


def cover(rows: int, spans: Iterable[Span]) -> tuple[list[Span], list[Span]]:
    """Spans that share no row, from the first row on and the longest first, and what they leave open."""
    chosen: list[Span] = []
    missing: list[Span] = []
    position = 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < position:
            continue
        if start > position:
            missing.append((position, start))
        chosen.append((start, stop))
        position = stop
    return chosen, [*missing, (position, rows)] if position < rows else missing


def _names_by_shard(location: StorageLocation) -> dict[str, dict[Span | None, str]]:
    """Of two files for the same rows, which only a store without conditions keeps, the first one counts."""
    names_by_shard: dict[str, dict[Span | None, str]] = {}
    for name in location.names(RESULTS_FOLDER):
        result = parsed_result_name(name)
        if result is not None:
            names_by_shard.setdefault(result.shard, {}).setdefault(result.rows, name)
    return names_by_shard


def _done(location: StorageLocation, plan: RunPlan, executor: Executor, make: Make) -> Steps:
    location.sweep()
    with ExitStack() as stack:
        start_pool = cache(lambda: stack.enter_context(executor.pool(make)))
        shards, unread = yield from _route(location, plan, start_pool)
        assessed = yield from _assess(location, shards, start_pool)
    manifest = manifest_of(plan, assessed, unread)  # whoever else has finished it has written the same
    location.write(MANIFEST_FILE, json.dumps(manifest.to_data(), allow_nan=False).encode())
    rows, errors = sum(result.rows for result in assessed), sum(result.errors for result in assessed)
    yield Progress("writing", rows, rows, rows, errors)


def _route(
    location: StorageLocation, plan: RunPlan, start_pool: StartPool
) -> Generator[Progress, None, tuple[Shards, list[Unread]]]:
    """Every piece of the input: routed, or known to be unreadable."""
    routed, jobs = left_to_route(location, plan)
    unread: list[Unread] = []
    progress = Progress(
        "routing", len(routed), len(plan.pieces), sum(routed_piece.rows for routed_piece in routed)
    )
    yield progress
    for result in worked(jobs, start_pool):
        if isinstance(result, Routed):
            routed.append(result)
            progress = progress.plus(1, result.rows)
        elif isinstance(result, Unread):
            unread.append(result)
            progress = progress.plus(1, 0)
        yield replace(progress, link=start_pool().link)
    return Shards(plan, routed), unread


def _assess(
    location: StorageLocation, shards: Shards, start_pool: StartPool
) -> Generator[Progress, None, list[Assessed]]:
    """The results of every shard."""
    assessed, jobs = left_to_assess(location, shards)
    rows, errors = sum(result.rows for result in assessed), sum(result.errors for result in assessed)
    progress = Progress("assessing", rows, shards.rows, rows, errors)
    yield progress
    for result in worked(jobs, start_pool):
        if isinstance(result, Assessed):
            assessed.append(result)
            progress = progress.plus(result.rows, result.rows, result.errors)
            yield replace(progress, link=start_pool().link)
    return assessed


def manifest_of(plan: RunPlan, assessed: Iterable[Assessed], unread: Iterable[Unread]) -> Manifest:
    """In the order of names, whichever order the work was done in."""
    files = sorted(assessed, key=lambda file: (file.shard, file.name))
    merged = Aggregates.merged([Aggregates.from_data(file.aggregates) for file in files])
    return Manifest(
        plan,
        plan.fingerprint,
        sum(file.rows for file in files),
        sum(file.errors for file in files),
        tuple(ResultFile(file.shard, file.name, file.rows, file.errors, file.size) for file in files),
        merged.to_data(),
        tuple(_gap(plan, piece) for piece in sorted(unread, key=lambda one: one.piece)),
    )


def _gap(plan: RunPlan, unread: Unread) -> Gap:
    piece = plan.pieces[unread.piece]
    return Gap(plan.inputs[piece.input].address, piece.start, piece.stop, unread.because)


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
