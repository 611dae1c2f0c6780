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
        self.stored.set_running_or_notify_cancel()  # a caller that stops waiting does not undo it


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
        """How long to sleep without new entries: for ever, unless something waits in the spool."""
        if self._spool.waiting == 0 or self._database.busy:
            return None  # the end of a write wakes us
        return self._database.rest

    def _keep(self, batch: list[PendingEntry]) -> None:
        """Store a batch in the database, or in the spool if that is away; wait a little while it drains.

        Without the wait, clients released at the speed of the spool would fill it faster than it drains.
        """
        if not batch:
            return
        self._database.wait(self._hurry)
        self._drain.settle()
        direct = self._drain.over and not self._database.busy and self._database.rest == 0
        refusals = self._write([pending.entry for pending in batch]) if direct else None
        if refusals is None:
            self._spool_entries(batch)
        else:
            _resolve(batch, refusals)

    def _write(self, entries: list[Entry]) -> Refusals | None:
        """Which entries the database refused; None when no one knows whether it has them."""
        write = self._database.begin(entries)
        try:
            write.exception(self._hurry)
        except TimeoutError:
            self._database.failed(f"it took more than {self._hurry:g} s")
            return None
        return self._database.settled(write)

    def _spool_entries(self, batch: list[PendingEntry]) -> None:
        """Add a batch to the spool; an entry that cannot be written as text fails alone."""
        try:
            self._spool.add([pending.entry for pending in batch])
        except StorageFull as full:
            LOGGER.error("%d entries are not stored: %s", len(batch), full)  # noqa: TRY400 - it says all
            _fail(batch, full)
        except (TypeError, ValueError) as error:
            if len(batch) > 1:
                for pending in batch:
                    self._spool_entries([pending])
            else:
                _resolve(batch, {batch[0].entry.message.id: type(error).__name__})
        else:
            self.spooled_total += len(batch)
            _resolve(batch, {})

    def _finish(self, until: float) -> None:
        """Empty the spool while there is time, and as long as the database answers.

        A database that failed a moment ago is tried once more.
        """
        if not self._drain.over and self._database.rest <= LAST_REST:
            sleep(min(self._database.rest, max(0.0, until - monotonic())))
        while not self._drain.over and self._database.rest == 0 and (seconds_left := until - monotonic()) > 0:
            self._drain.step()
            if self._database.busy:
                self._queue.awaited(seconds_left)
        self._drain.step()

    def _refuse_rest(self) -> None:
        """Fail all entries that are left, so that no caller waits for ever."""
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
            self._under_way = (self._database.begin([spooled.entry for spooled in head]), head)

    def _let_go(self, write: "Future[Refusals]", head: list[Spooled]) -> None:
        """Remove the entries from the spool once the database has committed them."""
        refusals = self._database.settled(write)
        if refusals is None:
            return
        try:
            for spooled in head:
                if (reason := refusals.get(spooled.entry.message.id)) is not None:
                    self._spool.put_aside(spooled.number, f"the database refuses it: {reason}")
        except StorageError:
            self._database.failed("what was refused cannot be set aside: the disk of the spool is full")
            return
        self._spool.leave([spooled for spooled in head if spooled.entry.message.id not in refusals])


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
        batch = self._in_hand = []  # from the first one on: whatever happens, they get a result
        characters = 0
        pending = self.awaited(seconds)
        while True:
            if pending is not None:
                batch.append(pending)
                characters += _characters(pending.entry)
            if self._queue.empty() or len(batch) >= BATCH_SIZE or characters >= BATCH_CHARS:
                return batch
            pending = self._queue.get()

    def awaited(self, seconds: float | None) -> PendingEntry | None:
        """Who comes next; None where no one does in so many seconds, or the thread is only woken."""
        try:
            return self._queue.get(timeout=seconds)
        except Empty:
            return None

    def left(self) -> list[PendingEntry]:
        """All that have no result yet: those in hand, and those that still wait here."""
        unresolved = [pending for pending in self._in_hand if not pending.stored.done()]
        while not self._queue.empty():
            if (pending := self._queue.get()) is not None:
                unresolved.append(pending)
        return unresolved


def _resolve(batch: list[PendingEntry], refusals: Refusals) -> None:
    """Tell the callers that their entries are stored, or why not."""
    for pending in batch:
        reason = refusals.get(pending.entry.message.id)
        if reason is None:
            pending.stored.set_result(None)
        else:
            LOGGER.error("the message %s is refused: %s", pending.entry.message.id, reason)
            pending.stored.set_exception(StorageError(f"the message is refused: {reason}"))


def _fail(batch: list[PendingEntry], error: StorageError) -> None:
    """Fail each entry with an error of its own, since raising an error changes it."""
    for pending in batch:
        pending.stored.set_exception(type(error)(*error.args))


def _characters(entry: Entry) -> int:
    """About how many an entry holds, all in all."""
    count = len(entry.message.user_message or "") + len(entry.message.assistant_response)
    candidate = entry.candidate
    return count if candidate is None else count + len(candidate.answer) + len(candidate.passage)
