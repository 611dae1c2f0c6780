"""Trying again: pauses, limits, and when somebody is left alone; nobody sleeps for it here."""

import asyncio
from datetime import UTC, datetime

import pytest

from sensecheck.io.retry import (
    CircuitBreaker,
    FailureStreak,
    RetryPolicy,
    retry_after_seconds,
    run_with_retries,
    run_with_retries_async,
)


class FakeTime:
    """A clock that only a sleep, or a test, moves on."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.pauses: list[float] = []

    def __call__(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.seconds += seconds

    async def sleep_async(self, seconds: float) -> None:
        self.sleep(seconds)


class Flaky:
    """Work that fails so many times, each of which takes so long, and then succeeds."""

    def __init__(self, failures: int, *, time: FakeTime | None = None, takes: float = 0.0) -> None:
        self.left, self.calls = failures, 0
        self._time, self._takes = time or FakeTime(), takes

    def __call__(self) -> str:
        self.calls += 1
        self._time.seconds += self._takes
        if self.left:
            self.left -= 1
            raise ConnectionError(f"failure {self.calls}")
        return "done"

    async def awaited(self) -> str:
        return self()


def test_pauses_double_up_to_the_longest() -> None:
    policy = RetryPolicy(first_pause=0.5, max_pause=8.0)

    assert [policy.pause(tried) for tried in range(1, 8)] == [0.5, 1, 2, 4, 8, 8, 8]
    assert policy.pause(5000) == 8


def test_chance_takes_off_no_more_than_its_share() -> None:
    policy = RetryPolicy(first_pause=4.0, max_pause=4.0, jitter=0.25)

    assert policy.pause(1, chance=lambda: 0.0) == 4
    assert policy.pause(1, chance=lambda: 1.0) == 3
    assert all(3 <= policy.pause(1) <= 4 for _ in range(100))


def test_a_server_that_names_a_time_is_asked_then_unless_that_is_too_late() -> None:
    policy = RetryPolicy(first_pause=0.5, max_pause=8.0, attempts=3, max_retry_after=120.0)

    assert policy.next_pause(1, retry_after=0.0) == 0
    assert policy.next_pause(2, retry_after=120.0) == 120
    assert policy.next_pause(2, retry_after=120.1) is None
    assert policy.next_pause(2, retry_after=float("inf")) is None
    assert policy.next_pause(3, retry_after=1.0) is None


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-1", None),
        ("nan", None),
        ("", None),
        ("soon", None),
        ("Mon, 01 Jan 2024 00:00:30 GMT", 30.0),
        ("Mon, 01 Jan 2024 00:00:30 -0000", 30.0),
        ("Sun, 31 Dec 2023 23:59:00 GMT", 0.0),
    ],
)
def test_a_header_holds_seconds_or_a_date(header: str, seconds: float | None) -> None:
    found = retry_after_seconds(header, now=lambda: datetime(2024, 1, 1, tzinfo=UTC))

    assert found == seconds


def test_work_is_tried_until_it_succeeds() -> None:
    time, work = FakeTime(), Flaky(3)
    policy = RetryPolicy(first_pause=0.1, max_pause=0.3)
    said: list[str] = []

    done = run_with_retries(
        policy,
        work,
        errors=ConnectionError,
        before_pause=lambda error, pause: said.append(f"{error}, {pause:g} s"),
        clock=time,
        sleep=time.sleep,
    )

    assert done == "done"
    assert time.pauses == [0.1, 0.2, 0.3]
    assert said == ["failure 1, 0.1 s", "failure 2, 0.2 s", "failure 3, 0.3 s"]


def test_the_last_error_is_raised_when_the_attempts_are_used_up() -> None:
    time, work = FakeTime(), Flaky(9)
    policy = RetryPolicy(first_pause=1.0, max_pause=1.0, attempts=3)

    with pytest.raises(ConnectionError, match="failure 3"):
        run_with_retries(policy, work, errors=ConnectionError, clock=time, sleep=time.sleep)

    assert time.pauses == [1, 1]


def test_no_attempt_begins_after_the_time_is_up() -> None:
    time = FakeTime()
    work = Flaky(99, time=time, takes=2.0)
    policy = RetryPolicy(first_pause=1.0, max_pause=1.0, seconds=8.9)

    with pytest.raises(ConnectionError, match="failure 3"):
        run_with_retries(policy, work, errors=ConnectionError, clock=time, sleep=time.sleep)

    assert time.seconds == 8  # the next one would begin at 9


def test_errors_that_do_not_pass_are_raised_at_once() -> None:
    time, work = FakeTime(), Flaky(9)
    policy = RetryPolicy(first_pause=1.0, max_pause=1.0)

    with pytest.raises(ConnectionError, match="failure 2"):
        run_with_retries(
            policy,
            work,
            errors=ConnectionError,
            is_transient=lambda error: "1" in str(error),
            clock=time,
            sleep=time.sleep,
        )
    with pytest.raises(ConnectionError, match="failure 3"):
        run_with_retries(policy, work, errors=TimeoutError, clock=time, sleep=time.sleep)
    assert time.pauses == [1]


def test_awaited_work_is_tried_alike() -> None:
    time, work = FakeTime(), Flaky(2)
    policy = RetryPolicy(first_pause=1.0, max_pause=9.0, attempts=3)

    def run() -> str:
        return asyncio.run(
            run_with_retries_async(
                policy, work.awaited, errors=ConnectionError, clock=time, sleep=time.sleep_async
            )
        )

    assert run() == "done"
    assert time.pauses == [1, 2]
    work.left = 9
    with pytest.raises(ConnectionError, match="failure 6"):
        run()


def begun(breaker: CircuitBreaker) -> int:
    number = breaker.begin()
    assert number is not None
    return number


def test_it_opens_only_when_enough_fail_in_a_row() -> None:
    breaker = CircuitBreaker(failures=3, clock=FakeTime())
    for _ in range(2):
        breaker.failed(begun(breaker))
    breaker.succeeded(begun(breaker))
    for _ in range(2):
        breaker.failed(begun(breaker))

    assert not breaker.is_open
    breaker.failed(begun(breaker))
    assert breaker.is_open
    assert breaker.begin() is None


def test_after_the_rest_one_call_is_let_through_at_a_time() -> None:
    clock = FakeTime()
    breaker = CircuitBreaker(failures=1, rest=10, clock=clock)
    breaker.failed(begun(breaker))
    clock.seconds = 9.9
    assert breaker.begin() is None
    clock.seconds = 10
    probe = begun(breaker)
    assert breaker.begin() is None
    breaker.failed(probe)
    clock.seconds = 19.9
    assert breaker.begin() is None
    clock.seconds = 20
    breaker.succeeded(begun(breaker))
    assert not breaker.is_open
    begun(breaker)
    begun(breaker)


def test_a_probe_that_nobody_waits_for_makes_room_for_another() -> None:
    clock = FakeTime()
    breaker = CircuitBreaker(failures=1, rest=10, clock=clock)
    breaker.failed(begun(breaker))
    clock.seconds = 10
    breaker.abandon(begun(breaker))

    assert breaker.is_open
    begun(breaker)


def test_calls_from_before_the_rest_neither_lengthen_it_nor_end_the_probe() -> None:
    clock = FakeTime()
    breaker = CircuitBreaker(failures=1, rest=10, clock=clock)
    early, late = begun(breaker), begun(breaker)
    breaker.failed(begun(breaker))
    clock.seconds = 8
    breaker.failed(early)
    clock.seconds = 10
    probe = begun(breaker)
    breaker.abandon(late)
    assert breaker.begin() is None
    breaker.succeeded(probe)
    assert not breaker.is_open


ABSENT, BUSY, ANSWER = "nobody is there", "too much to do", None


def ended_after(concurrency: int, heard: list[str | None]) -> int | None:
    """After how many prompts nothing more is asked."""
    streak = FailureStreak(concurrency)
    for number, failure in enumerate(heard, 1):
        if failure is None:
            streak.answered()
        else:
            streak.failed(failure, absent=failure == ABSENT)
        if streak.stopped_because:
            return number
    return None


@pytest.mark.parametrize(
    ("heard", "ended"),
    [
        ([ABSENT] * 9, 3),
        ([BUSY] * 9, 6),
        ([BUSY, ABSENT, ABSENT], 3),
        ([ANSWER, *[ABSENT] * 9], 7),
        ([*[ABSENT] * 2, ANSWER, *[ABSENT] * 5], None),
        ([*[BUSY] * 5, ANSWER, *[BUSY] * 5], None),
        ([ANSWER] * 99, None),
    ],
)
def test_a_streak_ends_after_as_many_in_a_row_as_the_trouble_deserves(
    heard: list[str | None], ended: int | None
) -> None:
    assert ended_after(3, heard) == ended


def test_why_nothing_more_is_asked_is_said_with_the_trouble_that_came_last() -> None:
    streak = FailureStreak(1)
    streak.failed("slow")
    assert streak.stopped_because is None

    streak.failed(BUSY)
    assert streak.stopped_because == "too much to do; not asked after 2 prompts in a row without an answer"
