"""Rows that are kept as they are: the database itself refuses to change them.

A trigger names the columns that it guards. So a column that a later step adds can be filled, and is guarded
once that step is done.
"""

from collections.abc import Sequence

from alembic import op

FUNCTION = "sensecheck_refuse_change"
_SAYS = "a row of % is kept as it is; add another one instead"


def name_of(table: str) -> str:
    """What the trigger of a table is called."""
    return f"{table}_kept_as_it_is"


def make_function() -> None:
    """What triggers of PostgreSQL call; SQLite needs none."""
    if op.get_context().dialect.name == "postgresql":
        op.execute(
            f"CREATE FUNCTION {FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $$\n"
            f"BEGIN RAISE EXCEPTION '{_SAYS}', TG_TABLE_NAME; END\n$$"
        )


def drop_function() -> None:
    """Undo `make_function`."""
    if op.get_context().dialect.name == "postgresql":
        op.execute(f"DROP FUNCTION {FUNCTION}()")


def guard(table: str, columns: Sequence[str]) -> None:
    """Refuse to change these columns of any row; rows may still be deleted."""
    op.execute(guarding(table, columns))


def guarding(table: str, columns: Sequence[str]) -> str:
    """The statement for that."""
    of = ", ".join(f'"{column}"' for column in columns)
    if op.get_context().dialect.name == "postgresql":
        does = f"EXECUTE FUNCTION {FUNCTION}()"
    else:
        does = f"BEGIN SELECT RAISE(ABORT, '{_SAYS.replace('%', table)}'); END"
    return f'CREATE TRIGGER {name_of(table)} BEFORE UPDATE OF {of} ON "{table}" FOR EACH ROW {does}'


def unguarding(table: str) -> str:
    """The statement that takes the guard away."""
    on = f' ON "{table}"' if op.get_context().dialect.name == "postgresql" else ""
    return f"DROP TRIGGER {name_of(table)}{on}"
