"""Locks that are asked for in passing: who does not get one at once lets the others by, and asks again."""

from collections.abc import Callable
from time import monotonic, sleep

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from sensecheck.core.errors import NotKept
from sensecheck.store.migrations.telling import Step, Tell

LOCK_TIMEOUT_MS = 300
"""Writers stand in line behind whoever waits for a strong lock; this long, at most."""
SECONDS_IN_ALL = 600.0
"""Longer than a vacuum of a large table takes, which gives way to nobody who waits so short."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
_NOT_AVAILABLE = "55P03"
SESSION = (
    f"SET lock_timeout = '{LOCK_TIMEOUT_MS}ms'",
    "SET statement_timeout = 0",  # a column of a large table takes its time, and nobody waits for it
    "SET idle_in_transaction_session_timeout = 0",
)
"""What every upgrade of PostgreSQL begins with."""


def until_locked(
    connection: Connection,
    tables: str,
    work: Callable[[], object],
    tell: Tell,
    seconds: float = SECONDS_IN_ALL,
) -> None:
    """Do what wants a strong lock, and again until it gets it; gives up after some minutes."""
    pause, until = FIRST_PAUSE, monotonic() + seconds
    while True:
        try:
            work()
        except OperationalError as wrong:
            if getattr(wrong.orig, "sqlstate", None) != _NOT_AVAILABLE:
                raise
            if monotonic() + pause > until:
                raise NotKept(_given_up(connection, tables, seconds)) from wrong
        else:
            return
        tell(Step(f"`{tables}` is in use; asking again in {pause:.1f} s"))
        sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


def _given_up(connection: Connection, tables: str, seconds: float) -> str:
    held = ", ".join(str(pid) for pid in connection.execute(_HOLDERS).scalars()) or "none now"
    return (
        f"`{tables}` could not be locked in {seconds:g} seconds, since others use it; backends that hold "
        f"locks on tables: {held}; try again when they are done"
    )


_HOLDERS = text(
    "SELECT DISTINCT l.pid FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation "
    "WHERE l.granted AND l.pid <> pg_backend_pid() AND c.relkind = 'r' AND c.relnamespace = "
    "current_schema()::regnamespace ORDER BY 1"
)
