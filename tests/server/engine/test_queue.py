"""Callers at once: batches, turning away, giving up."""

import asyncio
import time

import pytest

from sensecheck.server.engine.jobs import CheckJob, EngineAway, Overloaded
from sensecheck.server.engine.scheduler import Room
from tests.pace import usual_seconds
from tests.server.engine.rooms import all_of, checked, fragile, opened, plain


@pytest.mark.slow
def test_callers_who_come_together_are_served_together() -> None:
    async def run() -> int:
        async with opened(Room(max_wait=60.0)) as room:
            jobs = [CheckJob(f"It opens at {n}.", ("The museum opens at nine.",)) for n in range(64)]
            found = await all_of(room, jobs)
            assert [checked(one).data["claims"][0]["text"] for one in found] == [job.answer for job in jobs]
            return room.load().batches

    assert asyncio.run(run()) < 32


def test_who_would_wait_too_long_is_turned_away_at_once() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.5)) as room:
            first = asyncio.create_task(all_of(room, [plain(f"slow {n} " * 3000) for n in range(4)]))
            await asyncio.sleep(0.05)
            turned = None
            while turned is None:  # the pace is learned: ask until there is enough ahead
                asyncio.create_task(all_of(room, [plain("slow " * 9000)]))  # noqa: RUF006
                await asyncio.sleep(0)
                turned = await _turned_away(room)
            assert turned.retry_after >= 0.25
            promised = asyncio.create_task(room.run(plain("one that was admitted"), promised=True))
            await first
            checked(await promised)

    asyncio.run(run())


async def _turned_away(room: Room) -> Overloaded | None:
    """What one more is told, which is told at once; None for who may wait, and does not."""
    asked = time.thread_time()
    one_more = asyncio.create_task(room.run(plain("one more")))
    await asyncio.sleep(0)
    if not one_more.done():
        one_more.cancel()
        return None
    assert usual_seconds(asked) < 0.05
    told = one_more.exception()
    assert isinstance(told, Overloaded)
    try:
        room.admit(plain("one more"))
    except Overloaded:
        return told
    return None  # just now there was room again


def test_an_idle_engine_takes_a_job_however_large() -> None:
    async def run() -> None:
        async with opened(fragile(max_wait=0.05)) as room:
            checked(await room.run(plain("word " * 100_000)))

    asyncio.run(run())


def test_whoever_gives_up_takes_a_job_with_them_that_has_not_begun() -> None:
    async def run() -> None:
        async with opened(fragile()) as room:
            busy = [asyncio.create_task(room.run(plain(f"slow {n}" + " word" * 20_000))) for n in range(3)]
            await asyncio.sleep(0.05)
            before = room.load()
            leaving = [asyncio.create_task(room.run(plain(f"hang {n}"))) for n in range(5)]
            await asyncio.sleep(0)
            assert room.load().waiting == before.waiting + 5
            for task in leaving:
                task.cancel()
            await asyncio.gather(*leaving, return_exceptions=True)
            assert room.load().waiting <= before.waiting
            async with asyncio.timeout(30):
                await asyncio.gather(*busy)  # none of those who left made the engine hang

    asyncio.run(run())


def test_what_was_taken_is_finished_before_the_room_stops() -> None:
    async def run() -> None:
        room = fragile()
        await room.start()
        tasks = [asyncio.create_task(room.run(plain(f"slow {n}"))) for n in range(8)]
        await asyncio.sleep(0)
        await room.stop(20.0)
        for task in tasks:
            checked(task.result())
        with pytest.raises(EngineAway):
            await room.run(plain("too late"))

    asyncio.run(run())


def test_what_cannot_be_finished_in_time_is_given_up() -> None:
    async def run() -> None:
        room = fragile()
        await room.start()
        task = asyncio.create_task(room.run(plain("hang")))
        await asyncio.sleep(0.1)
        await room.stop(0.1)
        with pytest.raises(EngineAway):
            await task

    asyncio.run(run())


@pytest.mark.slow
def test_several_engines_share_the_work_and_a_passage_stays_where_it_was_read() -> None:
    async def run() -> None:
        async with opened(fragile(engines=2)) as room:
            while room.load().alive < 2:
                await asyncio.sleep(0.02)
            long = "The museum opens at nine. " * 400
            await room.run(plain("first", long))
            given = [minder.lane.batches for minder in room._crew.minders]
            for n in range(6):
                await room.run(plain(f"again {n}", long))
            after = [minder.lane.batches for minder in room._crew.minders]
            assert sorted(b - a for a, b in zip(given, after, strict=True)) == [0, 6]
            await all_of(room, [plain(f"slow {n}", f"{n} {long}") for n in range(12)])
            assert all(b < minder.lane.batches for b, minder in zip(after, room._crew.minders, strict=True))

    asyncio.run(run())
