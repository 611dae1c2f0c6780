"""Changes to tables that others write to meanwhile: nobody waits longer than a moment.

A column comes in two steps, with a release of ours between them. Expand: `add_column`, then `backfill`; from
then on writers give it a value. Contract: `backfill` what was written meanwhile, then `require` and
`guard_anew`. An index is built by `build_index`.

On PostgreSQL each of these commits by itself. When one fails, the step that called it is not done; when the
upgrade is tried again, what was done already is found and left as it is. On SQLite, where there is one writer
at a time, they do the plain thing within the one transaction of the upgrade.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa
from alembic import op

from sensecheck.core.errors import SpecError
from sensecheck.store.migrations import triggers
from sensecheck.store.migrations.filling import Filling, row_of
from sensecheck.store.migrations.locks import LOCK_TIMEOUT_MS, until_locked
from sensecheck.store.migrations.rebuilding import rebuilt
from sensecheck.store.migrations.telling import Step, Tell, nobody

AT_ONCE = 5000
"""Rows of a batch: so few that their locks are held for milliseconds."""


def add_column(table: str, column: "sa.Column[Any]") -> None:
    """Add a column that may be NULL: old rows are not touched."""
    if not column.nullable or column.server_default is not None:
        raise SpecError(
            f"`{table}.{column.name}` is to be added as nullable, without a default; see `require`"
        )
    if _has(table, column.name):
        return
    kind = column.type.compile(op.get_context().dialect)
    _locked(table, f'ALTER TABLE "{table}" ADD COLUMN "{column.name}" {kind}')


def drop_column(table: str, column: str) -> None:
    """Drop a column, and what it holds."""
    if not _has(table, column):
        return
    if _is_postgresql():
        _locked(table, f'ALTER TABLE "{table}" DROP COLUMN "{column}"')
    else:
        with rebuilt(table) as batch:
            batch.drop_column(column)


def backfill(table: str, column: str, value: str, *, by: Sequence[str], at_once: int = AT_ONCE) -> None:
    """Give a column its value (an expression of SQL) where it has none, batch by batch of the primary key."""
    _must_be_online(f"`{table}.{column}` is filled batch by batch")
    if _is_postgresql():
        with _own_transactions() as connection:
            Filling(connection, table, column, value, tuple(by), at_once).fill(_tell())
    else:
        op.execute(f'UPDATE "{table}" SET "{column}" = {value} WHERE "{column}" IS NULL')


def require(table: str, column: str) -> None:
    """Refuse NULL in a column from now on; a row that still has one is an error."""
    if not _is_postgresql():
        with rebuilt(table) as batch:
            batch.alter_column(column, nullable=False)
        return
    check = f"ck_{table}_{column}_given"
    if not _has_constraint(table, check):
        # not looked at yet: adding it takes a moment, and the look, which takes long, stands in nobody's way
        wanted = f'CHECK ("{column}" IS NOT NULL) NOT VALID'
        _locked(table, f'ALTER TABLE "{table}" ADD CONSTRAINT {check} {wanted}')
    _tell()(Step(f"looking at every row of `{table}`"))
    _locked(table, f'ALTER TABLE "{table}" VALIDATE CONSTRAINT {check}')
    _locked(table, f'ALTER TABLE "{table}" ALTER COLUMN "{column}" SET NOT NULL')
    _locked(table, f'ALTER TABLE "{table}" DROP CONSTRAINT {check}')


def allow_null(table: str, column: str) -> None:
    """Undo `require`."""
    if _is_postgresql():
        _locked(table, f'ALTER TABLE "{table}" ALTER COLUMN "{column}" DROP NOT NULL')
    else:
        with rebuilt(table) as batch:
            batch.alter_column(column, nullable=True)


def build_index(name: str, table: str, columns: Sequence[str]) -> None:
    """Build an index while others write; a half-built one that was left over is built anew."""
    of = f'"{table}" {row_of(columns)}'
    if not _is_postgresql():
        op.execute(f"CREATE INDEX {name} ON {of}")
        return
    if _index_is_valid(name):
        return
    _tell()(Step(f"building the index `{name}`"))
    with _own_transactions(), _unhurried():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
        op.execute(f"CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON {of}")


def drop_index(name: str) -> None:
    """Drop an index while others write."""
    if not _is_postgresql():
        op.execute(f"DROP INDEX {name}")
        return
    with _own_transactions(), _unhurried():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


def guard_anew(table: str, columns: Sequence[str]) -> None:
    """Refuse to change these columns of a row, and no others; there is no moment without a guard."""
    both = (triggers.unguarding(table), triggers.guarding(table, columns))
    if _is_postgresql():
        _locked(table, "; ".join(both))  # one transaction, as they are sent at once
    else:
        for statement in both:
            op.execute(statement)


def lock(tables: Sequence[str]) -> None:
    """Keep everybody else out of these tables until the step is done."""
    _must_be_online("the tables must be looked at")
    if not _is_postgresql():
        return  # the upgrade is the one writer there
    connection, all_of_them = op.get_bind(), ", ".join(f'"{table}"' for table in tables)

    def locked() -> None:
        with connection.begin_nested():  # who does not get the last one lets go of the first
            connection.exec_driver_sql(f"LOCK TABLE {all_of_them} IN ACCESS EXCLUSIVE MODE")

    until_locked(connection, ", ".join(tables), locked, _tell())


def _locked(table: str, statement: str) -> None:
    """One statement that wants a strong lock, for itself."""
    context = op.get_context()
    if not _is_postgresql() or context.as_sql:
        op.execute(statement)
        return
    with _own_transactions() as connection:
        until_locked(connection, table, lambda: connection.exec_driver_sql(statement), _tell())


@contextmanager
def _own_transactions() -> Iterator[sa.Connection]:
    """Each statement commits by itself; what came before it is committed."""
    with op.get_context().autocommit_block():
        yield cast("sa.Connection", op.get_context().connection)


@contextmanager
def _unhurried() -> Iterator[None]:
    """Wait for others as long as it takes: for statements that nobody has to wait for."""
    op.execute("SET lock_timeout = 0")
    try:
        yield
    finally:
        op.execute(f"SET lock_timeout = '{LOCK_TIMEOUT_MS}ms'")


def _is_postgresql() -> bool:
    return op.get_context().dialect.name == "postgresql"


def _tell() -> Tell:
    config = op.get_context().config
    told: Tell = nobody if config is None else config.attributes.get("tell", nobody)
    return told


def _must_be_online(why: str) -> None:
    if op.get_context().as_sql:
        raise SpecError(f"this step cannot be written down as SQL: {why}; run it on the database")


def _has(table: str, column: str) -> bool:
    if op.get_context().as_sql:
        return False
    return column in {found["name"] for found in sa.inspect(op.get_bind()).get_columns(table)}


def _has_constraint(table: str, name: str) -> bool:
    if op.get_context().as_sql:
        return False
    held = sa.text("SELECT 1 FROM pg_constraint WHERE conrelid = CAST(:t AS regclass) AND conname = :name")
    return op.get_bind().execute(held, {"t": f'"{table}"', "name": name}).first() is not None


def _index_is_valid(name: str) -> bool:
    if op.get_context().as_sql:
        return False
    valid = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    return bool(op.get_bind().execute(valid, {"name": name}).scalar())
