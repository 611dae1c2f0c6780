"""Many rows written in one statement, by the quickest way that the database has."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from uuid import uuid4

from sqlalchemy import Connection, Engine, Table, select, text
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import SpecError
from sensecheck.store.columns import now, stored_name
from sensecheck.store.engine import writing
from sensecheck.store.tables import projects

Row = Sequence[object]
BATCH_ROWS = 10_000
"""Rows that SQLite is given in one call; PostgreSQL takes them as they come."""


def insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Add rows, each with the values of these columns, within the transaction of the connection."""
    quoted = [connection.dialect.identifier_preparer.quote(name) for name in (table.name, *columns)]
    into = f"{quoted[0]} ({', '.join(quoted[1:])})"
    if connection.dialect.name == "postgresql":
        _copy(connection, into, rows)
        return
    statement, remaining = f"INSERT INTO {into} VALUES ({', '.join('?' * len(columns))})", map(tuple, rows)
    while batch := list(islice(remaining, BATCH_ROWS)):
        connection.exec_driver_sql(statement, batch)


def insert_into(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insert as this database knows it, which can say what becomes of a row that is there."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def add_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Add those rows that are not there: two who add the same at once get one row."""
    connection.execute(insert_into(connection, table).on_conflict_do_nothing(), rows)


def add_if_missing(connection: Connection, table: Table, row: Mapping[str, object]) -> int | None:
    """Add a row, and give its key; None where it is there, or someone else added it at the same time."""
    new = insert_into(connection, table).values(row).on_conflict_do_nothing().returning(table.c.key)
    key: int | None = connection.execute(new).scalar_one_or_none()
    return key


def add_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Add rows that have all columns, in their order; none that is there, in one round trip."""
    if connection.dialect.name != "postgresql":
        add_missing(connection, table, rows)
        return
    names = ", ".join(f'"{column.name}"' for column in table.c)
    recordset = f"json_populate_recordset(CAST(NULL AS {table.name}), CAST(:rows AS json))"
    statement = f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {recordset} ON CONFLICT DO NOTHING"
    connection.execute(text(statement), {"rows": json.dumps(rows, default=_moment_text, allow_nan=False)})


def project_key(engine: Engine, name: str) -> int:
    """The project of this name, made if there is none yet."""
    if not name.strip():
        raise SpecError("a project must have a name; got an empty one")
    name = stored_name(name, "the name of a project")
    with writing(engine) as connection:
        add_missing(connection, projects, [{"id": str(uuid4()), "name": name, "created_at": now()}])
        return int(connection.execute(select(projects.c.key).where(projects.c.name == name)).scalar_one())


def _copy(connection: Connection, into: str, rows: Iterable[Row]) -> None:
    driver, error_class = connection.connection, connection.dialect.loaded_dbapi.Error
    cursor = driver.cursor()
    try:
        with cursor.copy(f"COPY {into} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
    except error_class as error:  # raised as SQLAlchemy raises its own errors, for callers that retry
        is_lost = bool(getattr(driver.driver_connection, "closed", False))
        if is_lost:
            connection.invalidate(error)
        wrapped = DBAPIError.instance(
            f"COPY {into}", None, error, error_class, True, is_lost, connection.dialect
        )
        raise wrapped from error
    finally:
        cursor.close()


def _moment_text(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"a value of a row must be a plain value or a moment; got {type(value).__name__}")
