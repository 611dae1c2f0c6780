"""A large run from its first piece to its manifest; begun again, it goes on where it was."""

from collections.abc import Callable, Generator
from contextlib import ExitStack
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from sensecheck.core.errors import NotKept
from sensecheck.evals.executors.executor import Crew, Executor, Make
from sensecheck.evals.shards.finishing import clear_away, finish
from sensecheck.evals.shards.packing import Shards
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.progress import Progress
from sensecheck.evals.shards.resuming import left_to_assess, left_to_route
from sensecheck.evals.shards.run_file import begun, manifest_in
from sensecheck.evals.shards.tasks import Assessed, Routed, Unread
from sensecheck.evals.shards.working import worked

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
