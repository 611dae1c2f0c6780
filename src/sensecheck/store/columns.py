"""Numbers, names and moments in a form that both SQLite and PostgreSQL can store."""

import math
from datetime import UTC, datetime
from typing import SupportsFloat

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import storable

MAX_INDEXED_CHARS = 500
"""Characters; PostgreSQL looks up no text that is much longer."""
_SHOWN = 40


def finite(value: SupportsFloat | None, what: str) -> tuple[float | None, str | None]:
    """The number as a plain float; None, and why, for one that is not finite."""
    if value is None:
        return None, None
    number = float(value)  # a number of numpy's is a BLOB to SQLite
    if math.isfinite(number):
        return number, None
    return None, f"{what} is {number}; wanted a finite number"


def stored_name(name: str, what: str, wrong: type[SpecError | SampleError] = SpecError) -> str:
    """The name of something as it is stored; one that is too long is an error."""
    if len(name) > MAX_INDEXED_CHARS:
        raise wrong(
            f"{what} is too long: `{storable(name[:_SHOWN])}…` has {len(name):,} characters; "
            f"wanted at most {MAX_INDEXED_CHARS}"
        )
    return storable(name)


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def in_utc(moment: datetime) -> datetime:
    """A moment as a database gives it; SQLite forgets the zone, which is always UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
