"""Retries while the database is away, and a hard time limit on each use of a connection.

A timeout of the server does not help when the server cannot be reached, and the driver waits as long as the
connection is up. So a thread watches the connections that are in use, and shuts down one that has been so for
too long; the driver then ends with an error that `is_away` recognises.
"""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError, DisconnectionError, InterfaceError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from sensecheck.core.errors import StorageError
from sensecheck.io.retry import RetryPolicy, run_with_retries

T = TypeVar("T")
LOGGER = logging.getLogger("sensecheck.store")
_AWAY = ("08", "57P", "53300", "40001", "40P01", "55P03", "57014")
"""What PostgreSQL says when it stops, starts, is full, asks to try again, or took longer than it may."""
_LOCK_NOT_AVAILABLE = "55P03"
TICK = 0.1
"""Seconds between two looks."""
_USE = "sensecheck_use"


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a database that does not answer."""

    seconds: float = 120.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def until_done(self, work: Callable[[], T]) -> T:
        """Do it, and again while the database is away; whoever does it must bear being done twice."""
        policy = RetryPolicy(first_pause=0.1, max_pause=5.0, seconds=self.seconds)
        try:
            return run_with_retries(
                policy,
                work,
                errors=DBAPIError,
                is_transient=is_away,
                before_pause=_warn,
                clock=self.clock,
                sleep=self.sleep,
            )
        except DBAPIError as error:
            if not is_away(error):
                raise
            raise StorageError(
                f"the database has been unavailable for {self.seconds:g} seconds: {first_line(error)}; "
                "what was written before is stored: fix that, and continue with `--resume`"
            ) from error


def is_away(wrong: DBAPIError) -> bool:
    """Whether the database did not answer, rather than refuse."""
    state = getattr(wrong.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_AWAY)
    message = str(wrong.orig)
    busy = "database is locked" in message or "database table is locked" in message
    away = isinstance(wrong, OperationalError | InterfaceError) and "psycopg" in type(wrong.orig).__module__
    return wrong.connection_invalidated or busy or away


def is_locked(wrong: DBAPIError) -> bool:
    """Whether someone else had a lock for longer than it was waited for."""
    return getattr(wrong.orig, "sqlstate", None) == _LOCK_NOT_AVAILABLE


def first_line(wrong: DBAPIError) -> str:
    """What the database said, without the values that it may repeat below."""
    return (str(wrong.orig).splitlines() or [""])[0]


@dataclass(eq=False, slots=True)
class Use:
    """One use of a connection, from when it is taken until it is given back."""

    wire: socket.socket
    """A second handle of ours: the driver closes its own, whose number may then be another's."""
    ends: float
    cut: bool = False


@dataclass(slots=True)
class Deadlines:
    """Watches the connections of one engine, and shuts down those that are used for too long."""

    seconds: float
    _uses: set[Use] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def watch(self, engine: Engine) -> None:
        """Watch every connection that it makes from now on; SQLite, which has no network, needs none."""
        if engine.dialect.name != "postgresql":
            return
        # before SQLAlchemy asks a new connection for the first time
        event.listen(engine, "connect", self._begin_use, insert=True)
        event.listen(engine, "checkout", self._check_out)
        event.listen(engine, "checkin", self._end_use)
        event.listen(engine, "invalidate", self._invalidated)
        self._thread = threading.Thread(target=self._watch_uses, name="sensecheck deadlines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch no one any longer."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _watch_uses(self) -> None:
        while not self._stopped.wait(TICK):
            with self._lock:
                for use in [use for use in self._uses if use.ends < monotonic() and not use.cut]:
                    use.cut = True
                    with suppress(OSError):  # the other side has ended it already
                        use.wire.shutdown(socket.SHUT_RDWR)

    def _begin_use(self, connection: Any, entry: ConnectionPoolEntry) -> None:
        wire = socket.socket(fileno=os.dup(connection.fileno()))
        entry.info[_USE] = use = Use(wire, monotonic() + self.seconds)
        with self._lock:
            self._uses.add(use)

    def _check_out(self, connection: Any, entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        if _USE in entry.info:
            return  # it was made just now
        self._begin_use(connection, entry)
        try:
            _ping(connection)
        except connection.Error as error:
            if entry.info[_USE].cut:
                raise  # it has cost all the time there is; another connection would cost as much again
            raise DisconnectionError from error

    def _end_use(self, _: object, entry: ConnectionPoolEntry) -> None:
        use: Use | None = entry.info.pop(_USE, None)
        if use is not None:
            with self._lock:
                self._uses.discard(use)
                use.wire.close()

    def _invalidated(self, connection: object, entry: ConnectionPoolEntry, _: BaseException | None) -> None:
        self._end_use(connection, entry)


def allow(connection: Connection, seconds: float) -> None:
    """Let this one use of a connection last longer, from now on, and each of its statements too."""
    use: Use | None = connection.info.get(_USE)
    if use is not None:
        use.ends = monotonic() + seconds
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")


def _warn(_: DBAPIError, pause: float) -> None:
    LOGGER.warning("the database does not answer; trying again in %.1f s", pause)


def _ping(connection: Any) -> None:
    """Raise unless the wire still leads somewhere; in one round trip, with no transaction around it."""
    connection.autocommit = True
    connection.execute("SELECT 1")
    connection.autocommit = False
