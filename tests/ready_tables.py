"""The tables of a store, made once in a process of tests and copied for each of them."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from sensecheck.store.address import database_url
from sensecheck.store.upgrade import upgrade
from tests.databases import connected, is_our_own, postgresql_server

_MADE = "sensecheck_made"


def make_tables(address: str) -> None:
    """What `upgrade` does with an empty database, faster."""
    place = database_url(address)
    if place.get_backend_name() == "sqlite":
        Path(str(place.database)).write_bytes(_file_with_tables())
    elif is_our_own():
        _database_with_tables()
        with connected() as connection:
            connection.execute(f'DROP DATABASE "{place.database}"')
            connection.execute(f'CREATE DATABASE "{place.database}" TEMPLATE {_MADE}')
    else:
        upgrade(address)


@cache
def _file_with_tables() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "made.sqlite3"
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()


@cache
def _database_with_tables() -> None:
    with connected() as connection:
        connection.execute(f"CREATE DATABASE {_MADE}")
    upgrade(f"{postgresql_server()}/{_MADE}")
