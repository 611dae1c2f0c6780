"""A database of PostgreSQL that can be closed and opened again."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.databases import postgresql_server


@contextmanager
def away(address: str) -> Iterator[None]:
    """A database that lets nobody in for a while."""
    name = address.rpartition("/")[2]
    with psycopg.connect(f"{postgresql_server()}/postgres", autocommit=True) as server:
        server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,))
        try:
            yield
        finally:
            server.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
