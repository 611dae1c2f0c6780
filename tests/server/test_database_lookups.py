"""What is looked up is looked up once, and is known for a while without the database."""

import asyncio
from time import perf_counter

import pytest

from sensecheck.server.database import AsyncStore, LookupCache, known_policies
from sensecheck.server.problems import Problem
from sensecheck.store.service.store import ServiceStore, StoreTimeouts
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.server.fitted import keep_fitted
from tests.server.locked_out import away


def test_what_many_want_at_once_is_looked_up_once(store: ServiceStore) -> None:
    asked: list[str] = []

    def look_up(_: ServiceStore, name: str) -> str | None:
        asked.append(name)
        return None if name == "missing" else name.upper()

    async def run() -> None:
        desk = AsyncStore(store)
        known = LookupCache(desk, look_up, good=10.0, clock=lambda: 0.0)
        assert set(await asyncio.gather(*(known.find("one") for _ in range(50)))) == {"ONE"}
        assert await known.find("one") == "ONE"
        assert asked == ["one"]
        assert [await known.find("missing") for _ in range(2)] == [None, None]
        assert asked == ["one", "missing", "missing"]
        assert (known.remembers("one"), known.remembers("missing")) == (True, False)
        desk.close()

    asyncio.run(run())


@pytest.mark.database
def test_only_the_first_waits_for_a_database_that_does_not_answer() -> None:
    async def run(store: ServiceStore, address: str) -> None:
        now, desk = [0.0], AsyncStore(store)
        policies = known_policies(desk, lambda: now[0])
        project = store.project("one")
        keep_fitted(store, project, "lenient", at_least=0.1)
        found = await policies.find((project, "lenient"))
        assert found is not None
        with away(address):
            now[0] = 60.0
            assert await policies.find((project, "lenient")) == found
            began = perf_counter()
            assert [await policies.find((project, "lenient")) for _ in range(100)] == [found] * 100
            assert perf_counter() - began < 1.9  # a single wait takes two seconds
            with pytest.raises(Problem, match="database"):
                await policies.find((project, "another"))
        desk.close()

    with postgresql_database() as address:
        make_tables(address)
        store = ServiceStore.open(address, limits=StoreTimeouts(connect=2))
        asyncio.run(run(store, address))
        store.close()
