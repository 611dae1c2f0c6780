"""Somebody who fails again and again is left alone, and tried again with care."""

from sensecheck.grounding.asking.breaker import Breaker


class Clock:
    """A clock that is told the time."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def begun(breaker: Breaker) -> int:
    number = breaker.begin()
    assert number is not None
    return number


def test_it_opens_only_when_enough_fail_in_a_row() -> None:
    breaker = Breaker(failures=3, clock=Clock())
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
    clock = Clock()
    breaker = Breaker(failures=1, rest=10, clock=clock)
    breaker.failed(begun(breaker))
    clock.now = 9.9
    assert breaker.begin() is None
    clock.now = 10
    probe = begun(breaker)
    assert breaker.begin() is None
    breaker.failed(probe)
    clock.now = 19.9
    assert breaker.begin() is None
    clock.now = 20
    breaker.succeeded(begun(breaker))
    assert not breaker.is_open
    begun(breaker)
    begun(breaker)


def test_a_probe_that_nobody_waits_for_makes_room_for_another() -> None:
    clock = Clock()
    breaker = Breaker(failures=1, rest=10, clock=clock)
    breaker.failed(begun(breaker))
    clock.now = 10
    breaker.given_up(begun(breaker))

    assert breaker.is_open
    begun(breaker)


def test_calls_from_before_the_rest_neither_lengthen_it_nor_end_the_probe() -> None:
    clock = Clock()
    breaker = Breaker(failures=1, rest=10, clock=clock)
    early, late = begun(breaker), begun(breaker)
    breaker.failed(begun(breaker))
    clock.now = 8
    breaker.failed(early)
    clock.now = 10
    probe = begun(breaker)
    breaker.given_up(late)
    assert breaker.begin() is None
    breaker.succeeded(probe)
    assert not breaker.is_open
