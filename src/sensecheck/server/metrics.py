"""Metrics of this process, for Prometheus."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_1_0_0
from prometheus_client.registry import Collector

from sensecheck.core.verdict import Outcome
from sensecheck.server.engine.jobs import Load
from sensecheck.server.middleware.request import note_verdict

MEDIA_TYPE = CONTENT_TYPE_PLAIN_1_0_0
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_CLOSENESS = tuple(step / 20 for step in range(1, 20))
MOST_POLICIES = 100
"""Policies have names that people choose; beyond so many, the others are counted together."""
OTHERS = "others"
_YES_NO = ("false", "true")


class SpoolCounts(Protocol):
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


class Metrics:
    """Counts what happens; a registry of its own, so that two of them in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        seconds = partial(Histogram, buckets=_SECONDS, registry=self.registry)
        closeness = partial(Histogram, buckets=_CLOSENESS, registry=self.registry)
        self._requests = counter("sensecheck_requests", "Requests answered.", ("route", "method", "status"))
        self._seconds = seconds("sensecheck_request_seconds", "Until the last byte.", ("route",))
        self._problems = counter("sensecheck_problems", "Problems told.", ("problem",))
        self._checks = counter("sensecheck_checks", "Verdicts.", ("outcome", "policy"))
        self._check_seconds = seconds("sensecheck_validation_seconds", "Until a verdict.")
        self._similarity = closeness("sensecheck_response_similarity_score", "Of judged answers.")
        self._overlap = closeness("sensecheck_keyword_overlap_ratio", "Of judged answers.")
        self._answers = counter("sensecheck_answers", "Answers.", ("decision", "writer"))
        self._troubles = counter("sensecheck_writer_troubles", "No answer.", ("trouble",))
        self._labels = counter(
            "sensecheck_labels", "Labels of randomly drawn answers.", ("accepted", "grounded")
        )
        for labels in product(_YES_NO, _YES_NO):
            # from 0 on: a series that begins with its first label has no increase
            self._labels.labels(*labels)
        self._shed = counter("sensecheck_shed", "Rejected because the queue was full.")
        self._redis: Gauge | None = None
        self._tidied: Gauge | None = None
        self._policies: set[str] = set()

    def requested(
        self, route: str, method: str, status: int, seconds: float, problem: str | None = None
    ) -> None:
        """A request was answered."""
        self._requests.labels(route, method, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if problem is not None:
            self._problems.labels(problem).inc()

    def checked(
        self,
        outcome: Outcome,
        policy: str,
        milliseconds: float,
        similarity: float | None,
        overlap: float | None,
    ) -> None:
        """An answer was judged."""
        note_verdict(policy, outcome)
        self._checks.labels(outcome, self._policy_label(policy)).inc()
        self._check_seconds.observe(milliseconds / 1000)
        if similarity is not None:
            self._similarity.observe(similarity)
        if overlap is not None:
            self._overlap.observe(overlap)

    def answered(self, decision: str, writer: str) -> None:
        """A question was answered, or not."""
        self._answers.labels(decision, writer).inc()

    def writer_failed(self, trouble: str) -> None:
        """A writer wrote nothing, or not to the end."""
        self._troubles.labels(trouble).inc()

    def labelled(self, accepted: bool, grounded: bool) -> None:
        """A reviewer labelled a randomly drawn answer: error rates are estimated from these."""
        self._labels.labels(_YES_NO[accepted], _YES_NO[grounded]).inc()

    def shed(self) -> None:
        """A request was turned away, since too much was waiting."""
        self._shed.inc()

    def redis(self, up: bool) -> None:
        """Redis answers, or does so no longer; without a word of it, the page does not hold it."""
        if self._redis is None:
            says = "1 if limits are counted together."
            self._redis = Gauge("sensecheck_redis_up", says, registry=self.registry)
        self._redis.set(int(up))

    def tidied(self, moment: float) -> None:
        """The database was tidied up then, or will be from now on (0); where others do it, nobody says so."""
        if self._tidied is None:
            name, says = "sensecheck_tidied_timestamp_seconds", "The last time that the database was tidied."
            self._tidied = Gauge(name, says, registry=self.registry)
        self._tidied.set(moment)

    def watch(self, load: Callable[[], Load], spool: SpoolCounts) -> None:
        """Report how busy the engine is and what waits in the spool, as it is whenever Prometheus asks."""
        self.registry.register(LoadCollector(load, spool))

    def page(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)

    def _policy_label(self, policy: str) -> str:
        if policy not in self._policies and len(self._policies) >= MOST_POLICIES:
            return OTHERS
        self._policies.add(policy)
        return policy


class LoadCollector(Collector):
    """How busy the engine is, and what waits in the spool."""

    def __init__(self, load: Callable[[], Load], spool: SpoolCounts) -> None:
        self._load = load
        self._spool = spool

    def collect(self) -> Iterator[GaugeMetricFamily | CounterMetricFamily]:
        """All of them, as they are now."""
        load, spool = self._load(), self._spool
        for name, says, value in (
            ("sensecheck_engine_waiting", "Jobs that have not begun.", load.waiting),
            ("sensecheck_engine_seconds_ahead", "Work that is waiting.", load.seconds_ahead),
            ("sensecheck_engines_alive", "Engine processes that are ready.", load.alive),
            ("sensecheck_engines_wanted", "Engine processes that should be.", load.wanted),
            ("sensecheck_spool_waiting", "Messages not yet in the database.", spool.waiting),
            ("sensecheck_spool_set_aside", "Messages that wait for a person.", spool.set_aside),
        ):
            yield GaugeMetricFamily(name, says, value=value)
        for name, says, value in (
            ("sensecheck_engine_batches", "Batches that engines were given.", load.batches),
            ("sensecheck_remembered", "Jobs whose result was known, or under way.", load.remembered),
            ("sensecheck_spooled", "Messages that had to wait for the database.", spool.spooled_total),
        ):
            yield CounterMetricFamily(name, says, value=value)
