"""How long it takes until all is well again."""

from collections.abc import Callable
from time import monotonic, sleep

from tests.faults.service.unit import Unit


def seconds_until(well: Callable[[], bool], within: float, what: str) -> float:
    """Seconds until something is so; raises when it is not so in time."""
    began = monotonic()
    while not well():
        if monotonic() - began > within:
            raise AssertionError(f"after {within:g} s: not yet {what}")
        sleep(0.05)
    return monotonic() - began


def until_spool_is_empty(unit: Unit, within: float = 10.0) -> float:
    """Seconds until the database has all that waited for it; nothing may be set aside."""
    spent = seconds_until(
        lambda: unit.metric("sensecheck_spool_waiting") == 0, within, "all messages in the database"
    )
    assert unit.metric("sensecheck_spool_set_aside") == 0
    return spent
