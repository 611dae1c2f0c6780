"""The database, asked from a loop that never waits for it."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection

from sensecheck.server.problems import STORE_AWAY, Problem
from sensecheck.store.service.service_store import ServiceStore

T = TypeVar("T")
RETRY_AFTER = 2.0
_MISTAKES = (DataError, IntegrityError, NotSupportedError, ProgrammingError)


class StoreDesk:
    """Asks the database in threads of its own, and gives up in time."""

    def __init__(self, store: ServiceStore, *, threads: int = 8, patience: float = 6.0) -> None:
        self.store = store
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="sensecheck-store")
        self._patience = patience
        """Seconds; a little more than the database's own limits, which are meant to come first."""
        self._under_way = 0
        self._most = threads * 16

    async def ask(self, work: Callable[[ServiceStore], T], *, patience: float | None = None) -> T:
        """What the work comes to, or the problem `store-away`."""
        if self._under_way >= self._most:
            raise _away("too many requests wait for the database")
        begun = self._threads.submit(work, self.store)
        self._under_way += 1
        loop = asyncio.get_running_loop()
        # Counted until the thread is free again, which may be long after its caller has left.
        begun.add_done_callback(lambda _: _in_loop(loop, self._one_less))
        try:
            async with asyncio.timeout(self._patience if patience is None else patience):
                return await asyncio.wrap_future(begun)
        except (TimeoutError, NoConnection) as slow:
            raise _away("the database did not answer in time") from slow
        except DBAPIError as broken:
            if _is_mistake(broken):
                raise
            raise _away("the database cannot be reached, or broke off") from broken

    def _one_less(self) -> None:
        self._under_way -= 1

    def close(self) -> None:
        """Wait for nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _is_mistake(wrong: DBAPIError) -> bool:
    """Whether the database speaks of the statement, which is ours, and not of itself."""
    of_sqlite = getattr(wrong.orig, "sqlite_errorname", None) == "SQLITE_ERROR"
    return isinstance(wrong, _MISTAKES) or of_sqlite


def _away(says: str) -> Problem:
    return Problem(STORE_AWAY, says, retry_after=RETRY_AFTER)


def _in_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop has ended, and with it the counting
        loop.call_soon_threadsafe(call)
