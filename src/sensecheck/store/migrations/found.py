"""What a database holds, before anything is done to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, Text, column, inspect, select, table
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError

from sensecheck.core.errors import SpecError, Unreachable
from sensecheck.store.address import shown
from sensecheck.store.migrations.revisions import VERSION_TABLE
from sensecheck.store.waiting import first_line, is_away


@dataclass(frozen=True, slots=True)
class Found:
    """The tables that are there, and the step that made them."""

    revision: str | None
    """None where none of our steps was made."""
    names: frozenset[str]
    """All tables and views, also those of others."""


@contextmanager
def connected(engine: Engine) -> Iterator[Connection]:
    """A connection; a database that does not answer, is none, or refuses, is told without a password."""
    where = shown(engine.url)
    try:
        connection = engine.connect()
    except (OperationalError, InterfaceError) as wrong:
        raise Unreachable(f"the store `{where}` cannot be reached: {first_line(wrong)}") from None
    except DatabaseError as wrong:
        raise SpecError(f"`{where}` is no store: {first_line(wrong)}") from None
    try:
        with connection:
            yield connection
    except DBAPIError as wrong:
        if is_away(wrong):
            raise Unreachable(f"the store `{where}` went away: {first_line(wrong)}") from None
        raise SpecError(f"the store `{where}` cannot be read: {first_line(wrong)}") from None


def look(engine: Engine) -> Found:
    """What is there; a file that is not there is not made by looking."""
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").exists():
        return Found(None, frozenset())
    with connected(engine) as connection:
        return look_at(connection)


def look_at(connection: Connection) -> Found:
    """What is there, by a connection that is open."""
    inspector = inspect(connection)
    names = frozenset((*inspector.get_table_names(), *inspector.get_view_names()))
    if VERSION_TABLE not in names:
        return Found(None, names)
    version = select(column("version_num", Text)).select_from(table(VERSION_TABLE))
    return Found(connection.execute(version).scalar_one_or_none(), names)
