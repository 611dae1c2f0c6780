"""Large requests: taken or turned away as one, and done between the small ones."""

import asyncio
import time

import pytest

from sensecheck.server.engine.cache import CachedEngine, digests_of
from sensecheck.server.engine.jobs import CheckJob, Client, EngineAway, Overloaded, Result
from tests.server.engine.pools import checked, fragile, opened, plain

LARGE = Client("", "large")
SOURCE = "The museum opens at nine, and closes at six. " * 34


def test_an_idle_room_takes_a_large_request_whole() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as pool:
            jobs = [plain(f"It opens at {n}.", f"{n} {SOURCE}") for n in range(100)]
            for found in await asyncio.gather(*CachedEngine(pool).begin(jobs, LARGE)):
                checked(found)

    asyncio.run(run())


def test_many_claims_of_one_source_are_taken_whole() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as pool:
            for found in await asyncio.gather(
                *pool.begin([plain(f"Claim {n}", SOURCE) for n in range(100)], LARGE)
            ):
                checked(found)

    asyncio.run(run())


def test_the_next_large_request_is_turned_away_while_a_small_one_has_its_turn() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.4)) as pool:
            pool._pace.restart(2600.0)  # as it would have learned by and by
            first = pool.begin([plain(f"slow, {n}", f"{n} and {SOURCE}") for n in range(16)], LARGE)
            with pytest.raises(Overloaded) as turned:
                pool.begin([plain("another"), plain("one more")], LARGE)
            assert turned.value.retry_after > 0.4
            checked(await pool.run(plain("a small one")))
            assert sum(job.done() for job in first) < len(first) / 2
            for found in await asyncio.gather(*first):
                checked(found)

    asyncio.run(run())


@pytest.mark.slow
def test_one_bad_job_of_a_large_request_fails_alone() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            jobs = [plain("poison" if n == 3 else f"fine {n}") for n in range(8)]
            found = await asyncio.gather(*pool.begin(jobs, LARGE), return_exceptions=True)
            assert isinstance(found.pop(3), EngineAway)
            for one in found:
                checked(one)

    asyncio.run(run())


def test_a_large_request_that_was_taken_is_finished_before_the_room_stops() -> None:
    async def run() -> None:
        pool = fragile(max_wait=0.05)
        await pool.start()
        jobs = pool.begin([plain(f"slow {n}", f"{n} {SOURCE}") for n in range(6)], LARGE)
        await pool.stop(30.0)
        for job in jobs:
            checked(job.result())
        with pytest.raises(EngineAway):
            pool.begin([plain("too late")], LARGE)

    asyncio.run(run())


def test_what_a_room_that_stops_cannot_finish_is_given_up() -> None:
    async def run() -> None:
        pool = fragile(max_wait=0.05)
        await pool.start()
        jobs = pool.begin([plain(f"hang {n}", f"{n} {SOURCE}") for n in range(6)], LARGE)
        await pool.stop(0.1)
        for found in await asyncio.gather(*jobs, return_exceptions=True):
            assert isinstance(found, EngineAway)

    asyncio.run(run())


def test_what_is_known_or_asked_twice_is_done_once() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool)
            known = await engine.run(plain("known"))
            alone = asyncio.create_task(engine.run(plain("slow")))
            await asyncio.sleep(0)
            jobs = [plain("known"), plain("slow"), plain("new"), plain("new")]
            found: list[Result] = await asyncio.gather(*engine.begin(jobs, LARGE))
            assert found[0] is known
            assert found[1] is await alone
            assert found[2] is found[3]
            assert engine.load().remembered == 3

    asyncio.run(run())


def test_who_leaves_a_large_request_leaves_it_to_others_or_ends_it() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as pool:
            engine = CachedEngine(pool)
            jobs = [plain(f"slow {n}", f"{n} {SOURCE}") for n in range(6)]
            left = engine.begin(jobs, LARGE)
            other = asyncio.create_task(engine.run(jobs[5]))
            await asyncio.sleep(0)
            for job in left:
                job.cancel()
            checked(await other)
            assert pool.load().waiting == 0
            checked(await engine.run(jobs[4]))

    asyncio.run(run())


def test_passages_that_jobs_share_are_digested_once() -> None:
    passages = ("é" * 950_000,)
    jobs = [CheckJob(f"claim {n}", passages) for n in range(100)]
    began = time.thread_time()
    digests_of(jobs[:1])
    one = time.thread_time() - began
    began = time.thread_time()
    found = digests_of(jobs)

    assert time.thread_time() - began < 20 * one
    assert len(set(found)) == 100
    assert found[7] == digests_of([CheckJob("claim 7", ("é" * 950_000,))])[0]
