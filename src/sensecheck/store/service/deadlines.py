"""A hard limit on each use of a connection: who waits for a database that swallows everything is let go.

A timeout of the server does not help when the server cannot be heard, and the driver waits as long as the
wire is up. So a thread looks at the connections that are in use, and cuts the wire of one that has been so
for too long; the driver then ends with an error that `is_away` recognises.
"""

import os
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

TICK = 0.1
"""Seconds between two looks."""
_USE = "sensecheck_use"


@dataclass(eq=False, slots=True)
class Use:
    """One use of a connection, from when it is taken until it is given back."""

    wire: socket.socket
    """A second handle of ours: the driver closes its own, whose number may then be somebody else's."""
    ends: float
    cut: bool = False


@dataclass(slots=True)
class Deadlines:
    """Those who watch the connections of one engine."""

    seconds: float
    _uses: set[Use] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def watch(self, engine: Engine) -> None:
        """Watch every connection that it makes from now on; SQLite, which has no wire, needs nobody."""
        if engine.dialect.name != "postgresql":
            return
        # before SQLAlchemy asks a new connection for the first time
        event.listen(engine, "connect", self._made, insert=True)
        event.listen(engine, "checkout", self._taken)
        event.listen(engine, "checkin", self._given_back)
        event.listen(engine, "invalidate", self._lost)
        self._thread = threading.Thread(target=self._look, name="sensecheck deadlines", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Watch nobody any longer."""
        self._stopped.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self) -> None:
        while not self._stopped.wait(TICK):
            with self._lock:
                for use in [use for use in self._uses if use.ends < monotonic() and not use.cut]:
                    use.cut = True
                    with suppress(OSError):  # the other side has ended it already
                        use.wire.shutdown(socket.SHUT_RDWR)

    def _made(self, connection: Any, entry: ConnectionPoolEntry) -> None:
        wire = socket.socket(fileno=os.dup(connection.fileno()))
        entry.info[_USE] = use = Use(wire, monotonic() + self.seconds)
        with self._lock:
            self._uses.add(use)

    def _taken(self, connection: Any, entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        if _USE in entry.info:
            return  # it was made just now
        self._made(connection, entry)
        try:
            _ping(connection)
        except connection.Error as wrong:
            if entry.info[_USE].cut:
                raise  # it has cost all the time there is; another connection would cost as much again
            raise DisconnectionError from wrong

    def _given_back(self, _: object, entry: ConnectionPoolEntry) -> None:
        use: Use | None = entry.info.pop(_USE, None)
        if use is not None:
            with self._lock:
                self._uses.discard(use)
                use.wire.close()

    def _lost(self, connection: object, entry: ConnectionPoolEntry, _: BaseException | None) -> None:
        self._given_back(connection, entry)


def allow(connection: Connection, seconds: float) -> None:
    """Let this one use of a connection last longer, from now on, and each of its statements too."""
    use: Use | None = connection.info.get(_USE)
    if use is not None:
        use.ends = monotonic() + seconds
        connection.exec_driver_sql(f"SET LOCAL statement_timeout = {int(seconds * 1000)}")


def _ping(connection: Any) -> None:
    """Raise unless the wire still leads somewhere; in one round trip, with no transaction around it."""
    connection.autocommit = True
    connection.execute("SELECT 1")
    connection.autocommit = False
