"""Acknowledged writes: in the database, or on this machine until the database has them.

keep ──▶ queue ─┬─▶ database                while it answers: all that wait go into one transaction
                └─▶ spool ──▶ database      else: on the disk first; oldest first, once the database answers

An entry may be written to the database twice, when no one knows whether the first time succeeded. It has an
id of its own, so the second time changes nothing.
"""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic, sleep
from typing import Protocol

from sensecheck.core.errors import StorageError, StorageFull
from sensecheck.store.service.records import Entry
from sensecheck.store.service.spool import Spool, Spooled
from sensecheck.store.service.writer import Refusals, WritingThread

LOGGER = logging.getLogger("sensecheck.store")
BATCH_SIZE = 500
"""As many entries go into one transaction."""
BATCH_CHARS = 8_000_000
MAX_WAITING = 20_000
"""More never wait in memory; a service that gets more requests refuses them long before."""
HURRY = 1.0
"""Seconds that the database may take before an entry goes to the spool instead."""
LAST_REST = 1.0
"""Seconds that a queue which is stopped waits for a database that is left alone for so long at most."""


@dataclass(frozen=True, slots=True, eq=False)
class PendingEntry:
    """An entry that is to be stored, and whoever waits for that."""

    entry: Entry
    stored: "Future[None]" = field(default_factory=Future)

    def __post_init__(self) -> None:
        self.stored.set_running_or_notify_cancel()  # whoever leaves does not undo it


class Database(Protocol):
    """Where entries belong."""

    def write(self, entries: Sequence[Entry], /) -> None:
        """All of them, or none; one that is there already changes nothing."""


class WriteQueue:
    """A thread that stores entries; any other thread may hand them over."""

    def __init__(self, database: Database, spool: Spool, *, hurry: float = HURRY) -> None:
        self._queue = EntryQueue()
        self._database = WritingThread(database.write, wake=self._queue.wake)
        self._spool = spool
        self._drain = SpoolDrain(spool, self._database)
        self._hurry = hurry
        self._until: float | None = None
        """When the thread must have ended; None while no one wants it to."""
        self._lock = Lock()
        self._thread = Thread(target=self._run, name="sensecheck keeper", daemon=True)
        self.spooled_total = 0
        """How many entries went to the spool, since the start."""
        self._ended: Future[None] = Future()
        """Holds what ended it before its time, if anything did."""

    @property
    def waiting(self) -> int:
        """How many entries are in the spool, and not yet in the database."""
        return self._spool.waiting

    @property
    def set_aside(self) -> int:
        """How many entries wait in the spool for a person to look at them."""
        return self._spool.set_aside

    @property
    def alive(self) -> bool:
        """Whether anything can be stored."""
        return self._thread.is_alive() and self._until is None

    def start(self) -> None:
        """Begin, with what a process that was killed left in the spool."""
        if self._spool.waiting:
            LOGGER.warning("%d entries of an earlier process wait in the spool", self._spool.waiting)
        self._database.start()
        self._thread.start()

    def stop(self, timeout: float = 10.0) -> bool:
        """Take nothing more, keep what was taken, empty the spool if the database answers; whether it ended.

        If not, the thread still waits for the disk, and the spool must not be closed.
        """
        with self._lock:
            self._until = monotonic() + timeout
        self._queue.wake()
        self._thread.join(timeout + 2 * self._hurry)
        return not self._thread.is_alive()

    def keep(self, entry: Entry) -> "Future[None]":
        """Store an entry; done once it is in the database or spool, `StorageError` if it is in neither."""
        pending = PendingEntry(entry)
        with self._lock:
            if not self.alive:
                pending.stored.set_exception(
                    StorageError("nothing is stored any more: the write queue has ended")
                )
            elif len(self._queue) >= MAX_WAITING:
                pending.stored.set_exception(StorageFull(f"{MAX_WAITING} entries wait to be stored already"))
            else:
                self._queue.join(pending)
        return pending.stored

    def _run(self) -> None:
        try:
            while self._until is None or self._queue:
                self._keep(self._queue.taken(self._patience()))
                self._drain.step()
            self._finish(self._until)
        except Exception as error:
            # Not raised again: Python would print its words, which may be those that people wrote.
            LOGGER.critical(
                "the write queue has ended; nothing is stored until the service is restarted", exc_info=error
            )
            self._ended.set_exception(error)
        finally:
            self._refuse_rest()

    def _patience(self) -> float | None:
        """How long to sleep if no one comes: for ever, unless something waits in the spool."""
        if self._spool.waiting == 0 or self._database.busy:
            return None  # the end of a write wakes us
        return self._database.rest

    def _keep(self, taken: list[PendingEntry]) -> None:
        """In the database, if no one is before them; those who come while the spool is emptied wait a little.

        Else clients that are let go at the speed of the spool would fill it faster than it can be emptied.
        """
        if not taken:
            return
        self._database.wait(self._hurry)
        self._drain.settle()
        direct = self._drain.over and not self._database.busy and self._database.rest == 0
        refused = self._write([one.entry for one in taken]) if direct else None
        if refused is None:
            self._spool_entries(taken)
        else:
            _resolve(taken, refused)

    def _write(self, entries: list[Entry]) -> Refusals | None:
        """Which entries the database refused; None when no one knows whether it has them."""
        write = self._database.begin(entries)
        try:
            write.exception(self._hurry)
        except TimeoutError:
            self._database.failed(f"it took more than {self._hurry:g} s")
            return None
        return self._database.settled(write)

    def _spool_entries(self, taken: list[PendingEntry]) -> None:
        """Into the spool; one that cannot be written as text does not take the others with it."""
        try:
            self._spool.add([one.entry for one in taken])
        except StorageFull as full:
            LOGGER.error("%d entries are not stored: %s", len(taken), full)  # noqa: TRY400 - it says all
            _fail(taken, full)
        except (TypeError, ValueError) as error:
            if len(taken) > 1:
                for one in taken:
                    self._spool_entries([one])
            else:
                _resolve(taken, {taken[0].entry.message.id: type(error).__name__})
        else:
            self.spooled_total += len(taken)
            _resolve(taken, {})

    def _finish(self, until: float) -> None:
        """Empty the spool while there is time, and as long as the database answers.

        One that was given up a moment ago is tried once more.
        """
        if not self._drain.over and self._database.rest <= LAST_REST:
            sleep(min(self._database.rest, max(0.0, until - monotonic())))
        while not self._drain.over and self._database.rest == 0 and (left := until - monotonic()) > 0:
            self._drain.step()
            if self._database.busy:
                self._queue.awaited(left)
        self._drain.step()

    def _refuse_rest(self) -> None:
        """Whatever ended us: no one waits for ever."""
        with self._lock:
            self._until = self._until or monotonic()
        self._database.stop(self._hurry)
        _fail(self._queue.left(), StorageError("nothing is stored any more: the write queue has ended"))


class SpoolDrain:
    """Moves entries from the spool to the database, a step at a time, and never waits for it."""

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
            head = self._spool.first(BATCH_SIZE, characters=BATCH_CHARS)
        except StorageError as error:
            LOGGER.error("what waits in the spool stays there: %s", error)  # noqa: TRY400 - it says all
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
        except StorageError:
            self._database.failed("what was refused cannot be set aside: the disk of the spool is full")
            return
        self._spool.leave([one for one in head if one.entry.message.id not in refused])


class EntryQueue:
    """Entries in the order in which they came; one thread takes those that go into one transaction."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[PendingEntry | None] = SimpleQueue()
        """None only wakes the thread."""
        self._in_hand: list[PendingEntry] = []
        """Those that the thread has taken, the last time it did."""

    def __len__(self) -> int:
        return self._queue.qsize()

    def join(self, one: PendingEntry) -> None:
        """Wait at the end."""
        self._queue.put(one)

    def wake(self) -> None:
        """Let the thread look whether something else is to do."""
        self._queue.put(None)

    def taken(self, seconds: float | None) -> list[PendingEntry]:
        """Those at the head, as far as they go into one transaction; none where no one comes in so many
        seconds, or the thread is only woken.
        """
        taken = self._in_hand = []  # from the first one on: whatever happens, they get a result
        characters = 0
        one = self.awaited(seconds)
        while True:
            if one is not None:
                taken.append(one)
                characters += _characters(one.entry)
            if self._queue.empty() or len(taken) >= BATCH_SIZE or characters >= BATCH_CHARS:
                return taken
            one = self._queue.get()

    def awaited(self, seconds: float | None) -> PendingEntry | None:
        """Who comes next; None where no one does in so many seconds, or the thread is only woken."""
        try:
            return self._queue.get(timeout=seconds)
        except Empty:
            return None

    def left(self) -> list[PendingEntry]:
        """All that have no result yet: those in hand, and those that still wait here."""
        left = [one for one in self._in_hand if not one.stored.done()]
        while not self._queue.empty():
            if (one := self._queue.get()) is not None:
                left.append(one)
        return left


def _resolve(taken: list[PendingEntry], refused: Refusals) -> None:
    """Let those who wait know that it is stored, or why not."""
    for one in taken:
        why = refused.get(one.entry.message.id)
        if why is None:
            one.stored.set_result(None)
        else:
            LOGGER.error("the message %s is refused: %s", one.entry.message.id, why)
            one.stored.set_exception(StorageError(f"the message is refused: {why}"))


def _fail(taken: list[PendingEntry], wrong: StorageError) -> None:
    """Each gets an error of its own, since whoever raises one writes into it."""
    for one in taken:
        one.stored.set_exception(type(wrong)(*wrong.args))


def _characters(entry: Entry) -> int:
    """About how many an entry holds, all in all."""
    count = len(entry.message.user_message or "") + len(entry.message.assistant_response)
    candidate = entry.candidate
    return count if candidate is None else count + len(candidate.answer) + len(candidate.passage)
