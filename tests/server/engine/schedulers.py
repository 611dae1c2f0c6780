"""Schedulers for tests, and the jobs that they are given."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from sensecheck.server.engine.jobs import Checked, CheckJob, EngineAway, Overloaded, Result
from sensecheck.server.engine.scheduler import EngineScheduler
from tests.server.engine.fragile import COMMAND


@asynccontextmanager
async def opened(scheduler: EngineScheduler) -> AsyncIterator[EngineScheduler]:
    """The scheduler, from its start to its end."""
    await scheduler.start()
    try:
        yield scheduler
    finally:
        await scheduler.stop(5.0)


def fragile(*, engines: int = 1, max_wait: float = 60.0, patience: float = 60.0) -> EngineScheduler:
    """A scheduler whose engines do what texts tell them."""
    return EngineScheduler(engines=engines, max_wait=max_wait, command=COMMAND, patience=patience)


def plain(answer: str, passage: str = "The museum opens at nine.") -> CheckJob:
    """A check that any encoder can do."""
    return CheckJob(answer, (passage,), policy="similarity-or-keywords")


async def all_of(
    scheduler: EngineScheduler, jobs: Sequence[CheckJob]
) -> list[Result | EngineAway | Overloaded]:
    """What each comes to, or why it comes to nothing; nobody waits for ever."""

    async def one(job: CheckJob) -> Result | EngineAway | Overloaded:
        try:
            return await scheduler.run(job)
        except (EngineAway, Overloaded) as reason:
            return reason

    async with asyncio.timeout(240):
        return list(await asyncio.gather(*map(one, jobs)))


def checked(result: object) -> Checked:
    """A result that is a finding."""
    assert isinstance(result, Checked)
    return result
