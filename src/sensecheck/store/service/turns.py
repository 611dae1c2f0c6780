"""Turns between those who write messages, many at once, and the one who erases or moves them."""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from sensecheck.io.retry import RetryPolicy, run_with_retries

T = TypeVar("T")
PATIENCE_MS = 300
"""Everybody stands in line behind whoever waits for a strong lock; this long, at most."""
RETRIES = RetryPolicy(first_pause=0.1, max_pause=0.1, seconds=3.0)
"""In each pause those who stood in line are let by."""
_NOT_AVAILABLE = "55P03"
_KEY = 0x73656E7366
"""Beside the one of upgrades, which is `sense` in ASCII."""
_WITH_OTHERS = text("SELECT pg_advisory_xact_lock_shared(:key)")
_ALONE = text("SELECT pg_advisory_xact_lock(:key)")


def write_with_others(connection: Connection) -> None:
    """Until the transaction ends nobody erases: what is seen of erasures holds."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway
        connection.execute(_WITH_OTHERS, {"key": _KEY})


def write_alone(connection: Connection) -> None:
    """Until the transaction ends nobody else writes, and no lock is waited for longer than a moment."""
    if connection.dialect.name != "postgresql":
        return

    def taken() -> None:
        with connection.begin_nested():  # a turn that was not to be had ends this alone
            connection.execute(_ALONE, {"key": _KEY})

    in_a_moment(connection)
    until_free(taken)


def in_a_moment(connection: Connection) -> None:
    """Give up, until the transaction ends, where somebody else holds a lock for longer than a moment."""
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {PATIENCE_MS}")


def until_free(work: Callable[[], T]) -> T:
    """Do what wants a strong lock, and again for some seconds while somebody else has it."""
    return run_with_retries(RETRIES, work, errors=OperationalError, is_transient=is_taken)


def is_taken(wrong: OperationalError) -> bool:
    """Whether somebody else had the lock for too long."""
    return getattr(wrong.orig, "sqlstate", None) == _NOT_AVAILABLE
