"""A store of the service, on both databases."""

from collections.abc import Iterator

import pytest

from sensecheck.store.service.store import ServiceStore
from tests.ready_tables import make_tables


@pytest.fixture
def store(address: str) -> Iterator[ServiceStore]:
    """An empty store, with its tables."""
    make_tables(address)
    opened = ServiceStore.open(address)
    yield opened
    opened.close()


@pytest.fixture
def project(store: ServiceStore) -> int:
    """Whose messages they are."""
    return store.project("atlas")
