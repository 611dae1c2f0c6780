"""A table of SQLite made anew, for changes that SQLite makes in no other way."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import op
from alembic.operations import BatchOperations


@contextmanager
def rebuilt(table: str) -> Iterator[BatchOperations]:
    """A copy of the table with these changes takes its place; its triggers go with it."""
    connection = op.get_bind()
    query = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?"
    made = [row[0] for row in connection.exec_driver_sql(query, (table,))]
    connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")  # views name the table while it is away
    try:
        with op.batch_alter_table(table, recreate="always", table_kwargs=_kept_so(table)) as batch:
            yield batch
    finally:
        connection.exec_driver_sql("PRAGMA legacy_alter_table = OFF")
    for trigger in made:
        connection.exec_driver_sql(trigger)


def _kept_so(table: str) -> dict[str, bool]:
    """Whether the table has row ids, which alembic does not read off it."""
    query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
    made = str(op.get_bind().exec_driver_sql(query, (table,)).scalar_one())
    return {"sqlite_with_rowid": "WITHOUT ROWID" not in made.upper()}
