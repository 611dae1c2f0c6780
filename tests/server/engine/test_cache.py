"""Verdicts by content: nothing is judged twice, and nothing is kept that may be otherwise tomorrow."""

import asyncio
import time
from dataclasses import fields, replace

import pytest

from sensecheck.server.engine.cache import CachedEngine, digests_of
from sensecheck.server.engine.jobs import CheckJob, Client, ExtractJob, Job, Overloaded
from tests.server.engine.pools import checked, fragile, opened, plain


def test_the_same_job_is_done_once_whether_at_once_or_later() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool)
            first, *others = await asyncio.gather(*(engine.run(plain("slow")) for _ in range(20)))
            assert pool.load().batches == 1
            assert all(one is first for one in others)
            assert await engine.run(plain("slow")) is first
            assert pool.load().batches == 1
            assert engine.load().remembered == 20

    asyncio.run(run())


def test_one_who_gives_up_does_not_take_the_job_from_the_others() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool)
            one, other = (asyncio.create_task(engine.run(plain("slow"))) for _ in range(2))
            await asyncio.sleep(0.01)
            one.cancel()
            checked(await other)
            alone = asyncio.create_task(engine.run(plain("slow, alone")))
            await asyncio.sleep(0.01)
            alone.cancel()
            checked(await engine.run(plain("slow, alone")))

    asyncio.run(run())


def test_what_is_known_is_told_even_when_there_is_no_room_for_more() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as pool:
            engine = CachedEngine(pool)
            await engine.run(plain("known"))
            pool._pace.restart(10.0)
            busy = asyncio.create_task(pool.run(plain("slow")))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            with pytest.raises(Overloaded), engine.admit([plain("unknown")], Client()):
                pass
            with engine.admit([plain("known")], Client()):
                pass
            checked(await engine.run(plain("known")))
            await busy

    asyncio.run(run())


def test_an_error_is_not_remembered() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool)
            for _ in range(2):
                assert checked(await engine.run(plain(" "))).outcome == "error"
            assert pool.load().batches == 2

    asyncio.run(run())


def test_no_more_is_remembered_than_there_is_room_for() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool, 50_000)
            for n in range(30):
                await engine.run(plain(f"answer {n}"))
            assert 0 < len(engine._known) < 30
            assert engine._known.currsize <= 50_000

    asyncio.run(run())


def test_a_result_that_is_larger_than_the_memory_is_given_and_not_kept() -> None:
    async def run() -> None:
        async with opened(fragile()) as pool:
            engine = CachedEngine(pool, 1000)
            for _ in range(2):
                checked(await engine.run(plain("answer")))
            assert pool.load().batches == 2
            assert len(engine._known) == 0

    asyncio.run(run())


def test_telling_what_is_known_takes_next_to_no_time() -> None:
    async def run() -> float:
        async with opened(fragile()) as pool:
            engine, job = CachedEngine(pool), plain("known", "The museum opens at nine. " * 80)
            await engine.run(job)
            times = []
            for _ in range(2000):
                asked = time.perf_counter()
                await engine.run(job)
                times.append(time.perf_counter() - asked)
            return sorted(times)[len(times) // 2]

    assert asyncio.run(run()) < 100e-6


def test_jobs_that_differ_in_anything_have_different_digests() -> None:
    job = CheckJob("a", ("b", "c"), question="d")
    others = [
        replace(job, answer="x"),
        replace(job, passages=("bc",)),
        replace(job, passages=("c", "b")),
        replace(job, question=None),
        replace(job, question=""),
        replace(job, policy="strict"),
        replace(job, cutoff=(("at_least", 0.5),)),
        replace(job, cutoff=(("at_least", 0.6),)),
        replace(job, offsets="utf8"),
        replace(job, trusting=False),
        replace(job, max_claims=5),
        CheckJob("ab", ("c",), question="d"),
        CheckJob("\ud800", ("c",)),
    ]
    assert {field.name for field in fields(CheckJob)} == {
        *("answer", "passages", "question", "policy", "cutoff", "offsets", "trusting", "max_claims")
    }
    jobs: list[Job] = [job, *others, ExtractJob("a", "b"), ExtractJob("ab", ""), ExtractJob("", "ab")]
    assert len(set(digests_of(jobs))) == len(jobs)
    assert digests_of([job]) == digests_of([CheckJob("a", ("b", "c"), question="d")])
