"""What a retriever gave for a query, and a query of which nothing can be said."""

from dataclasses import dataclass
from typing import NamedTuple

from sensecheck.core.errors import CannotJudge, Unreadable
from sensecheck.retrieval.match import Match


class Unread(NamedTuple):
    """A reference whose closeness could not be measured: it may not pass."""

    text: str
    because: str
    place: int
    """Which of the references it is, counted from 0."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A query and its matches; references that could not be read stand apart."""

    query: str
    matches: tuple[Match, ...]
    unread: tuple[Unread, ...] = ()


@dataclass(frozen=True, slots=True)
class NotSelected:
    """A query for which there is no selection, and why: neither an empty one nor a full one."""

    query: str | None
    error: CannotJudge

    @property
    def because(self) -> str:
        """Why, in words."""
        return str(self.error)


def must_be_read(found: Retrieved | NotSelected) -> tuple[Match, ...]:
    """The matches of all references, or the reason why one of them, or the query, has none."""
    if isinstance(found, NotSelected):
        raise found.error
    for one in found.unread:
        raise Unreadable(f"reference {one.place}, counted from 0, cannot be read: {one.because}")
    return found.matches
