"""The store of the service: messages and all that belongs to them, used by many threads at once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine, event

from sensecheck.core.errors import SensecheckError
from sensecheck.store.address import database_url, shown
from sensecheck.store.bulk import project_key
from sensecheck.store.columns import now
from sensecheck.store.engine import engine_of, reading, writing
from sensecheck.store.retry import Deadlines
from sensecheck.store.service import idempotency
from sensecheck.store.service.idempotency import Reserved
from sensecheck.store.service.messages import write_entries
from sensecheck.store.service.records import Entry
from sensecheck.store.service.retention import Retained, erase, make_months, retain, write_with_others
from sensecheck.store.upgrade import make_ready


@dataclass(frozen=True, slots=True)
class StoreTimeouts:
    """How long a database may take."""

    connect: int = 3
    """Seconds for a new connection; psycopg waits for 2 at least."""
    statement: float = 5.0
    """Seconds for one statement, kept by the server; on SQLite for whoever writes before us."""
    use: float = 5.5
    """Seconds for all that is done with a connection before it is given back, kept by us."""


@dataclass(frozen=True, slots=True)
class ServiceStore:
    """One database; every method may be called from any thread, and none waits for ever.

    Where the database does not answer, or not in time, they raise a `DBAPIError` that `is_away` recognises.
    """

    engine: Engine
    deadlines: Deadlines

    @classmethod
    def open(cls, address: str, *, limits: StoreTimeouts | None = None) -> Self:
        """The store at an address; a file that is not there yet is made.

        Raises `SpecError` where the tables are missing, or are those of another version.
        """
        limits = limits or StoreTimeouts()
        _create_private_file(address)
        deadlines = Deadlines(limits.use)
        engine = _engine_of(address, limits)
        deadlines.watch(engine)
        try:
            make_ready(engine)
        except SensecheckError:
            deadlines.stop()
            raise
        return cls(engine, deadlines)

    @property
    def address(self) -> str:
        """Where it is, without a password."""
        return shown(self.engine.url)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()
        self.deadlines.stop()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that writes; no session is erased, and no month is moved, before it ends."""
        with writing(self.engine) as connection:
            write_with_others(connection)
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that reads, and sees one moment."""
        with reading(self.engine) as connection:
            yield connection

    def ping(self) -> None:
        """Raise unless the database answers."""
        with self.engine.connect() as connection:
            connection.exec_driver_sql("SELECT 1")

    def project(self, name: str) -> int:
        """The key of a project, which is made when it is first named."""
        return project_key(self.engine, name)

    def write(self, entries: Sequence[Entry]) -> None:
        """Store all of these, or none; what is stored already, or was erased since, is left as it is."""
        if entries:
            with self.writing() as connection:
                write_entries(connection, entries)

    def erase_session(self, project: int, session_id: str) -> int:
        """Erase all of a session, for good; how many messages it had."""
        with writing(self.engine) as connection:
            return erase(connection, project, session_id)

    def reserve(self, project: int, name: str, request: str, *, seconds: float) -> Reserved:
        """Take the name of a request, for so many seconds, or say what became of it."""
        with writing(self.engine) as connection:
            return idempotency.reserve(connection, project, name, request, now=now(), seconds=seconds)

    def release(self, project: int, name: str, *, until: datetime) -> None:
        """Give the name of a request back that came to nothing, if it is still had until then."""
        with writing(self.engine) as connection:
            idempotency.release(connection, project, name, until=until)

    def make_partitions(self, now: datetime) -> list[str]:
        """Make the months to come; which tables were made."""
        return make_months(self.engine, now)

    def retain(self, now: datetime, message_days: int, candidate_days: int) -> Retained:
        """Take away what is too old."""
        return retain(self.engine, now, message_days=message_days, candidate_days=candidate_days)


def _create_private_file(address: str) -> None:
    """Make a new file of SQLite so that no one else may read what people ask; one that is there stays so."""
    url = database_url(address)
    file = Path(url.database or "")
    if url.get_backend_name() == "sqlite" and file.parent.is_dir() and not file.exists():
        file.touch(mode=0o600)


def _engine_of(address: str, limits: StoreTimeouts) -> Engine:
    # Who waits for a connection would wait without a limit; those who ask are few, and each gets one.
    engine = engine_of(
        database_url(address),
        to_connect=limits.connect,
        for_a_lock=limits.statement,
        pool_pre_ping=False,  # done by `Deadlines`, which keeps its time too
        pool_size=8,
        max_overflow=-1,
    )
    if engine.dialect.name == "postgresql":
        event.listen(engine, "begin", partial(_set_timeouts, limits))
    return engine


def _set_timeouts(limits: StoreTimeouts, connection: Connection) -> None:
    """For this transaction alone: a pooler may give the connection to someone else after it."""
    statement_ms, use_ms = int(limits.statement * 1000), int(limits.use * 1000)
    connection.exec_driver_sql(
        f"SET LOCAL statement_timeout = {statement_ms}; "
        f"SET LOCAL idle_in_transaction_session_timeout = {use_ms}"
    )
