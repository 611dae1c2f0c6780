"""Trying again: how often, after which pauses, and when to stop asking for a while or for good.

Nothing here does I/O. Clocks and sleeps are arguments, so that tests pass their own and wait for nothing.
"""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from threading import Lock
from typing import TypeVar

T = TypeVar("T")
E = TypeVar("E", bound=Exception)
_MAX_DOUBLINGS = 60
"""Any pause has reached its limit by then; 2.0 ** 1024 is no number."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often something is tried, and how long the pauses are: each is twice the one before."""

    first_pause: float
    """Seconds after the first attempt that failed."""
    max_pause: float
    """Seconds; the same as `first_pause` where all pauses are of one length."""
    attempts: int | None = None
    """How many in all, with the first one; None for as many as there is time for."""
    seconds: float | None = None
    """No attempt begins later than this after the first one; None for no such limit."""
    jitter: float = 0.0
    """The share of a pause that chance may take off, so that not all come back at the same moment."""
    max_retry_after: float = 120.0
    """A server that asks for a longer pause, in seconds, is not tried again."""

    def pause(self, tried: int, *, chance: Callable[[], float] = random.random) -> float:
        """Seconds to wait after N attempts that failed, whatever the limits."""
        doubled = self.first_pause * 2.0 ** min(tried - 1, _MAX_DOUBLINGS)
        return min(doubled, self.max_pause) * (1.0 - self.jitter * chance())

    def next_pause(
        self,
        tried: int,
        *,
        elapsed: float = 0.0,
        retry_after: float | None = None,
        chance: Callable[[], float] = random.random,
    ) -> float | None:
        """Seconds until the next attempt, or None to give up.

        `elapsed` is how long ago the first attempt began; `retry_after` is what a server asks for, which
        counts in place of our own pause.
        """
        if self.attempts is not None and tried >= self.attempts:
            return None
        if retry_after is not None and retry_after > self.max_retry_after:
            return None
        pause = self.pause(tried, chance=chance) if retry_after is None else retry_after
        return None if self.seconds is not None and elapsed + pause > self.seconds else pause


def run_with_retries(
    policy: RetryPolicy,
    work: Callable[[], T],
    *,
    errors: type[E] | tuple[type[E], ...],
    is_transient: Callable[[E], bool] = lambda error: True,
    before_pause: Callable[[E, float], None] = lambda error, pause: None,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> T:
    """What the work returns, tried again after errors that may pass; the last error is raised as it came.

    Work that is tried again must bear being done twice.
    """
    began, tried = clock(), 0
    while True:
        try:
            return work()
        except errors as error:
            tried += 1
            pause = policy.next_pause(tried, elapsed=clock() - began) if is_transient(error) else None
            if pause is None:
                raise
            before_pause(error, pause)
        sleep(pause)


async def run_with_retries_async(
    policy: RetryPolicy,
    work: Callable[[], Awaitable[T]],
    *,
    errors: type[E] | tuple[type[E], ...],
    sleep: Callable[[float], Awaitable[None]],
    is_transient: Callable[[E], bool] = lambda error: True,
    before_pause: Callable[[E, float], None] = lambda error, pause: None,
    clock: Callable[[], float] = time.monotonic,
) -> T:
    """The same for work that is awaited; whoever cancels it cancels the pauses as well."""
    began, tried = clock(), 0
    while True:
        try:
            return await work()
        except errors as error:
            tried += 1
            pause = policy.next_pause(tried, elapsed=clock() - began) if is_transient(error) else None
            if pause is None:
                raise
            before_pause(error, pause)
        await sleep(pause)


def retry_after_seconds(header: str, *, now: Callable[[], datetime] | None = None) -> float | None:
    """What `Retry-After` asks for, a number of seconds or a date; None when it holds neither."""
    try:
        seconds = float(header)
    except ValueError:
        return _seconds_until(header, now or (lambda: datetime.now(UTC)))
    return seconds if seconds >= 0 else None


def _seconds_until(date: str, now: Callable[[], datetime]) -> float | None:
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - brings sockets, for a rare header

    try:
        parsed = parsedate_to_datetime(date)
    except ValueError:
        return None
    aware = parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    return max(0.0, (aware - now()).total_seconds())


class CircuitBreaker:
    """Lets calls through until too many failed in a row; after a rest, one at a time, until one succeeds."""

    def __init__(
        self, *, failures: int = 5, rest: float = 5.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limit = failures
        self._rest = rest
        self._clock = clock
        self._failed = 0
        self._rests_until = 0.0
        self._probe: int | None = None
        self._numbers = count()

    @property
    def is_open(self) -> bool:
        """Whether too many failed in a row, and none has succeeded since."""
        return self._failed >= self._limit

    def begin(self) -> int | None:
        """The number of a call that may be made now, which must be ended; None while calls are to rest."""
        number = next(self._numbers)
        if self.is_open:
            if self._probe is not None or self._clock() < self._rests_until:
                return None
            self._probe = number
        return number

    def succeeded(self, number: int) -> None:
        """A call went well: all is as in the beginning."""
        self._failed = 0
        self._end(number)

    def failed(self, number: int) -> None:
        """A call went wrong; one that was begun before the rest does not make it longer."""
        if not self.is_open or number == self._probe:
            self._failed += 1
            self._rests_until = self._clock() + self._rest
        self._end(number)

    def abandon(self, number: int) -> None:
        """No one waited for a call: it says nothing, and another may be made in its place."""
        self._end(number)

    def _end(self, number: int) -> None:
        if number == self._probe:
            self._probe = None


class FailureStreak:
    """Counts how many prompts in a row an endpoint failed, and says when to ask it no more; thread-safe.

    It ends after as many prompts as are asked at once when no one is there and no one ever was, and after
    twice as many when the endpoint is slow, broken or has too much to do.
    """

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency
        self._in_a_row = 0
        self._reached = False
        self._stop_reason: str | None = None
        self._counting = Lock()

    @property
    def stopped_because(self) -> str | None:
        """Why nothing more is asked; None as long as something is."""
        return self._stop_reason

    def answered(self) -> None:
        """A prompt got an answer, be it a refusal: asking is worth while."""
        with self._counting:
            self._in_a_row, self._reached = 0, True

    def failed(self, because: str, *, absent: bool = False) -> None:
        """A prompt got none because of the endpoint; `absent` if no one was there to be asked."""
        with self._counting:
            self._in_a_row += 1
            limit = self._concurrency * (1 if absent and not self._reached else 2)
            if self._stop_reason is None and self._in_a_row >= limit:
                self._stop_reason = (
                    f"{because}; not asked after {self._in_a_row} prompts in a row without an answer"
                )
