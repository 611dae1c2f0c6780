"""Many rows in one statement: those that are there already stay as they are."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, Table, text

from sensecheck.store.bulk import add_missing


def add_rows(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Add rows that have all columns, in their order; none that is there, in one round trip."""
    if connection.dialect.name != "postgresql":
        add_missing(connection, table, rows)
        return
    names = ", ".join(f'"{column.name}"' for column in table.c)
    brought = f"json_populate_recordset(CAST(NULL AS {table.name}), CAST(:rows AS json))"
    add = f"INSERT INTO {table.name} ({names}) SELECT {names} FROM {brought} ON CONFLICT DO NOTHING"
    connection.execute(text(add), {"rows": json.dumps(rows, default=_moment, allow_nan=False)})


def _moment(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"wanted a value of a row; found {type(value).__name__}")
