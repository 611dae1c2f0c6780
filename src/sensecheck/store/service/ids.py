"""Names for messages: they sort by the moment they were made, and tell it."""

from datetime import UTC, datetime
from secrets import randbits
from uuid import UUID


def new_id(at: datetime) -> str:
    """A UUID of version 7 for this moment."""
    milliseconds = int(at.timestamp() * 1000)
    number = milliseconds << 80 | 7 << 76 | randbits(12) << 64 | 2 << 62 | randbits(62)
    return str(UUID(int=number))


def moment_of(message: str) -> datetime | None:
    """The moment of a message, to the millisecond; None for what is no name of ours."""
    try:
        number = UUID(message)
    except ValueError:
        return None
    if number.version != 7 or str(number) != message:
        return None
    return datetime.fromtimestamp((number.int >> 80) / 1000, UTC)


def first_id(at: datetime) -> str:
    """What sorts before every name of this moment or later, and after those from before it."""
    return str(UUID(int=int(at.timestamp() * 1000) << 80))
