"""Housekeeping beside a service: what it did is seen, and that it ended is not overlooked."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from time import time

import pytest

from sensecheck.server.maintenance import Housekeeping, begin
from sensecheck.server.metrics import Metrics
from sensecheck.store.service.store import ServiceStore


@dataclass(frozen=True, slots=True)
class Broken(ServiceStore):
    """A store with a mistake of ours in it."""

    def make_partitions(self, now: datetime) -> list[str]:
        """Break off."""
        raise KeyError("it was said in confidence")


async def _for_a_while(housekeeping: Housekeeping, seconds: float) -> bool:
    """Whether it still went on after that time."""
    task = begin(housekeeping)
    await asyncio.wait((task,), timeout=seconds)
    goes_on = not task.done()
    task.cancel()
    with suppress(asyncio.CancelledError, KeyError):
        await task
    return goes_on


def _tidied_at(metrics: Metrics) -> float | None:
    return metrics.registry.get_sample_value("sensecheck_tidied_timestamp_seconds")


def test_the_last_success_can_be_seen(store: ServiceStore) -> None:
    metrics, before = Metrics(), time()
    assert _tidied_at(metrics) is None

    assert asyncio.run(_for_a_while(Housekeeping(store, 365, 14, told=metrics.tidied), 2))

    at = _tidied_at(metrics)
    assert at is not None
    assert at >= before


def test_a_mistake_of_ours_that_ends_it_is_told_as_critical_and_not_in_its_own_words(
    store: ServiceStore, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    broken = Broken(store.engine, store.deadlines)
    assert not asyncio.run(_for_a_while(Housekeeping(broken, 365, 14, told=metrics.tidied), 20))

    (told,) = (record.msg for record in caplog.records if record.levelno == logging.CRITICAL)
    assert isinstance(told, dict)
    assert told["trouble"] == "KeyError"
    assert "confidence" not in str(told)
    assert _tidied_at(metrics) == 0.0
