"""Going on after the database was away for a while."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from sensecheck.core.errors import NotKept
from sensecheck.io.retry import RetryPolicy, run_with_retries

T = TypeVar("T")
LOGGER = logging.getLogger("sensecheck.store")
_AWAY = ("08", "57P", "53300", "40001", "40P01", "55P03", "57014")
"""What PostgreSQL says when it goes, comes, has no room, asks to try again, or took longer than it may."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a database that does not answer."""

    seconds: float = 120.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def until_done(self, work: Callable[[], T]) -> T:
        """Do it, and again while the database is away; whoever does it must bear being done twice."""
        policy = RetryPolicy(first_pause=0.1, max_pause=5.0, seconds=self.seconds)
        try:
            return run_with_retries(
                policy,
                work,
                errors=DBAPIError,
                is_transient=is_away,
                before_pause=_warn,
                clock=self.clock,
                sleep=self.sleep,
            )
        except DBAPIError as wrong:
            if not is_away(wrong):
                raise
            raise NotKept(
                f"the database has been away for {self.seconds:g} seconds: {first_line(wrong)}; "
                "what was written before is kept: mend that, and go on with `--resume`"
            ) from wrong


def _warn(_: DBAPIError, pause: float) -> None:
    LOGGER.warning("the database does not answer; trying again in %.1f s", pause)


def is_away(wrong: DBAPIError) -> bool:
    """Whether the database did not answer, rather than refuse."""
    state = getattr(wrong.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_AWAY)
    said = str(wrong.orig)
    busy = "database is locked" in said or "database table is locked" in said
    away = isinstance(wrong, OperationalError | InterfaceError) and "psycopg" in type(wrong.orig).__module__
    return wrong.connection_invalidated or busy or away


def first_line(wrong: DBAPIError) -> str:
    """What the database said, without the values that it may repeat below."""
    return (str(wrong.orig).splitlines() or [""])[0]
