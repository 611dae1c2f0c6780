"""Services for tests of the door."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from sensecheck.store.service.store import ServiceStore
from tests.ready_tables import make_tables
from tests.server.running import Wanted, service


@pytest.fixture
def wanted(tmp_path: Path) -> Wanted:
    """A service of its own, with a file of SQLite for its database."""
    file = tmp_path / "service.sqlite3"
    make_tables(f"sqlite:///{file}")
    return Wanted(str(file), tmp_path / "spool.sqlite3")


@pytest.fixture
def store(wanted: Wanted) -> Iterator[ServiceStore]:
    """The database of the service, seen from the side: for keys, and for what was kept."""
    opened = ServiceStore.open(wanted.store)
    yield opened
    opened.close()


@pytest.fixture
def client(wanted: Wanted) -> Iterator[httpx.Client]:
    """Somebody who asks the service."""
    with service(wanted) as address, httpx.Client(base_url=address, timeout=30) as asking:
        yield asking
