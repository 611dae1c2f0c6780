"""One who changes the tables at a time; whoever comes second waits, and finds it done."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

from sqlalchemy import URL, Connection, Engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from sensecheck.core.errors import NotKept
from sensecheck.store.engine import engine_of, writing
from sensecheck.store.migrations.locks import SESSION
from sensecheck.store.migrations.telling import Step, Tell

SECONDS_FOR_A_TURN = 1800.0
_PAUSE = 0.2
_KEY = 0x73656E7365  # "sense" in ASCII, which nobody else in a shared database is likely to take


@contextmanager
def one_at_a_time(url: URL, tell: Tell) -> Iterator[Connection]:
    """A connection of its own, while nobody else changes the tables; what it holds ends with it."""
    engine = engine_of(url)
    try:
        with _sqlite(engine) if engine.dialect.name == "sqlite" else _postgresql(engine, tell) as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _sqlite(engine: Engine) -> Iterator[Connection]:
    """All steps in one transaction: it waits for other writers, and keeps them out."""
    Path(engine.url.database or "").absolute().parent.mkdir(parents=True, exist_ok=True)
    event.listen(engine, "connect", _let_readers_by)
    event.listen(engine, "connect", _let_tables_be_replaced)
    with writing(engine) as connection:
        yield connection
        if lost := connection.exec_driver_sql("PRAGMA foreign_key_check").all():
            raise NotKept(f"{len(lost)} rows of `{lost[0][0]}` would point at rows that are not there")


@contextmanager
def _postgresql(engine: Engine, tell: Tell) -> Iterator[Connection]:
    """The lock is the session's, and outlasts transactions; it goes when the connection does."""
    with engine.connect() as connection:
        for setting in SESSION:
            connection.exec_driver_sql(setting)
        connection.commit()
        _take_turn(connection, tell)
        yield connection


def _take_turn(connection: Connection, tell: Tell) -> None:
    """Ask again and again: who waits in one long query holds up an index that is built meanwhile."""
    until, told = monotonic() + SECONDS_FOR_A_TURN, False
    while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _KEY}).scalar_one():
        connection.commit()
        if monotonic() > until:
            raise NotKept(
                f"somebody else has been upgrading this database for {SECONDS_FOR_A_TURN:g} seconds"
            )
        if not told:
            tell(Step("somebody else is upgrading this database; waiting for them"))
        told = True
        sleep(_PAUSE)
    connection.commit()


def _let_readers_by(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Readers do not wait for writers: the file itself remembers that, for whoever opens it later."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.close()


def _let_tables_be_replaced(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """While a table is replaced, rows point at nothing; they are all looked at before the end."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = OFF")
    cursor.close()
