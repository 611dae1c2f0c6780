"""Workers that keep house: any number of them, on one database."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from functools import partial

import pytest

from sensecheck.server.maintenance import Housekeeping
from sensecheck.server.maintenance_worker import run_worker, worker_app
from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database
from tests.ready_tables import make_tables

pytestmark = pytest.mark.database

SECONDS = 60.0
"""Far more than it takes to begin."""


@pytest.fixture
def database() -> Iterator[str]:
    with postgresql_database() as address:
        make_tables(address)
        yield address


@pytest.fixture
def house(database: str) -> Iterator[Housekeeping]:
    store = ServiceStore.open(database)
    yield Housekeeping(store, message_days=365, candidate_days=14)
    store.close()


@pytest.mark.parametrize("tables", ["new", "there"])
def test_a_second_worker_begins_while_the_first_one_runs(
    database: str, house: Housekeeping, tables: str
) -> None:
    async def both() -> None:
        if tables == "there":
            await run_worker(worker_app(database, house), lambda: None, wait=False)
        has_begun = asyncio.Event()
        first = asyncio.create_task(run_worker(worker_app(database, house), has_begun.set))
        try:
            async with asyncio.timeout(SECONDS):
                await has_begun.wait()
                await run_worker(worker_app(database, house), lambda: None, wait=False)
        finally:
            first.cancel()
            with suppress(asyncio.CancelledError):
                await first

    asyncio.run(both())


def test_of_workers_that_begin_at_once_on_an_empty_database_one_makes_the_tables(
    database: str, house: Housekeeping
) -> None:
    begun: list[str] = []

    async def all_at_once() -> None:
        workers = [
            run_worker(worker_app(database, house), partial(begun.append, name), wait=False) for name in "abc"
        ]
        async with asyncio.timeout(SECONDS):
            await asyncio.gather(*workers)

    asyncio.run(all_at_once())

    assert sorted(begun) == ["a", "b", "c"]
