"""The schema of both databases is the one in the files, to the last constraint."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from tests.databases import postgresql_database
from tests.golden.pinned import assert_all, pin
from tests.ready_tables import make_tables

SQLITE = {
    "schema": "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name",
    "columns": (
        'SELECT m.name, c.cid, c.name, c.type, c."notnull", c.dflt_value, c.pk FROM sqlite_master AS m '
        "JOIN pragma_table_xinfo(m.name) AS c WHERE m.type = 'table' ORDER BY m.name, c.cid"
    ),
}
_OURS = "c.relnamespace = 'public'::regnamespace"
POSTGRESQL = {
    "tables": (
        f"SELECT c.relname, c.relkind, pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid) "
        f"FROM pg_class AS c WHERE {_OURS} AND c.relkind IN ('r', 'p', 'v', 'S') ORDER BY 1"
    ),
    "columns": (
        "SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, "
        "pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid "
        "LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum "
        f"WHERE {_OURS} AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0 AND NOT a.attisdropped "
        "ORDER BY c.relname, a.attnum"
    ),
    "constraints": (
        "SELECT c.relname, n.conname, pg_get_constraintdef(n.oid) FROM pg_constraint AS n "
        f"JOIN pg_class AS c ON c.oid = n.conrelid WHERE {_OURS} AND n.contype IN ('p', 'u', 'f', 'c', 'x') "
        "ORDER BY 1, 2"
    ),
    "indexes": (
        "SELECT c.relname, pg_get_indexdef(i.indexrelid), i.indisvalid FROM pg_index AS i "
        f"JOIN pg_class AS c ON c.oid = i.indrelid WHERE {_OURS} ORDER BY 1, 2"
    ),
    "triggers": (
        "SELECT c.relname, pg_get_triggerdef(t.oid), t.tgenabled FROM pg_trigger AS t "
        f"JOIN pg_class AS c ON c.oid = t.tgrelid WHERE {_OURS} AND NOT t.tgisinternal ORDER BY 1, 2"
    ),
    "functions": (
        "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1"
    ),
    "views": f"SELECT c.relname, pg_get_viewdef(c.oid) FROM pg_class AS c WHERE {_OURS} AND c.relkind = 'v'",
}


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.database)])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'evals.sqlite3'}"
    else:
        with postgresql_database() as made:
            yield made


def test_the_schema_is_that_of_the_file(address: str) -> None:
    make_tables(address)
    engine = engine_of(database_url(address))
    name = engine.dialect.name
    with engine.connect() as connection:
        schema = described(connection, SQLITE if name == "sqlite" else POSTGRESQL)
    engine.dispose()

    pin(f"schema/{name}.txt", schema)
    assert_all("schema", ("sqlite.txt", "postgresql.txt"))


def described(connection: Connection, queries: dict[str, str]) -> str:
    """One line per thing, without the quotes and line breaks that say nothing."""
    lines = []
    for name, query in queries.items():
        lines.append(f"# {name}")
        lines += [
            " | ".join("-" if value is None else normalised(str(value)) for value in row)
            for row in connection.execute(text(query))
        ]
    return "\n".join(lines) + "\n"


def normalised(sql: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r'"(\w+)"', r"\1", sql)).strip()
