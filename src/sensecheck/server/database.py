"""The database and the write queue as coroutines, which never block the event loop.

What was looked up lately, such as fitted policies, is remembered, so that not every request asks for it.
"""

import asyncio
from asyncio import shield, wrap_future
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from time import monotonic
from typing import Generic, TypeVar

from cachetools import LRUCache
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnection

from sensecheck.core.errors import StorageError, StorageFull
from sensecheck.server.caller import Caller
from sensecheck.server.problems import BROKEN, NO_ROOM, NOT_FOUND, STOPPING, STORE_AWAY, Problem
from sensecheck.store.columns import now
from sensecheck.store.service.messages import find_message
from sensecheck.store.service.policies import Items, resolve
from sensecheck.store.service.records import Entry, Message, moment_of
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import WriteQueue

T = TypeVar("T")
RETRY_AFTER = 2.0
_MISTAKES = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
SECONDS_UNTIL_ROOM = 5
"""The database is tried again about so often, and then more can be stored."""
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
SECONDS_WITHOUT_DATABASE = 3600.0
"""While the database is away, what was known so lately is known still."""
PATIENCE = 1.5
_MOST = 10_000
LATELY = timedelta(hours=1)
SOON = 2.0
Say = Callable[[Connection, Message], None]
"""Writes down what is said of a message; within the transaction in which the message was found."""
SECONDS_GOOD = 10.0
"""So long after a new version was fitted, the one before may still be used where none was named."""
Fitted = tuple[str, Items | None, str]
"""One of our policies, the threshold in it, and its name and version."""


class AsyncStore:
    """Runs queries in threads of its own, and gives up in time."""

    def __init__(self, store: ServiceStore, *, threads: int = 8, patience: float = 6.0) -> None:
        self.store = store
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="sensecheck-store")
        self._patience = patience
        """Seconds; a little more than the database's own limits, which should come first."""
        self._under_way = 0
        self._most = threads * 16

    async def ask(self, work: Callable[[ServiceStore], T], *, patience: float | None = None) -> T:
        """What the work comes to, or the problem `store-away`."""
        if self._under_way >= self._most:
            raise _away("too many requests wait for the database")
        future = self._threads.submit(work, self.store)
        self._under_way += 1
        loop = asyncio.get_running_loop()
        # Counted until the thread is free again, which may be long after its caller has left.
        future.add_done_callback(lambda _: _in_loop(loop, self._one_less))
        try:
            async with asyncio.timeout(self._patience if patience is None else patience):
                return await asyncio.wrap_future(future)
        except (TimeoutError, NoConnection) as slow:
            raise _away("the database did not answer in time") from slow
        except DBAPIError as broken:
            if _is_mistake(broken):
                raise
            raise _away("the database cannot be reached, or broke off") from broken

    async def read(self, work: Callable[[Connection], T]) -> T:
        """What the work reads, all of it at one moment."""

        def within(store: ServiceStore) -> T:
            with store.reading() as connection:
                return work(connection)

        return await self.ask(within)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """What the work comes to, in a transaction that writes."""

        def within(store: ServiceStore) -> T:
            with store.writing() as connection:
                return work(connection)

        return await self.ask(within)

    def _one_less(self) -> None:
        self._under_way -= 1

    def close(self) -> None:
        """Wait for nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class AsyncWriteQueue:
    """The write queue as a coroutine, for the routes."""

    def __init__(self, queue: WriteQueue) -> None:
        self.queue = queue
        self._was_full = float("-inf")
        """When somebody was last turned away because the spool was full."""

    async def keep(self, entry: Entry) -> None:
        """Keep an entry: it is on a disk when this returns. A client that leaves meanwhile undoes nothing."""
        try:
            await shield(wrap_future(self.queue.keep(entry)))
        except StorageFull as full:
            self._was_full = monotonic()
            raise Problem(
                NO_ROOM,
                "the database does not answer, and no more can wait for it here",
                retry_after=SECONDS_UNTIL_ROOM,
            ) from full
        except StorageError as wrong:
            if self.queue.alive:
                raise Problem(BROKEN, "the message could not be stored") from wrong
            raise Problem(STOPPING, "the service keeps nothing more", retry_after=1) from wrong

    @property
    def has_room(self) -> bool:
        """Whether nobody was turned away of late; later, somebody has to try."""
        return monotonic() - self._was_full > SECONDS_UNTIL_ROOM


async def say_of_message(
    database: AsyncStore, write_queue: AsyncWriteQueue, caller: Caller, message_id: str, say: Say
) -> Message:
    """Keep what the caller says of a message, and return it; a problem where it is not theirs."""

    def keep(connection: Connection) -> Message:
        message = message_for(connection, caller, message_id, waiting=write_queue.queue.waiting)
        say(connection, message)
        return message

    return await database.write(keep)


def message_for(connection: Connection, caller: Caller, message_id: str, *, waiting: int) -> Message:
    """The message, if the caller may speak of it; others are as if they did not exist.

    A key in a page speaks of its own messages alone. While messages are `waiting` here for the database, one
    that was sent lately may be among them.
    """
    message = find_message(connection, caller.key.project, message_id)
    if message is None and waiting and _is_new(message_id):
        says = "messages wait here to be written to the database, and this may be one of them"
        raise Problem(STORE_AWAY, says, retry_after=SOON)
    if message is None or (caller.key.kind == "publishable" and message.api_key != caller.key.id):
        raise Problem(NOT_FOUND, "there is no such message, or it is no longer stored")
    return message


@dataclass(frozen=True, slots=True)
class _CacheEntry(Generic[V]):
    value: V | None
    at: float


class LookupCache(Generic[K, V]):
    """Finds things by name; what many want at once is looked up once, and nobody waits twice in vain."""

    def __init__(
        self,
        database: AsyncStore,
        look_up: Callable[[ServiceStore, K], V | None],
        *,
        good: float,
        missing: float = 0.0,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._database, self._look_up = database, look_up
        self._good, self._missing = good, missing
        """Seconds for which it is believed that a thing is as it was, or that there is none."""
        self._clock = clock
        self._entries: LRUCache[K, _CacheEntry[V]] = LRUCache(_MOST)
        self._lookups: dict[K, asyncio.Task[V | Problem | None]] = {}
        """Lookups under way: whoever wants the same waits for the same one."""
        self._away = False

    def remembers(self, name: K) -> bool:
        """Whether this is known without the database."""
        return (entry := self._entries.get(name)) is not None and self._fresh(entry)

    async def find(self, name: K) -> V | None:
        """What has this name; None where nothing has. Raises `store-away` where only the database knows."""
        entry = self._entries.get(name)
        if entry is not None and self._fresh(entry):
            return entry.value
        cached = None if entry is None or self._age(entry) >= SECONDS_WITHOUT_DATABASE else entry.value
        lookup = self._lookups.get(name) or self._ask(name)
        if cached is not None and self._away:
            return cached  # no caller waits for a database that did not answer the lookup before
        result = await asyncio.shield(lookup)
        if not isinstance(result, Problem):
            return result
        if cached is not None and result.kind is STORE_AWAY:
            return cached
        raise Problem(result.kind, result.detail, retry_after=result.retry_after)

    def _age(self, entry: _CacheEntry[V]) -> float:
        return self._clock() - entry.at

    def _fresh(self, entry: _CacheEntry[V]) -> bool:
        return self._age(entry) < (self._missing if entry.value is None else self._good)

    def _ask(self, name: K) -> "asyncio.Task[V | Problem | None]":
        lookup = self._lookups[name] = asyncio.create_task(self._answer(name))
        lookup.add_done_callback(lambda _: self._lookups.pop(name, None))
        return lookup

    async def _answer(self, name: K) -> V | Problem | None:
        try:
            value = await self._database.ask(lambda store: self._look_up(store, name), patience=PATIENCE)
        except Problem as problem:
            self._away = problem.kind is STORE_AWAY
            return problem
        self._away = False
        self._entries[name] = _CacheEntry(value, self._clock())
        return value


KnownPolicies = LookupCache[tuple[int, str], Fitted]
"""The policies of projects, by project and name."""


def known_policies(database: AsyncStore, clock: Callable[[], float] = monotonic) -> KnownPolicies:
    """What finds the policies of projects, in this database."""
    return LookupCache(database, lambda store, key: resolve(store, *key), good=SECONDS_GOOD, clock=clock)


def _away(says: str) -> Problem:
    return Problem(STORE_AWAY, says, retry_after=RETRY_AFTER)


def _in_loop(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    with suppress(RuntimeError):  # the loop has ended, and with it the counting
        loop.call_soon_threadsafe(call)


def _is_mistake(wrong: DBAPIError) -> bool:
    """Whether the database speaks of the statement, which is ours, and not of itself."""
    of_sqlite = getattr(wrong.orig, "sqlite_errorname", None) == "SQLITE_ERROR"
    return isinstance(wrong, _MISTAKES) or of_sqlite


def _is_new(message_id: str) -> bool:
    at = moment_of(message_id)
    return at is not None and now() - at < LATELY
