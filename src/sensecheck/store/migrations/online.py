"""Changes to tables while others write to them: a new column, a new index.

On PostgreSQL each change commits by itself, and a lock that is not free at once is requested again after a
pause, so that no writer waits behind it for long. When a change fails, its revision is not applied; the next
upgrade finds what was done already, and continues. On SQLite, with one writer at a time, each is a plain
statement in the transaction of the upgrade.

A revision that adds a column to a table whose rows are append-only calls `add_column`, then `protect` with
the column in the list; its downgrade calls `protect` without it, then `drop_column`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

import sqlalchemy as sa
from alembic import op
from sqlalchemy.exc import OperationalError

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.io.retry import RetryPolicy, run_with_retries
from sensecheck.store.migrations.base import OnProgress, silent
from sensecheck.store.retry import is_locked

LOCK_TIMEOUT_MS = 300
"""Writers queue behind whoever waits for a strong lock; this long, at most."""
MAX_LOCK_SECONDS = 600.0
"""Longer than a vacuum of a large table, which does not give way to such short requests."""
SESSION = (
    f"SET lock_timeout = '{LOCK_TIMEOUT_MS}ms'",
    "SET statement_timeout = 0",  # an index of a large table takes long, and no one waits for it
    "SET idle_in_transaction_session_timeout = 0",
)
"""What every migration of PostgreSQL begins with."""
TRIGGER_FUNCTION = "sensecheck_refuse_change"
REFUSAL = "a row of % is kept as it is; add another one instead"
_LOCK_HOLDERS = sa.text(
    "SELECT DISTINCT l.pid FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation "
    "WHERE l.granted AND l.pid <> pg_backend_pid() AND c.relkind IN ('r', 'p') AND c.relnamespace = "
    "current_schema()::regnamespace ORDER BY 1"
)
_PARTITIONS_WITHOUT = sa.text(
    "SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid "
    "WHERE i.inhparent = to_regclass(:table) AND NOT EXISTS (SELECT 1 FROM pg_inherits AS p "
    "JOIN pg_index AS x ON x.indexrelid = p.inhrelid WHERE p.inhparent = to_regclass(:index) "
    "AND x.indrelid = c.oid) ORDER BY c.relname"
)


def add_column(table: str, column: "sa.Column[Any]") -> None:
    """Add a column that may be NULL: existing rows are not rewritten."""
    if not column.nullable or column.server_default is not None:
        raise SpecError(
            f"`{table}.{column.name}` must be nullable and without a default, or the table is locked while "
            "its rows are looked at; add it as nullable"
        )
    if not has_column(table, column.name):
        kind = column.type.compile(op.get_context().dialect)
        _with_lock(table, f'ALTER TABLE "{table}" ADD COLUMN "{column.name}" {kind}')


def drop_column(table: str, column: str) -> None:
    """Drop a column and its values."""
    if _is_offline() or has_column(table, column):
        _with_lock(table, f'ALTER TABLE "{table}" DROP COLUMN "{column}"')


def create_index(name: str, table: str, columns: Sequence[str]) -> None:
    """Create an index while others write; one that was left half built is built again."""
    if not _is_postgresql():
        op.execute(f'CREATE INDEX {name} ON "{table}" ({_quoted(columns)})')
    elif not _index_is_valid(name):
        _progress()(f"building the index `{name}`")
        with _own_transactions(), _without_lock_timeout():
            op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            op.execute(f'CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} ON "{table}" ({_quoted(columns)})')


def drop_index(name: str) -> None:
    """Drop an index while others write."""
    if not _is_postgresql():
        op.execute(f"DROP INDEX {name}")
        return
    with _own_transactions(), _without_lock_timeout():
        op.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


def create_partitioned_index(name: str, table: str, columns: Sequence[str]) -> None:
    """Create an index of a partitioned table, one partition at a time; PostgreSQL cannot do so at once."""
    if not _is_postgresql():
        create_index(name, table, columns)
        return
    _require_online("the partitions of a table are listed")
    # valid once each partition has its part; partitions that are made from now on come with theirs
    _with_lock(table, f'CREATE INDEX IF NOT EXISTS {name} ON ONLY "{table}" ({_quoted(columns)})')
    names = {"table": f'"{table}"', "index": name}
    for partition in list(op.get_bind().execute(_PARTITIONS_WITHOUT, names).scalars()):
        part = f"{partition}_{'_'.join(columns)}_idx"
        create_index(part, partition, columns)
        _with_lock(partition, f"ALTER INDEX {name} ATTACH PARTITION {part}")


def drop_partitioned_index(name: str, table: str) -> None:
    """Drop an index of a partitioned table with all its parts."""
    if _is_postgresql():
        _with_lock(table, f"DROP INDEX IF EXISTS {name}")
    else:
        drop_index(name)


def protect(table: str, columns: Sequence[str]) -> None:
    """Refuse to change these columns of a row and no others; the table is never without its trigger."""
    on = f' ON "{table}"' if _is_postgresql() else ""
    both = (f"DROP TRIGGER IF EXISTS {trigger_name(table)}{on}", trigger_sql(table, columns))
    if _is_postgresql():
        _with_lock(table, "; ".join(both))  # sent at once, they are one transaction
    else:
        for statement in both:
            op.execute(statement)


def trigger_name(table: str) -> str:
    """The name of the trigger that makes the rows of a table append-only."""
    return f"{table}_kept_as_it_is"


def trigger_sql(table: str, columns: Sequence[str]) -> str:
    """The trigger that refuses to change these columns of a row; rows may still be deleted."""
    if _is_postgresql():
        action = f"EXECUTE FUNCTION {TRIGGER_FUNCTION}()"
    else:
        action = f"BEGIN SELECT RAISE(ABORT, '{REFUSAL.replace('%', table)}'); END"
    event = f'BEFORE UPDATE OF {_quoted(columns)} ON "{table}"'
    return f"CREATE TRIGGER {trigger_name(table)} {event} FOR EACH ROW {action}"


def lock_tables(tables: Sequence[str]) -> None:
    """Keep everyone else out of these tables until the revision is applied or undone."""
    if not _is_postgresql():
        return  # the migration is the only writer
    statement = f"LOCK TABLE {_quoted(tables)} IN ACCESS EXCLUSIVE MODE"
    if _is_offline():
        op.execute(statement)
        return
    connection = op.get_bind()

    def lock() -> None:
        with connection.begin_nested():  # without the last lock, the first ones are released
            connection.exec_driver_sql(statement)

    retry_until_locked(connection, ", ".join(tables), lock, _progress())


def retry_until_locked(
    connection: sa.Connection,
    tables: str,
    work: Callable[[], object],
    progress: OnProgress,
    max_seconds: float = MAX_LOCK_SECONDS,
) -> None:
    """Do what needs a strong lock, again and again until it is free; `StorageError` after some minutes."""
    try:
        run_with_retries(
            RetryPolicy(first_pause=0.1, max_pause=5.0, seconds=max_seconds),
            work,
            errors=OperationalError,
            is_transient=is_locked,
            before_pause=lambda _, pause: progress(f"`{tables}` is in use; trying again in {pause:.1f} s"),
        )
    except OperationalError as error:
        if not is_locked(error):
            raise
        pids = ", ".join(str(pid) for pid in connection.execute(_LOCK_HOLDERS).scalars())
        raise StorageError(
            f"`{tables}` could not be locked within {max_seconds:g} seconds, since others use it; "
            f"backends that hold locks on tables: {pids or 'none now'}; try again when they are done"
        ) from error


def _with_lock(table: str, statement: str) -> None:
    """One statement that needs a strong lock, in a transaction of its own."""
    if not _is_postgresql() or _is_offline():
        op.execute(statement)
        return
    with _own_transactions() as connection:
        retry_until_locked(connection, table, lambda: connection.exec_driver_sql(statement), _progress())


@contextmanager
def _own_transactions() -> Iterator[sa.Connection]:
    """Each statement commits by itself; what came before it is committed."""
    with op.get_context().autocommit_block():
        yield cast("sa.Connection", op.get_context().connection)


@contextmanager
def _without_lock_timeout() -> Iterator[None]:
    """Wait as long as it takes: for statements behind which no one queues."""
    op.execute("SET lock_timeout = 0")
    try:
        yield
    finally:
        op.execute(SESSION[0])


def _is_postgresql() -> bool:
    return op.get_context().dialect.name == "postgresql"


def _is_offline() -> bool:
    return bool(op.get_context().as_sql)


def _require_online(why: str) -> None:
    if _is_offline():
        raise SpecError(f"this revision cannot be written as SQL, since {why}; run it on the database")


def _progress() -> OnProgress:
    config = op.get_context().config
    progress: OnProgress = silent if config is None else config.attributes.get("progress", silent)
    return progress


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def has_column(table: str, column: str) -> bool:
    """Whether a table has this column already; never, where the revision is written as SQL."""
    if _is_offline():
        return False
    return column in {existing["name"] for existing in sa.inspect(op.get_bind()).get_columns(table)}


def _index_is_valid(name: str) -> bool:
    if _is_offline():
        return False
    valid = sa.text("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(:name)")
    return bool(op.get_bind().execute(valid, {"name": name}).scalar())
