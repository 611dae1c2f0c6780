"""A connection to PostgreSQL: one transaction at a time, and errors that say where and what."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row

from sensecheck.core.errors import SpecError, ToolError, Unreachable

Cursor = psycopg.Cursor[tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Database:
    """A connection that several threads may use, in turns."""

    connection: psycopg.Connection[Any]
    where: str
    """Its host and port, for messages."""
    _turn: RLock = field(default_factory=RLock, repr=False, compare=False)

    @classmethod
    def on(cls, connection: psycopg.Connection[Any]) -> "Database":
        """The database of a connection that somebody else made."""
        if connection.closed:
            raise Unreachable("the connection to PostgreSQL is closed; make a new one")
        return cls(connection, f"{connection.info.host}:{connection.info.port}")

    @classmethod
    def reached(cls, dsn: str, *, patience: int = 10) -> "Database":
        """The database at an address; `patience` is how many seconds it may take to answer."""
        try:
            given = conninfo_to_dict(dsn)
            where = f"{given.get('host') or given.get('hostaddr') or 'localhost'}:{given.get('port') or 5432}"
            timeout = given.get("connect_timeout", patience)
            connection = psycopg.connect(dsn, autocommit=True, connect_timeout=timeout)
        except psycopg.OperationalError as refusal:
            said = _without(str(refusal), given.get("password"))
            raise Unreachable(f"PostgreSQL at `{where}` cannot be reached: {said}") from None
        except psycopg.ProgrammingError:
            # libpq repeats what it could not read, and that may be the password.
            raise SpecError(
                "the address of the database cannot be read; wanted is one such as "
                "`postgresql://USER@HOST:PORT/NAME` or `host=HOST dbname=NAME`"
            ) from None
        return cls(connection, where)

    @contextmanager
    def transaction(self, *, keep: bool = True) -> Iterator[Cursor]:
        """All or nothing; without `keep` nothing, settings included: for those who only read.

        Inside a transaction of whoever made the connection, it is a part of that one.
        """
        with self._turn, self._in_words():
            block = self.connection.transaction(force_rollback=not keep)
            with block, self.connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                yield cursor

    def close(self) -> None:
        """End the connection; a second time does nothing."""
        self.connection.close()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if self.connection.closed:
                raise Unreachable(
                    f"the connection to PostgreSQL at `{self.where}` is lost; open the index again"
                ) from error
            said = error.diag.message_primary or type(error).__name__
            raise ToolError(f"PostgreSQL at `{self.where}` refused ({error.sqlstate}): {said}") from error


def _without(said: str, secret: object) -> str:
    """What libpq says, on one line, and without the password should it ever say that."""
    plain = " ".join(said.split())
    return plain.replace(str(secret), "…") if secret else plain
