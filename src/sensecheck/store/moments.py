"""Moments, in UTC, whichever database keeps them."""

from datetime import UTC, datetime


def now() -> datetime:
    """This moment."""
    return datetime.now(UTC)


def in_utc(moment: datetime) -> datetime:
    """A moment as a database gives it; SQLite forgets the zone, which is always UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
