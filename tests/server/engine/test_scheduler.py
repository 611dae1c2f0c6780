"""Callers at once: batches, turning away, giving up."""

import asyncio
import time

import pytest

from sensecheck.server.engine.jobs import CheckJob, EngineAway, Overloaded
from sensecheck.server.engine.scheduler import EngineScheduler
from tests.pace import usual_seconds
from tests.server.engine.schedulers import all_of, checked, fragile, opened, plain


@pytest.mark.slow
def test_callers_who_come_together_are_served_together() -> None:
    async def run() -> int:
        async with opened(EngineScheduler(max_wait=60.0)) as scheduler:
            jobs = [CheckJob(f"It opens at {n}.", ("The museum opens at nine.",)) for n in range(64)]
            found = await all_of(scheduler, jobs)
            assert [checked(one).data["claims"][0]["text"] for one in found] == [job.answer for job in jobs]
            return scheduler.load().batches

    assert asyncio.run(run()) < 32


def test_who_would_wait_too_long_is_turned_away_at_once() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.5)) as scheduler:
            first = asyncio.create_task(all_of(scheduler, [plain(f"slow {n} " * 3000) for n in range(4)]))
            await asyncio.sleep(0.05)
            turned = None
            while turned is None:  # the pace is learned: ask until there is enough ahead
                asyncio.create_task(all_of(scheduler, [plain("slow " * 9000)]))  # noqa: RUF006
                await asyncio.sleep(0)
                turned = await _turned_away(scheduler)
            assert turned.retry_after >= 0.25
            promised = asyncio.create_task(scheduler.run(plain("one that was admitted"), promised=True))
            await first
            checked(await promised)

    asyncio.run(run())


async def _turned_away(scheduler: EngineScheduler) -> Overloaded | None:
    """What one more is told, which is told at once; None for who may wait, and does not."""
    asked = time.thread_time()
    one_more = asyncio.create_task(scheduler.run(plain("one more")))
    await asyncio.sleep(0)
    if not one_more.done():
        one_more.cancel()
        return None
    assert usual_seconds(asked) < 0.05
    told = one_more.exception()
    assert isinstance(told, Overloaded)
    try:
        scheduler.admit(plain("one more"))
    except Overloaded:
        return told
    return None  # just now there was room again


def test_an_idle_engine_takes_a_job_however_large() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as scheduler:
            checked(await scheduler.run(plain("word " * 100_000)))

    asyncio.run(run())


def test_whoever_gives_up_takes_a_job_with_them_that_has_not_begun() -> None:
    async def run() -> None:
        async with opened(fragile()) as scheduler:
            busy = [
                asyncio.create_task(scheduler.run(plain(f"slow {n}" + " word" * 20_000))) for n in range(3)
            ]
            await asyncio.sleep(0.05)
            before = scheduler.load()
            leaving = [asyncio.create_task(scheduler.run(plain(f"hang {n}"))) for n in range(5)]
            await asyncio.sleep(0)
            assert scheduler.load().waiting == before.waiting + 5
            for task in leaving:
                task.cancel()
            await asyncio.gather(*leaving, return_exceptions=True)
            assert scheduler.load().waiting <= before.waiting
            async with asyncio.timeout(30):
                await asyncio.gather(*busy)  # none of those who left made the engine hang

    asyncio.run(run())


def test_what_was_taken_is_finished_before_the_room_stops() -> None:
    async def run() -> None:
        scheduler = fragile()
        await scheduler.start()
        tasks = [asyncio.create_task(scheduler.run(plain(f"slow {n}"))) for n in range(8)]
        await asyncio.sleep(0)
        await scheduler.stop(20.0)
        for task in tasks:
            checked(task.result())
        with pytest.raises(EngineAway):
            await scheduler.run(plain("too late"))

    asyncio.run(run())


def test_what_cannot_be_finished_in_time_is_given_up() -> None:
    async def run() -> None:
        scheduler = fragile()
        await scheduler.start()
        task = asyncio.create_task(scheduler.run(plain("hang")))
        await asyncio.sleep(0.1)
        await scheduler.stop(0.1)
        with pytest.raises(EngineAway):
            await task

    asyncio.run(run())


@pytest.mark.slow
def test_several_engines_share_the_work_and_a_passage_stays_where_it_was_read() -> None:
    async def run() -> None:
        async with opened(fragile(engines=2)) as scheduler:
            while scheduler.load().alive < 2:
                await asyncio.sleep(0.02)
            long = "The museum opens at nine. " * 400
            await scheduler.run(plain("first", long))
            given = [supervisor.queue.batches for supervisor in scheduler._pool.supervisors]
            for n in range(6):
                await scheduler.run(plain(f"again {n}", long))
            after = [supervisor.queue.batches for supervisor in scheduler._pool.supervisors]
            assert sorted(b - a for a, b in zip(given, after, strict=True)) == [0, 6]
            await all_of(scheduler, [plain(f"slow {n}", f"{n} {long}") for n in range(12)])
            assert all(
                b < supervisor.queue.batches
                for b, supervisor in zip(after, scheduler._pool.supervisors, strict=True)
            )

    asyncio.run(run())
