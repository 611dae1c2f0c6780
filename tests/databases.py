"""Real databases for tests, each made for one of them and dropped after it."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

import psycopg
import pytest

SERVER = "postgresql://root@127.0.0.1:5432"
_START = ["pg_ctlcluster", "--skip-systemctl-redirect"]


@contextmanager
def postgresql_database() -> Iterator[str]:
    """The address of an empty database of the PostgreSQL that runs here; started if it is down."""
    name = f"sensecheck_{token_hex(6)}"
    with _server() as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    try:
        yield f"{SERVER}/{name}"
    finally:
        with _server() as connection:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _server() -> psycopg.Connection:
    try:
        return psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=5)
    except psycopg.OperationalError:
        _started()
        return psycopg.connect(f"{SERVER}/postgres", autocommit=True, connect_timeout=5)


def _started() -> None:
    clusters = Path("/etc/postgresql")
    versions = sorted(os.listdir(clusters)) if clusters.is_dir() else []  # noqa: PTH208 - names alone
    if not versions:
        pytest.skip("no PostgreSQL answers at 127.0.0.1:5432, and none is installed to be started")
    subprocess.run([*_START, versions[-1], "main", "start"], check=False, timeout=60)
