"""Fitted policies are looked up now and then, and are known for a while without the database."""

import asyncio
from urllib.parse import urlsplit

import pytest

from sensecheck.server.database import AsyncStore, Fitted, known_policies
from sensecheck.server.problems import Problem
from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database
from tests.faults.kinds import REFUSE
from tests.faults.proxy import fault_proxy
from tests.ready_tables import make_tables
from tests.server.fitted import keep_fitted


class Looking:
    """Somebody who looks for one policy, at a time of their own."""

    def __init__(self, store: ServiceStore) -> None:
        self.time = 0.0
        self._known = known_policies(AsyncStore(store), lambda: self.time)
        self.project = store.project("one")

    def find(self, at: float) -> str | None:
        """The name and version that is found at this time."""
        self.time = at
        found: Fitted | None = asyncio.run(self._known.find((self.project, "lenient")))
        return None if found is None else found[2]


def test_a_new_version_is_seen_after_a_while(store: ServiceStore) -> None:
    looking = Looking(store)

    assert looking.find(at=0) is None
    keep_fitted(store, looking.project, "lenient", at_least=0.1)
    assert looking.find(at=0) == "lenient@1"
    keep_fitted(store, looking.project, "lenient", at_least=0.2)
    assert (looking.find(at=9), looking.find(at=11)) == ("lenient@1", "lenient@2")


@pytest.mark.database
def test_without_the_database_what_was_known_is_known_for_an_hour() -> None:
    with postgresql_database() as address:
        make_tables(address)
        place = urlsplit(address)
        with fault_proxy((place.hostname or "", place.port or 5432)) as proxy:
            through = place._replace(netloc=place.netloc.replace(f":{place.port}", f":{proxy.port}")).geturl()
            store = ServiceStore.open(through)
            looking = Looking(store)
            keep_fitted(store, looking.project, "lenient", at_least=0.1)
            looking.find(at=0)
            proxy.now(REFUSE)

            assert looking.find(at=3000) == "lenient@1"
            with pytest.raises(Problem, match="database"):
                looking.find(at=4000)
            store.close()
