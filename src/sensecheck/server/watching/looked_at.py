"""Numbers that nobody counts: they are looked at whenever Prometheus asks."""

from collections.abc import Callable, Iterator
from typing import Protocol

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from sensecheck.server.engine.asking import Load


class Kept(Protocol):
    """What is known of messages that wait on this machine."""

    @property
    def waiting(self) -> int:
        """Not yet in the database."""

    @property
    def set_aside(self) -> int:
        """For a person to look at."""

    @property
    def spooled_total(self) -> int:
        """Had to wait, since the start."""


class LookedAt(Collector):
    """How busy the engine is, and what waits in the spool."""

    def __init__(self, load: Callable[[], Load], kept: Kept) -> None:
        self._load = load
        self._kept = kept

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """All of them, as they are now."""
        load, kept = self._load(), self._kept
        for name, says, value in (
            ("sensecheck_engine_waiting", "Jobs that have not begun.", load.waiting),
            ("sensecheck_engine_seconds_ahead", "Work that is waiting.", load.seconds_ahead),
            ("sensecheck_engines_alive", "Engine processes that are ready.", load.alive),
            ("sensecheck_engines_wanted", "Engine processes that should be.", load.wanted),
            ("sensecheck_spool_waiting", "Messages not yet in the database.", kept.waiting),
            ("sensecheck_spool_set_aside", "Messages that wait for a person.", kept.set_aside),
        ):
            yield GaugeMetricFamily(name, says, value=value)
        for name, says, value in (
            ("sensecheck_engine_batches", "Batches that engines were given.", load.batches),
            ("sensecheck_remembered", "Jobs whose result was known, or under way.", load.remembered),
            ("sensecheck_spooled", "Messages that had to wait for the database.", kept.spooled_total),
        ):
            yield CounterMetricFamily(name, says, value=value)
