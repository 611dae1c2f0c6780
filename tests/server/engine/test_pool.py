"""Callers at once: batches, turning away, giving up."""

import asyncio
import time
from itertools import count

import pytest

from sensecheck.server.engine.jobs import CheckJob, Client, EngineAway, Overloaded
from sensecheck.server.engine.pool import EnginePool
from sensecheck.server.engine.queue import MAX_BATCH_JOBS
from tests.pace import usual_seconds
from tests.server.engine.pools import all_of, checked, fragile, opened, plain

LONG = "The museum opens at nine. " * 400


@pytest.mark.slow
def test_callers_who_come_together_are_served_together() -> None:
    async def run() -> int:
        async with opened(EnginePool(max_wait=60.0)) as pool:
            jobs = [CheckJob(f"It opens at {n}.", ("The museum opens at nine.",)) for n in range(64)]
            found = await all_of(pool, jobs)
            assert [checked(one).data["claims"][0]["text"] for one in found] == [job.answer for job in jobs]
            return pool.load().batches

    assert asyncio.run(run()) < 32


@pytest.mark.slow
def test_who_would_wait_too_long_is_turned_away_at_once() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.5)) as pool:
            first = asyncio.create_task(all_of(pool, [plain(f"slow {n} " * 3000) for n in range(4)]))
            await asyncio.sleep(0.05)
            turned = None
            while turned is None:  # the pace is learned: ask until there is enough ahead of a large job
                asyncio.create_task(all_of(pool, [plain("slow " * 9000)]))  # noqa: RUF006
                await asyncio.sleep(0)
                turned = await _turned_away(pool)
            assert turned.retry_after >= 0.25
            await first

    asyncio.run(run())


async def _turned_away(pool: EnginePool) -> Overloaded | None:
    """What one more large job is told, at once; None for who may wait, and does not.

    A small one would pass the large ones that wait.
    """
    job = plain("one more " * 4500)
    asked = time.thread_time()
    one_more = asyncio.create_task(pool.run(job))
    await asyncio.sleep(0)
    if not one_more.done():
        one_more.cancel()
        return None
    assert usual_seconds(asked) < 0.05
    told = one_more.exception()
    assert isinstance(told, Overloaded)
    return told


def test_an_idle_engine_takes_a_job_however_large() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as pool:
            checked(await pool.run(plain("word " * 100_000)))

    asyncio.run(run())


def test_whoever_gives_up_takes_a_job_with_them_that_has_not_begun() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            busy = [asyncio.create_task(pool.run(plain(f"slow {n}" + " word" * 20_000))) for n in range(3)]
            await asyncio.sleep(0.05)
            before = pool.load()
            leaving = [asyncio.create_task(pool.run(plain(f"hang {n}"))) for n in range(5)]
            await asyncio.sleep(0)
            assert pool.load().waiting == before.waiting + 5
            for task in leaving:
                task.cancel()
            await asyncio.gather(*leaving, return_exceptions=True)
            assert pool.load().waiting <= before.waiting
            async with asyncio.timeout(30):
                await asyncio.gather(*busy)  # none of those who left made the engine hang

    asyncio.run(run())


def test_what_was_taken_is_finished_before_the_room_stops() -> None:
    async def run() -> None:
        pool = fragile()
        await pool.start()
        tasks = [asyncio.create_task(pool.run(plain(f"slow {n}"))) for n in range(8)]
        await asyncio.sleep(0)
        await pool.stop(20.0)
        for task in tasks:
            checked(task.result())
        with pytest.raises(EngineAway):
            await pool.run(plain("too late"))

    asyncio.run(run())


def test_what_cannot_be_finished_in_time_is_given_up() -> None:
    async def run() -> None:
        pool = fragile()
        await pool.start()
        task = asyncio.create_task(pool.run(plain("hang")))
        await asyncio.sleep(0.1)
        await pool.stop(0.1)
        with pytest.raises(EngineAway):
            await task

    asyncio.run(run())


@pytest.mark.slow
def test_several_workers_share_one_queue() -> None:
    async def run() -> None:
        async with opened(fragile(workers=2)) as pool:
            while pool.load().alive < 2:
                await asyncio.sleep(0.02)
            jobs = [plain(f"It opens at {n}.") for n in range(2 * MAX_BATCH_JOBS + 1)]
            for found in await all_of(pool, jobs):
                checked(found)
            assert all(worker.settled for worker in pool.workers)

    asyncio.run(run())


def test_a_small_job_is_done_while_a_large_one_is_under_way() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            large = asyncio.create_task(pool.run(plain("hang " + "word " * 5000)))
            while not pool.workers[0].running:
                await asyncio.sleep(0.01)
            checked(await pool.run(plain("a small one")))
            assert not large.done()
            large.cancel()

    asyncio.run(run())


def test_a_large_job_has_its_turn_among_small_ones_that_keep_coming() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            is_done, numbers = asyncio.Event(), count()

            async def reader(name: str) -> None:
                while not is_done.is_set():
                    job = plain(f"slow {next(numbers)} " + "word " * 900)
                    await asyncio.gather(*pool.begin([job], Client("page", name)))

            readers = [asyncio.create_task(reader(str(number))) for number in range(20)]
            while not pool.workers[0].running:
                await asyncio.sleep(0.01)
            [large] = pool.begin([plain("word " * 5000)], Client("other"))
            async with asyncio.timeout(60):
                checked(await large)
            is_done.set()
            await asyncio.gather(*readers)

    asyncio.run(run())


def test_room_is_taken_when_a_request_is_admitted_and_not_when_its_job_comes() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.5)) as pool:
            pool._pace.restart(1000.0)
            admitted, refused = [], []
            for n in range(200):
                room = pool.admit([plain("word " * 200)], Client("page", str(n)))
                try:
                    room.__enter__()
                    admitted.append(room)
                except Overloaded as full:
                    refused.append(full.retry_after)
            assert len(admitted) == 2  # 0.2 s each: a third would wait for 0.4 s, too near the limit
            assert refused == sorted(refused)
            assert refused[-1] > 30  # those that come back are spread over the time that they take
            for room in admitted:
                room.__exit__(None, None, None)
            with pool.admit([plain("word " * 200)], Client("page", "again")):
                checked(await pool.run(plain("word " * 200)))

    asyncio.run(run())


def test_a_job_that_waits_longer_than_the_limit_is_refused_after_all() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.3)) as pool:
            busy = [asyncio.create_task(pool.run(plain(f"hang {n}"))) for n in range(2)]
            while len(pool.workers[0].running) < 2:
                await asyncio.sleep(0)
                busy.append(asyncio.create_task(pool.run(plain(f"hang {len(busy)}"))))
                await asyncio.sleep(0.001)
            began = time.monotonic()
            with pytest.raises(Overloaded):
                await pool.run(plain("one more"))
            assert time.monotonic() - began < 0.3 * 1.2 + 0.1
            for task in busy:
                task.cancel()

    asyncio.run(run())
