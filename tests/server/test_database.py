"""The database, asked from a loop that never waits for it."""

import asyncio
from time import monotonic, sleep

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError, ProgrammingError

from sensecheck.server.database import AsyncStore
from sensecheck.server.problems import Problem
from sensecheck.store.service.store import ServiceStore


def test_the_loop_goes_on_while_the_database_works(store: ServiceStore) -> None:
    async def asked() -> int:
        desk, ticks = AsyncStore(store), 0
        working = asyncio.create_task(desk.ask(lambda _: sleep(0.3)))
        while not working.done():
            await asyncio.sleep(0.01)
            ticks += 1
        desk.close()
        return ticks

    assert asyncio.run(asked()) > 5


def test_a_database_that_does_not_answer_in_time_is_away(store: ServiceStore) -> None:
    async def asked() -> None:
        desk = AsyncStore(store)
        began = monotonic()
        with pytest.raises(Problem) as slow:
            await desk.ask(lambda _: sleep(3.0), patience=0.1)
        assert slow.value.kind.name == "store-away"
        assert slow.value.retry_after
        assert monotonic() - began < 2.5
        desk.close()

    asyncio.run(asked())


def test_no_more_wait_for_a_stuck_database_than_there_is_room_for(store: ServiceStore) -> None:
    async def asked() -> None:
        desk = AsyncStore(store, threads=1)
        waiting = [asyncio.create_task(desk.ask(lambda _: sleep(0.01))) for _ in range(16)]
        await asyncio.sleep(0)
        with pytest.raises(Problem, match="too many requests wait"):
            await desk.ask(lambda _: None)
        await asyncio.gather(*waiting)
        await asyncio.sleep(0.05)
        await desk.ask(lambda _: None)
        desk.close()

    asyncio.run(asked())


def test_a_mistake_of_ours_is_not_taken_for_a_database_that_is_away(store: ServiceStore) -> None:
    def wrong(asked: ServiceStore) -> None:
        with asked.reading() as connection:
            connection.execute(text("SELECT * FROM nowhere"))

    async def asked() -> None:
        desk = AsyncStore(store)
        with pytest.raises((OperationalError, ProgrammingError)):
            await desk.ask(wrong)
        desk.close()

    asyncio.run(asked())
