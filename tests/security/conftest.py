"""A service with keys of two projects, seen from outside."""

from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from sensecheck.grounding.writer import WriterRequest
from sensecheck.sense import Sense
from sensecheck.store.service.records import ApiKey
from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.server.running import PAGE, Wanted, bearer, new_key, service

NO_LIMITS = {"per_minute": 0, "per_session_minute": 0, "per_address_minute": 0}


@dataclass(frozen=True, slots=True)
class Suggestible:
    """Answers with the first sentence of the passage; or, to what is no question, with what it was told."""

    name: str = "suggestible"

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """The answer, at once."""
        yield asked.passage.partition(".")[0] + "." if asked.question.endswith("?") else asked.question

    async def close(self) -> None:
        """It holds nothing."""


@dataclass(frozen=True, slots=True)
class Tenant:
    """A project, its keys, and what they are sent as."""

    secret: ApiKey
    publishable: ApiKey
    server: dict[str, str]
    """The headers of its server."""
    page: dict[str, str]
    """The headers of its page."""

    @classmethod
    def new(cls, store: ServiceStore, project: str) -> "Tenant":
        """A project with a key of each kind."""
        secret, whole = new_key(store, "secret", project, review=True, **NO_LIMITS)
        publishable, public = new_key(store, "publishable", project, **NO_LIMITS)
        return cls(secret, publishable, bearer(whole), {**bearer(public), "Origin": PAGE})


@dataclass(frozen=True, slots=True)
class House:
    """A running service and its tenants."""

    client: httpx.Client
    store: ServiceStore
    ours: Tenant
    theirs: Tenant


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An empty database of either kind."""
    if request.param == "sqlite":
        yield str(tmp_path_factory.mktemp("database") / "service.sqlite3")
    else:
        with postgresql_database() as made:
            yield made


@pytest.fixture(scope="module")
def house(database: str, sense: Sense, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A service with two tenants, which answers nobody without a key."""
    with _housed(database, tmp_path_factory.mktemp("spool") / "spool.sqlite3", sense) as made:
        yield made


@pytest.fixture(scope="module")
def small_house(sense: Sense, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The same, with a file for its database."""
    folder = tmp_path_factory.mktemp("house")
    with _housed(str(folder / "service.sqlite3"), folder / "spool.sqlite3", sense) as made:
        yield made


@contextmanager
def _housed(address: str, spool: Path, sense: Sense) -> Iterator[House]:
    make_tables(address)
    store = ServiceStore.open(address)
    ours, theirs = Tenant.new(store, "ours"), Tenant.new(store, "theirs")
    wanted = Wanted(address, spool, local=False, sense=sense, writer=Suggestible())
    with service(wanted) as url, httpx.Client(base_url=url, timeout=30) as client:
        yield House(client, store, ours, theirs)
    store.close()
