"""Pools for tests, and the jobs that they are given."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from sensecheck.server.engine.jobs import Checked, CheckJob, EngineAway, Overloaded, Result
from sensecheck.server.engine.pool import EnginePool
from tests.server.engine.fragile import COMMAND


@asynccontextmanager
async def opened(pool: EnginePool) -> AsyncIterator[EnginePool]:
    """The pool, from its start to its end."""
    await pool.start()
    try:
        yield pool
    finally:
        await pool.stop(5.0)


def fragile(*, workers: int = 1, max_wait: float = 60.0, patience: float = 60.0) -> EnginePool:
    """A pool whose engines do what texts tell them."""
    return EnginePool(workers=workers, max_wait=max_wait, command=COMMAND, patience=patience)


def plain(answer: str, passage: str = "The museum opens at nine.") -> CheckJob:
    """A check that any encoder can do."""
    return CheckJob(answer, (passage,), policy="similarity-or-keywords")


async def all_of(pool: EnginePool, jobs: Sequence[CheckJob]) -> list[Result | EngineAway | Overloaded]:
    """What each comes to, or why it comes to nothing; nobody waits for ever."""

    async def one(job: CheckJob) -> Result | EngineAway | Overloaded:
        try:
            return await pool.run(job)
        except (EngineAway, Overloaded) as reason:
            return reason

    async with asyncio.timeout(240):
        return list(await asyncio.gather(*map(one, jobs)))


def checked(result: object) -> Checked:
    """A result that is a finding."""
    assert isinstance(result, Checked)
    return result
