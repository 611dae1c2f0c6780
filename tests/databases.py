"""Real databases for tests, each made for one of them and dropped after it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.markers import require_marker
from tests.own_postgresql import own_server

_SERVICE = "postgresql://root@127.0.0.1:5432"
_START = ["pg_ctlcluster", "--skip-systemctl-redirect"]


def postgresql_server() -> str:
    """The address of a PostgreSQL, without a database: our own in tests, where there is one.

    Else the one that runs here, which waits for the disk, as who measures wants it to.
    """
    require_marker("database")
    own = own_server() if "PYTEST_VERSION" in os.environ else None
    return own or _SERVICE


def postgresql_place() -> tuple[str, int]:
    """Its host and port."""
    place = urlsplit(postgresql_server())
    assert place.hostname is not None
    assert place.port is not None
    return place.hostname, place.port


@contextmanager
def postgresql_database() -> Iterator[str]:
    """The address of an empty database."""
    name = f"sensecheck_{token_hex(6)}"
    with connected() as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield f"{postgresql_server()}/{name}"
    finally:
        with connected() as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def is_our_own() -> bool:
    """Whether nobody else uses the server."""
    return postgresql_server() != _SERVICE


def connected() -> psycopg.Connection:
    """A connection with which databases can be made; the server that runs here is started if it is down."""
    address = f"{postgresql_server()}/postgres"
    try:
        return psycopg.connect(address, autocommit=True, connect_timeout=5)
    except psycopg.OperationalError:
        if is_our_own():
            raise
        _started()
        return psycopg.connect(address, autocommit=True, connect_timeout=5)


def _started() -> None:
    clusters = Path("/etc/postgresql")
    versions = sorted(os.listdir(clusters)) if clusters.is_dir() else []  # noqa: PTH208 - names alone
    if not versions:
        pytest.skip("no PostgreSQL answers at 127.0.0.1:5432, and none is installed to be started")
    subprocess.run([*_START, versions[-1], "main", "start"], check=False, timeout=60)
