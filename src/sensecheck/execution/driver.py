"""A large run from first piece to manifest.

The last steps of a large run: its manifest, and nothing beside the results that only took room.

How far a large run is.

What an earlier try of the same run has left: work that is not done again.

A large run from its first piece to its manifest; begun again, it goes on where it was.
"""

import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Literal, NamedTuple

from sensecheck.core.errors import NotKept
from sensecheck.execution.executor import Crew, Executor, Make
from sensecheck.execution.location import Place, looked_into
from sensecheck.execution.manifest import NAME, Entry, Gap, Manifest, begun, manifest_in, result_in
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.routing import FOLDER as ROUTED
from sensecheck.execution.routing import Shards, routed_in
from sensecheck.execution.tasks import (
    FOLDER,
    Assessed,
    AssessShard,
    Job,
    Routed,
    RoutePiece,
    Shard,
    Unread,
    named,
)
from sensecheck.execution.worker import worked
from sensecheck.tables.aggregates import Aggregates


def finish(place: Place, plan: RunPlan, assessed: Iterable[Assessed], unread: Iterable[Unread]) -> None:
    """Tell of all results at once; whoever else has finished the same run meanwhile has told the same."""
    manifest = manifest_of(plan, assessed, unread)
    place.write(NAME, json.dumps(manifest.to_data(), allow_nan=False).encode())


def clear_away(place: Place) -> None:
    """Of a finished run, throw away the copy of the inputs that was routed: nobody reads it any more."""
    with suppress(NotKept):  # the run is finished all the same; who asks for it again tries it again
        place.drop(ROUTED)


def manifest_of(plan: RunPlan, assessed: Iterable[Assessed], unread: Iterable[Unread]) -> Manifest:
    """In the order of names, whichever order the work was done in."""
    files = sorted(assessed, key=lambda one: (one.shard, one.name))
    merged = Aggregates.merged([Aggregates.from_data(one.aggregates) for one in files])
    return Manifest(
        plan,
        plan.fingerprint,
        sum(one.rows for one in files),
        sum(one.errors for one in files),
        tuple(Entry(one.shard, one.name, one.rows, one.errors, one.size) for one in files),
        merged.to_data(),
        tuple(_gap(plan, one) for one in sorted(unread, key=lambda one: one.piece)),
    )


def _gap(plan: RunPlan, unread: Unread) -> Gap:
    piece = plan.pieces[unread.piece]
    return Gap(plan.inputs[piece.input].address, piece.start, piece.stop, unread.because)


Phase = Literal["routing", "assessing", "writing"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is told after every task, whoever does the work."""

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


Span = tuple[int, int]


class LeftToRoute(NamedTuple):
    """Pieces that lie ready, and those that do not."""

    found: list[Routed]
    jobs: list[Job]


class LeftToAssess(NamedTuple):
    """Results that are there, and those that are not."""

    found: list[Assessed]
    jobs: Iterator[Job]
    """Made one by one: the places of all rows of a large run are too much to hold."""


def left_to_route(place: Place, plan: RunPlan) -> LeftToRoute:
    """Pieces that are routed are not read again; those that could not be read are tried anew."""
    found = routed_in(place, plan)
    missing = (number for number in range(len(plan.pieces)) if number not in found)
    return LeftToRoute(list(found.values()), [Job(RoutePiece(number)) for number in missing])


def left_to_assess(place: Place, shards: Sequence[Shard]) -> LeftToAssess:
    """Results that are kept are not made again, also where only some rows of a shard have theirs."""
    kept = _names_by_shard(place)
    names: list[str] = []
    left: list[tuple[int, Span | None]] = []
    for number, shard in enumerate(shards):
        there = {rows or (0, shard.rows): name for rows, name in kept.get(shard.id, {}).items()}
        chosen, missing = cover(shard.rows, there)
        names.extend(there[span] for span in chosen)
        left.extend((number, span if there else None) for span in missing)
    jobs = (Job(AssessShard(shards[number], rows)) for number, rows in left)
    return LeftToAssess(looked_into(partial(result_in, place), names), jobs)


def cover(rows: int, spans: Iterable[Span]) -> tuple[list[Span], list[Span]]:
    """Spans that share no row, from the first row on and the longest first, and what they leave open."""
    chosen: list[Span] = []
    missing: list[Span] = []
    at = 0
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < at:
            continue
        if start > at:
            missing.append((at, start))
        chosen.append((start, stop))
        at = stop
    return chosen, [*missing, (at, rows)] if at < rows else missing


def _names_by_shard(place: Place) -> dict[str, dict[Span | None, str]]:
    """Of two files for the same rows, which only a store without conditions keeps, the first one counts."""
    kept: dict[str, dict[Span | None, str]] = {}
    for name in place.names(FOLDER):
        about = named(name)
        if about is not None:
            kept.setdefault(about.shard, {}).setdefault(about.rows, name)
    return kept


Hire = Callable[[], Crew]
Steps = Generator[Progress, None, None]
"""How far a run is, after each of its tasks; who closes it gives up the run, which can go on later."""


class _Inputs(NamedTuple):
    shards: Shards
    unread: list[Unread]


def run_shards(place: Place, plan: RunPlan, executor: Executor, make: Make) -> Steps:
    """Do all that is not done yet, and say how far it is; a run that is finished has nothing to say.

    `make` makes a `Worker` for the place and the plan. What cannot be read is an error of its row or a gap of
    the manifest; what sensecheck raises on purpose ends the run, and the same call goes on with it.
    """
    plan = begun(place, plan)
    try:
        if manifest_in(place) is None:
            yield from _done(place, plan, executor, make)
    except NotKept:
        if manifest_in(place) is None:  # else somebody has finished the same run, and cleared away
            raise
    clear_away(place)


def _done(place: Place, plan: RunPlan, executor: Executor, make: Make) -> Steps:
    place.sweep()
    with ExitStack() as stack:
        hire = cache(lambda: stack.enter_context(executor.crew(make)))
        inputs = yield from _route(place, plan, hire)
        assessed = yield from _assess(place, inputs.shards, hire)
    finish(place, plan, assessed, inputs.unread)
    rows, errors = sum(one.rows for one in assessed), sum(one.errors for one in assessed)
    yield Progress("writing", rows, rows, rows, errors)


def _route(place: Place, plan: RunPlan, hire: Hire) -> Generator[Progress, None, _Inputs]:
    """Every piece of the input: routed, or known to be unreadable."""
    routed, jobs = left_to_route(place, plan)
    unread: list[Unread] = []
    at = Progress("routing", len(routed), len(plan.pieces), sum(one.rows for one in routed))
    yield at
    for done in worked(jobs, hire):
        if isinstance(done, Routed):
            routed.append(done)
            at = at.plus(1, done.rows)
        elif isinstance(done, Unread):
            unread.append(done)
            at = at.plus(1, 0)
        yield replace(at, link=hire().link)
    return _Inputs(Shards(plan, routed), unread)


def _assess(place: Place, shards: Shards, hire: Hire) -> Generator[Progress, None, list[Assessed]]:
    """The results of every shard."""
    assessed, jobs = left_to_assess(place, shards)
    rows, errors = sum(one.rows for one in assessed), sum(one.errors for one in assessed)
    at = Progress("assessing", rows, shards.rows, rows, errors)
    yield at
    for done in worked(jobs, hire):
        if isinstance(done, Assessed):
            assessed.append(done)
            at = at.plus(done.rows, done.rows, done.errors)
            yield replace(at, link=hire().link)
    return assessed
