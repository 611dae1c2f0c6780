"""A connection to PostgreSQL with pgvector: one transaction at a time, and errors that say where and what."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import RLock
from typing import Any, TypeVar

import psycopg
from pgvector.psycopg import register_vector
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import tuple_row

from sensecheck.core.errors import SpecError, ToolError, Unreachable

Cursor = psycopg.Cursor[tuple[Any, ...]]
OLDEST = (0, 8)
"""The first pgvector whose scans go on until enough rows pass a filter."""
Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Database:
    """A connection that several threads may use, in turns."""

    connection: psycopg.Connection[Any]
    where: str
    """Its host and port, for messages."""
    owned: bool
    """Whether `close` ends the connection: somebody else's stays open."""
    _turn: RLock = field(default_factory=RLock, repr=False, compare=False)

    @classmethod
    def on(cls, connection: psycopg.Connection[Any]) -> "Database":
        """The database of a connection that somebody else made."""
        if connection.closed:
            raise Unreachable("the connection to PostgreSQL is closed; make a new one")
        return cls(connection, f"{connection.info.host}:{connection.info.port}", owned=False)

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
        return cls(connection, where, owned=True)

    @contextmanager
    def transaction(self, *, keep: bool = True, theirs: Sequence[Exception] = ()) -> Iterator[Cursor]:
        """All or nothing; without `keep` nothing, settings included: for those who only read.

        Inside a transaction of whoever made the connection, it is a part of that one. Errors in `theirs`
        are not this database's, and go on as they are.
        """
        with self._turn, self._in_words(theirs):
            block = self.connection.transaction(force_rollback=not keep)
            with block, self.connection.cursor(binary=True, row_factory=tuple_row) as cursor:
                yield cursor

    def close(self) -> None:
        """End the connection if it is our own; a second time does nothing."""
        if self.owned:
            self.connection.close()

    @contextmanager
    def _in_words(self, theirs: Sequence[Exception]) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            if any(error is one for one in theirs):
                raise
            if self.connection.closed:
                raise Unreachable(
                    f"the connection to PostgreSQL at `{self.where}` is lost; open the index again"
                ) from error
            kind = type(error).__name__
            said = f"({error.sqlstate or kind}): {error.diag.message_primary or kind}"
            raise ToolError(f"PostgreSQL at `{self.where}` refused {said}") from error


def noting(given: Iterable[Given], theirs: list[Exception]) -> Iterator[Given]:
    """What is given, one by one; an error of the giver, who may use PostgreSQL too, is noted as theirs."""
    try:
        yield from given
    except psycopg.Error as error:
        theirs.append(error)
        raise


def learn_vectors(cursor: Cursor) -> None:
    """Make the extension `vector` if it is not there, and teach the connection its type."""
    found = _version(cursor) or _made(cursor)
    if tuple(int(part) for part in found.split(".")[:2]) < OLDEST:
        raise ToolError(
            f"the database has pgvector {found}; wanted is {OLDEST[0]}.{OLDEST[1]} or newer: install that on "
            "the server, then run `ALTER EXTENSION vector UPDATE` in this database"
        )
    if cursor.execute("SELECT to_regtype('vector')").fetchone() == (None,):
        raise ToolError(
            "the database has the extension `vector` in a schema that is not searched; "
            "add that to `search_path`"
        )
    register_vector(cursor.connection)


def _made(cursor: Cursor) -> str:
    # Two who find nothing at once would both make it.
    cursor.execute("SELECT pg_advisory_xact_lock(hashtext('sensecheck'), hashtext('vector'))")
    try:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except (errors.FeatureNotSupported, errors.UndefinedFile, errors.InsufficientPrivilege) as refusal:
        raise ToolError(
            "the database has no extension `vector`, and it could not be made: "
            f"{refusal.diag.message_primary}; install pgvector on the server, and let somebody who may run "
            "`CREATE EXTENSION vector` in this database"
        ) from refusal
    found = _version(cursor)
    if found is None:
        raise ToolError(
            "the extension `vector` came after this transaction began; open the index in a new one"
        )
    return found


def _version(cursor: Cursor) -> str | None:
    row = cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
    return None if row is None else str(row[0])


def _without(said: str, secret: object) -> str:
    """What libpq says, on one line, and without the password should it ever say that."""
    plain = " ".join(said.split())
    return plain.replace(str(secret), "…") if secret else plain
