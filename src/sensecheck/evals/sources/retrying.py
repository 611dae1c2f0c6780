"""How long to wait before a busy server is asked again."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

BUSY = (429, 502, 503, 504)
"""What a server answers that has too much to do for now, or what stands before it."""
FIRST, LONGEST = 0.5, 8.0
"""Seconds: the first wait, doubled each time, up to the longest."""
MOST = 120.0
"""A server that wants a longer wait than this is not asked again."""


def wait_before(tried: int, headers: Mapping[str, str]) -> float | None:
    """Seconds to wait after so many tries: as the server says, or longer each time; None to give up."""
    said = _retry_after(headers.get("Retry-After", ""))
    if said is not None:
        return said if said <= MOST else None
    return min(FIRST * 2.0 ** (tried - 1), LONGEST) * random.uniform(0.75, 1.0)


def _retry_after(said: str) -> float | None:
    """A number of seconds or a date, as seconds from now; None when the server says neither."""
    try:
        seconds = float(said)
    except ValueError:
        return _until(said)
    return seconds if seconds >= 0 else None


def _until(said: str) -> float | None:
    try:
        date = parsedate_to_datetime(said)
    except ValueError:
        return None
    aware = date if date.tzinfo else date.replace(tzinfo=UTC)
    return max(0.0, (aware - datetime.now(UTC)).total_seconds())
