"""One key sends the worst that it may, again and again; it is refused, and the others are not."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from sensecheck.server.engine.jobs import CheckJob, Client, Overloaded
from sensecheck.server.engine.pool import EnginePool
from tests.server.engine.pools import checked, fragile, opened, plain

pytestmark = pytest.mark.fault

HONEST, ATTACKING = 20, 20
SECONDS = 6.0
MAX_WAIT = 2.0


async def ask(pool: EnginePool, job: CheckJob, client: Client) -> float:
    """Seconds until the result; raises `Overloaded`."""
    began = time.monotonic()
    [found] = await asyncio.gather(*pool.begin([job], client))
    checked(found)
    return time.monotonic() - began


async def honest(pool: EnginePool, until: float) -> list[float]:
    """Twenty readers who each ask something small, think, and ask again."""
    spent: list[float] = []

    async def reader(number: int) -> None:
        asked = 0
        while time.monotonic() < until:
            asked += 1
            job = plain(f"Reader {number} asks {asked}. slow")
            try:
                spent.append(await ask(pool, job, Client("honest", str(number))))
            except Overloaded as full:
                pytest.fail(f"a reader was refused for {full.retry_after} s")
            await asyncio.sleep(4.0)

    async with asyncio.TaskGroup() as group:
        for number in range(HONEST):
            group.create_task(reader(number))
            await asyncio.sleep(0.1)
    return spent


async def attack(pool: EnginePool, until: float) -> tuple[int, list[float]]:
    """Large requests from many connections of one key, as fast as they can; how many were refused, waits."""
    refused, spent = 0, list[float]()

    async def attacker(number: int) -> None:
        nonlocal refused
        asked = 0
        while time.monotonic() < until:
            asked += 1
            job = plain(f"Attack {number} {asked}. slow", f"{number} {asked} " + "D. E. F! " * 1100)
            began = time.monotonic()
            try:
                await ask(pool, job, Client("attack", str(number)))
            except Overloaded:
                refused += 1
                spent.append(time.monotonic() - began)
                await asyncio.sleep(0.2)

    async with asyncio.TaskGroup() as group:
        for number in range(ATTACKING):
            group.create_task(attacker(number))
    return refused, spent


def run(work: Callable[[EnginePool], Awaitable[None]]) -> None:
    async def opened_and_done() -> None:
        async with opened(fragile(max_wait=MAX_WAIT)) as pool:
            await work(pool)

    asyncio.run(opened_and_done())


def test_no_reader_is_refused_while_one_key_sends_the_worst_that_it_may() -> None:
    async def work(pool: EnginePool) -> None:
        until = time.monotonic() + SECONDS
        attacking = asyncio.create_task(attack(pool, until))
        await asyncio.sleep(0.2)
        during = await honest(pool, until)
        refused, waits = await attacking
        assert refused > 0
        assert max(waits) < 1.2 * MAX_WAIT + 0.2
        # Nothing here says how much slower readers are: `benchmarks/serving/attack.py` measures that.
        assert len(during) >= HONEST

    run(work)
