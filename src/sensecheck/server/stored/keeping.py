"""Messages kept from the event loop: whoever waits here waits for the disk, and holds nobody else up."""

from asyncio import shield, wrap_future
from time import monotonic

from sensecheck.core.errors import NoRoom, NotKept
from sensecheck.server.problems import BROKEN, NO_ROOM, STOPPING, Problem
from sensecheck.store.service.keeper import Keeper
from sensecheck.store.service.records import Entry

SECONDS_UNTIL_ROOM = 5
"""The database is tried again about so often, and with it there is room."""


class Keeping:
    """What the routes keep messages with."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._was_full = float("-inf")
        """When somebody was last turned away for want of room."""

    async def keep(self, entry: Entry) -> None:
        """Keep an entry: it is on a disk when this returns. A client that leaves meanwhile undoes nothing."""
        try:
            await shield(wrap_future(self._keeper.keep(entry)))
        except NoRoom as full:
            self._was_full = monotonic()
            raise Problem(
                NO_ROOM,
                "the database does not answer, and no more can wait for it here",
                retry_after=SECONDS_UNTIL_ROOM,
            ) from full
        except NotKept as wrong:
            if self._keeper.alive:
                raise Problem(BROKEN, "the message could not be kept") from wrong
            raise Problem(STOPPING, "the service keeps nothing more", retry_after=1) from wrong

    @property
    def alive(self) -> bool:
        """Whether anything can be kept."""
        return self._keeper.alive

    @property
    def has_room(self) -> bool:
        """Whether nobody was turned away of late; later, somebody has to try."""
        return monotonic() - self._was_full > SECONDS_UNTIL_ROOM

    @property
    def waiting(self) -> int:
        """How many messages wait on this machine for the database."""
        return self._keeper.waiting

    @property
    def set_aside(self) -> int:
        """How many messages could not be read again, or were refused, and wait for a person."""
        return self._keeper.set_aside

    @property
    def spooled_total(self) -> int:
        """How many messages had to wait for the database, since the start."""
        return self._keeper.spooled_total
