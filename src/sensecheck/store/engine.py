"""A connection to the database of a store, the same to use whichever database it is."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import W_OK, access
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from sqlite3 import connect
from typing import Any

from sqlalchemy import URL, Connection, Dialect, Engine, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from sensecheck.core.extras import extra

SECONDS_TO_CONNECT = 10
SECONDS_FOR_A_LOCK = 30
_WRITES = "sensecheck_writes"
_ONE_MOMENT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}


def engine_of(
    url: URL,
    *,
    to_connect: int = SECONDS_TO_CONNECT,
    for_a_lock: float = SECONDS_FOR_A_LOCK,
    **pool: Any,
) -> Engine:
    """The engine for a database; nothing is connected before it is used, and errors never show values."""
    if url.get_backend_name() == "sqlite":
        sqlite = {"timeout": for_a_lock, "check_same_thread": False}
        engine = create_engine(url, connect_args=sqlite, hide_parameters=True, **pool)
        event.listen(engine, "do_connect", _open_frozen)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    with extra("postgresql"):
        import psycopg  # noqa: F401, PLC0415 - reported by its extra, before SQLAlchemy misses it
    # Behind a pooler that hands out a connection for each transaction, prepared statements get lost.
    options = {
        "connect_timeout": to_connect,
        "prepare_threshold": None,
        "application_name": "sensecheck",
    }
    pool = {"pool_pre_ping": True, **pool}
    return create_engine(url, connect_args=options, hide_parameters=True, **pool)


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes: committed at the end, or not at all."""
    with engine.connect().execution_options(**{_WRITES: True}) as connection, connection.begin():
        yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A transaction that reads: all its statements see one moment, whoever writes meanwhile."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":  # a transaction of SQLite is so by itself
            connection = connection.execution_options(**_ONE_MOMENT)
        yield connection


def _open_frozen(
    _: Dialect, __: ConnectionPoolEntry, where: Sequence[str], ___: Mapping[str, object]
) -> SqliteConnection | None:
    """In a folder that we may not write to, SQLite reads a file only if it knows that no one else writes."""
    file = Path(where[0])
    if file.with_name(f"{file.name}-wal").exists() or not file.is_file() or access(file.parent, W_OK):
        return None  # it is opened as usual
    return connect(f"{file.absolute().as_uri()}?immutable=1", uri=True, check_same_thread=False)


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """What was committed is on the disk; rows point at rows that exist; looking changes nothing."""
    if not isinstance(connection, SqliteConnection):
        raise TypeError(f"must be a connection of sqlite3; got {type(connection).__name__}")
    connection.isolation_level = None  # transactions begin where we begin them, also around DDL
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    """A transaction that will write takes its turn at once: one that has read first cannot wait for it."""
    immediate = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
