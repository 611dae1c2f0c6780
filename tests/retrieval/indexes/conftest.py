"""Real engines for the tests of indexes, each started once a run."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.retrieval.indexes.pgvector_server import pgvector_server


@pytest.fixture(scope="session")
def pgvector_address(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a real PostgreSQL with pgvector."""
    run = getattr(request.config, "workerinput", {}).get("testrunuid", uuid4().hex)
    with pgvector_server(run) as address:
        yield address
