"""The thread that writes to the database, and entries that the database refuses.

No one waits for the database longer than they want to; an entry that is refused for what it holds is kept
apart from those written with it.
"""

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from time import monotonic

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, SQLAlchemyError, StatementError

from sensecheck.core.errors import SensecheckError
from sensecheck.io.retry import RetryPolicy
from sensecheck.store.retry import is_away
from sensecheck.store.service.records import Entry

Write = Callable[[Sequence[Entry]], None]
_ENTRY_STATES = ("22", "23", "54")
"""What PostgreSQL says of values: they are malformed, break a rule, or are too large."""
_CONVERSION_ERRORS = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError)
"""What Python says of values that cannot be brought into a form for the database."""
LOGGER = logging.getLogger("sensecheck.store")
RETRIES = RetryPolicy(first_pause=0.1, max_pause=2.0)
"""A write that no one hears of is given up after 7 seconds: so all is well 10 after the database is."""
LATE = 3.0
"""Seconds after which a write is not worth waiting for any more, though it may still succeed."""
Refusals = dict[str, str]
_Job = tuple[Sequence[Entry], "Future[Refusals]"]


class WritingThread:
    """One write at a time; after a failure the database is left alone for a while, longer each time."""

    def __init__(self, write: Write, wake: Callable[[], None]) -> None:
        self._write = write
        self._wake = wake
        """Called when a write comes to its end, from the thread that wrote."""
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._under_way: Future[Refusals] | None = None
        self._failures = 0
        self._not_before = 0.0
        self.answers = True
        """Whether it did, when it was last written to."""
        self._began = 0.0
        self._thread = Thread(target=self._work, name="sensecheck writes", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout: float) -> None:
        """End, after what is under way; it may take as long as it likes, so it is waited for only so long."""
        self._jobs.put(None)
        self._thread.join(timeout)

    @property
    def busy(self) -> bool:
        """Whether a write has not come to its end; it may still succeed."""
        return self._under_way is not None and not self._under_way.done()

    @property
    def rest(self) -> float:
        """Seconds until the database may be tried again."""
        return max(0.0, self._not_before - monotonic())

    def begin(self, entries: Sequence[Entry]) -> "Future[Refusals]":
        """Write these; whoever calls knows that nothing is under way."""
        write: Future[Refusals] = Future()
        write.set_running_or_notify_cancel()
        write.add_done_callback(lambda _: self._wake())
        self._under_way, self._began = write, monotonic()
        self._jobs.put((entries, write))
        return write

    def wait(self, seconds: float) -> None:
        """Wait for what is under way, as long as the database answers."""
        if self._under_way is None or not self.answers:
            return
        try:
            self._under_way.exception(seconds)
        except TimeoutError:
            self.answers = monotonic() < self._began + LATE

    def settled(self, done: "Future[Refusals]") -> Refusals | None:
        """Why entries were refused, of a write that came to its end; None when the database is away."""
        error = done.exception()
        if error is not None:
            self.failed(error_code(error))
            return None
        if self._failures:
            LOGGER.warning("the database answers again")
        self._failures = 0
        self.answers = True
        return done.result()

    def failed(self, why: str) -> None:
        """Leave the database alone for a while."""
        self._failures += 1
        pause = RETRIES.pause(self._failures)
        LOGGER.warning("the database is not written to for %.1f s: %s", pause, why)
        self.answers = False
        self._not_before = monotonic() + pause

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            entries, future = job
            try:
                future.set_result(write_apart(self._write, entries))
            except Exception as error:  # noqa: BLE001 - the waiting caller gets the error
                future.set_exception(error)


def write_apart(write: Write, entries: Sequence[Entry]) -> dict[str, str]:
    """Write all that the database takes; why it refused the others, by the ids of their messages.

    Any other error is raised: the database is away, or not as it should be, and all may be written again.
    """
    try:
        write(entries)
    except (SQLAlchemyError, SensecheckError, *_CONVERSION_ERRORS) as error:
        if not is_refusal(error):
            raise
        if len(entries) == 1:
            return {entries[0].message.id: error_code(error)}
    else:
        return {}
    middle = len(entries) // 2
    return write_apart(write, entries[:middle]) | write_apart(write, entries[middle:])


def is_refusal(wrong: BaseException) -> bool:
    """Whether an error is about the entry, rather than about the database as it is now.

    A table that is missing, a full disk, a server that only reads for now: mended, the same entry is taken.
    """
    if isinstance(wrong, IntegrityError | DataError):
        return True
    if not isinstance(wrong, DBAPIError):
        orig = wrong.orig if isinstance(wrong, StatementError) else wrong
        return isinstance(orig, _CONVERSION_ERRORS)
    state = getattr(wrong.orig, "sqlstate", None)
    if state is not None:
        return str(state).startswith(_ENTRY_STATES)
    return not is_away(wrong) and "psycopg" in type(wrong.orig).__module__


def error_code(wrong: BaseException) -> str:
    """What went wrong, without a word of what the entry holds: databases like to repeat values."""
    orig = getattr(wrong, "orig", None) or wrong
    state = getattr(orig, "sqlstate", None) or getattr(orig, "sqlite_errorname", None)
    return type(orig).__name__ if state is None else f"{type(orig).__name__} {state}"
