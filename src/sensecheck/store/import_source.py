"""A database of somebody else's, opened to be read and for nothing else."""

import sqlite3
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Boolean,
    ColumnElement,
    Connection,
    Double,
    Engine,
    Float,
    Integer,
    Numeric,
    Select,
    TableClause,
    cast,
    column,
    create_engine,
    inspect,
    table,
)
from sqlalchemy.exc import DBAPIError, OperationalError, SAWarning
from sqlalchemy.pool import StaticPool
from sqlalchemy.types import TypeEngine

from sensecheck.core.errors import SpecError, Unreachable
from sensecheck.store.address import database_url, shown
from sensecheck.store.engine import engine_of
from sensecheck.store.waiting import first_line

AT_ONCE = 500
_OURS = {"readings", "batches", "set_pairs"}

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shelf:
    """A table or view of the source, and its columns by their names in small letters."""

    name: str
    columns: Mapping[str, str]
    types: Mapping[str, "TypeEngine[object]"]
    exact: bool
    """Whether short floats must be widened by the database: drivers give them as they are printed."""

    @property
    def source(self) -> TableClause:
        """What a query selects from."""
        return table(self.name)

    def value(self, wanted: str) -> "ColumnElement[object]":
        """A column as the driver gives it; floats with all their bits."""
        found: ColumnElement[object] = column(self.columns[wanted])
        if self.exact and isinstance(self.types[wanted], Float):
            return cast(found, Double)
        return found

    def chosen(self, wanted: Sequence[str]) -> Select[Any]:
        """The rows with these columns, under their names in small letters."""
        columns: list[ColumnElement[Any]] = [self.value(name).label(name) for name in wanted]
        query: Select[Any] = self.source.select().with_only_columns(*columns, maintain_column_froms=True)
        return query

    def is_number(self, name: str) -> bool:
        """Whether a column was declared to hold numbers."""
        return isinstance(self.types[name], Float | Numeric | Integer | Boolean)


@dataclass(frozen=True, slots=True)
class Source:
    """One look at the database, the same from the first row to the last, whoever writes meanwhile."""

    connection: Connection
    address: str
    """Without a password."""
    names: Mapping[str, str]
    """Tables and views, by their names in small letters."""

    def rows(self, query: Select[Any]) -> Iterator[Row]:
        """What a query finds, read as it is wanted."""
        with _readable(self.address):
            found = self.connection.execute(query.execution_options(yield_per=AT_ONCE))
            for row in found.mappings():
                yield {str(name): value for name, value in row.items()}

    def shelf(self, *usual: str) -> Shelf | None:
        """The table that has one of these names; None without it."""
        found = next((self.names[name] for name in usual if name in self.names), None)
        if found is None:
            return None
        with (
            _readable(self.address),
            warnings.catch_warnings(),
        ):  # a type that is not known here is no number: all that is asked
            warnings.simplefilter("ignore", SAWarning)
            told = inspect(self.connection).get_columns(found)
        columns = {one["name"].lower(): one["name"] for one in told}
        types = {one["name"].lower(): one["type"] for one in told}
        return Shelf(found, columns, types, self.connection.dialect.name == "postgresql")


@contextmanager
def reading(address: str) -> Iterator[Source]:
    """The database at an address, in a transaction that cannot write."""
    url = database_url(address)
    engine = _engine(url)
    try:
        with _connected(engine, url) as connection:
            yield Source(connection, shown(url), _names(connection, shown(url)))
    finally:
        engine.dispose()


def _engine(url: URL) -> Engine:
    if url.get_backend_name() == "sqlite":
        path = Path(url.database or "").absolute()
        if not path.is_file():
            raise SpecError(f"`{path}` is no file; wanted a database of SQLite, or `postgresql://…`")
        return create_engine(
            "sqlite://", creator=lambda: _opened(path), poolclass=StaticPool, hide_parameters=True
        )
    once: Engine = engine_of(url).execution_options(
        isolation_level="REPEATABLE READ", postgresql_readonly=True
    )
    return once


@contextmanager
def _readable(address: str) -> Iterator[None]:
    """What a database refuses becomes one line."""
    try:
        yield
    except DBAPIError as wrong:
        raise Unreachable(f"`{address}` cannot be read: {first_line(wrong)}") from None


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, check_same_thread=False)
    connection.isolation_level = None
    connection.text_factory = lambda held: held.decode("utf-8", "replace")
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connected(engine: Engine, url: URL) -> Connection:
    try:
        connection = engine.connect()
        if connection.dialect.name == "sqlite":  # whose driver begins nothing before a write
            connection.exec_driver_sql("BEGIN")
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
    except OperationalError as wrong:
        raise Unreachable(f"`{shown(url)}` cannot be reached: {first_line(wrong)}") from None
    except DBAPIError as wrong:
        raise SpecError(f"`{shown(url)}` cannot be read: {first_line(wrong)}") from None
    return connection


def _names(connection: Connection, where: str) -> Mapping[str, str]:
    with _readable(where):
        found = inspect(connection)
        names = {name.lower(): name for name in (*found.get_view_names(), *found.get_table_names())}
    if names.keys() >= _OURS:
        raise SpecError(f"`{where}` is a store of sensecheck's own; use it as it is, with `--store`")
    return names
