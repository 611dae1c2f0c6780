"""A connection to the database of a store, the same to use whichever database it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from sensecheck.core.extras import extra

SECONDS_TO_CONNECT = 10
SECONDS_FOR_A_LOCK = 30
_SQLITE = {"timeout": SECONDS_FOR_A_LOCK, "check_same_thread": False}
_WRITES = "sensecheck_writes"


def engine_of(url: URL) -> Engine:
    """The engine for a database; nothing is connected before it is used, and errors never show values."""
    if url.get_backend_name() == "sqlite":
        Path(url.database or "").absolute().parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, connect_args=_SQLITE, hide_parameters=True)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    with extra("postgresql"):
        import psycopg  # noqa: F401, PLC0415 - told by its extra, before SQLAlchemy misses it
    # Behind a pooler that hands out a connection for each transaction, prepared statements get lost.
    options = {
        "connect_timeout": SECONDS_TO_CONNECT,
        "prepare_threshold": None,
        "application_name": "sensecheck",
    }
    return create_engine(url, pool_pre_ping=True, connect_args=options, hide_parameters=True)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: committed at the end, or not at all."""
    with engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
        yield connection


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """What was committed is on the disk; readers do not wait for writers; rows point at rows that exist."""
    if not isinstance(connection, SqliteConnection):
        raise TypeError(f"wanted a connection of sqlite3; found {type(connection).__name__}")
    connection.isolation_level = None  # transactions begin where we begin them, also around DDL
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write takes its turn at once: one that has read first cannot wait for it."""
    immediate = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
