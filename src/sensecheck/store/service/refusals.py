"""Entries that the database refuses for what they are, told apart from those beside them."""

from collections.abc import Callable, Sequence

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError, StatementError

from sensecheck.core.errors import SensecheckError
from sensecheck.store.service.records import Entry
from sensecheck.store.waiting import is_away

Write = Callable[[Sequence[Entry]], None]
_OF_THE_ENTRY = ("22", "23", "54")
"""What PostgreSQL says of values: they are malformed, break a rule, or are too large."""
_BEFORE_IT_IS_SENT = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
"""What Python says of values that cannot be brought into a form for the database."""


def write_apart(write: Write, entries: Sequence[Entry]) -> dict[str, str]:
    """Write all that the database takes; why it refused the others, by the ids of their messages.

    Any other error is raised: the database is away, or not as it should be, and all may be written again.
    """
    try:
        write(entries)
    except (SQLAlchemyError, SensecheckError, *_BEFORE_IT_IS_SENT) as wrong:
        if not is_refusal(wrong):
            raise
        if len(entries) == 1:
            return {entries[0].message.id: told(wrong)}
    else:
        return {}
    middle = len(entries) // 2
    return write_apart(write, entries[:middle]) | write_apart(write, entries[middle:])


def is_refusal(wrong: BaseException) -> bool:
    """Whether an error is about the entry, rather than about the database as it is now.

    A table that is missing, a full disk, a server that only reads for now: mended, the same entry is taken.
    """
    if isinstance(wrong, IntegrityError | DataError):
        return True
    if not isinstance(wrong, DBAPIError):
        orig = wrong.orig if isinstance(wrong, StatementError) else wrong
        return isinstance(orig, _BEFORE_IT_IS_SENT)
    state = getattr(wrong.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_OF_THE_ENTRY)
    return not is_away(wrong) and "psycopg" in type(wrong.orig).__module__


def told(wrong: BaseException) -> str:
    """What went wrong, without a word of what the entry holds: databases like to repeat values."""
    orig = getattr(wrong, "orig", None) or wrong
    state = getattr(orig, "sqlstate", None) or getattr(orig, "sqlite_errorname", None)
    return type(orig).__name__ if state is None else f"{type(orig).__name__} {state}"
