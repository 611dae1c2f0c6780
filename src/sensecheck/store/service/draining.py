"""What waits in the spool moves to the database: oldest first, each once."""

import logging
from concurrent.futures import Future

from sensecheck.core.errors import NotKept
from sensecheck.store.service.spool import Spool, Spooled
from sensecheck.store.service.writing_thread import Refusals, WritingThread

LOGGER = logging.getLogger("sensecheck.store")
AT_ONCE = 500
"""As many entries go into one transaction."""
CHARACTERS_AT_ONCE = 8_000_000


class Draining:
    """Goes on a step at a time, and never waits for the database."""

    def __init__(self, spool: Spool, database: WritingThread) -> None:
        self._spool = spool
        self._database = database
        self._under_way: tuple[Future[Refusals], list[Spooled]] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing waits, and nothing is under way."""
        return self._spool.waiting == 0 and self._under_way is None

    def settle(self) -> None:
        """Let go of what the database has by now."""
        if self._under_way is not None and self._under_way[0].done():
            self._let_go(*self._under_way)
            self._under_way = None

    def step(self) -> None:
        """Let go of what the database has by now, and hand it what comes next, if it may be tried."""
        self.settle()
        if self._spool.waiting == 0 or self._database.busy or self._database.rest > 0:
            return
        try:
            head = self._spool.first(AT_ONCE, characters=CHARACTERS_AT_ONCE)
        except NotKept as wrong:
            LOGGER.error("what waits in the spool stays there: %s", wrong)  # noqa: TRY400 - it says all
            self._database.failed("what waits before all others cannot be had")
            return
        if head:
            self._under_way = (self._database.begin([one.entry for one in head]), head)

    def _let_go(self, write: "Future[Refusals]", head: list[Spooled]) -> None:
        """They leave the spool only now: the database has committed them."""
        refused = self._database.settled(write)
        if refused is None:
            return
        try:
            for one in head:
                if (why := refused.get(one.entry.message.id)) is not None:
                    self._spool.put_aside(one.number, f"the database refuses it: {why}")
        except NotKept:
            self._database.failed("what was refused cannot be set aside: the disk of the spool is full")
            return
        self._spool.leave([one for one in head if one.entry.message.id not in refused])
