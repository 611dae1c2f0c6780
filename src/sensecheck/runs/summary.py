"""What a run came to, metric by metric: means with intervals, distributions, and what is missing and why."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from sensecheck.core.run import Run
from sensecheck.measures.metric_reader import NOBODY
from sensecheck.measures.metrics import ALL, KNOWN
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import MetricGaps, Numbers, RunMetric, RunReasons, RunTable
from sensecheck.stats.paired_tests import interval

BINS = 25
CONFIDENCE = 0.95
NOT_READ, NO_ANSWER, DOES_NOT_APPLY = "could not be read", "no answer", "does not apply"
NOTHING = "nothing to read"
NO_KEY = 0
"""Instead of a metric's key, where it has no readings."""
_CATALOGUE_ORDER = {name: at for at, name in enumerate(ALL)}


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all questions that a run has come to; wherever a run is shown, it is shown by this."""

    metric: str
    encoder: str
    """What the encoder is called, for metrics that compare meaning."""
    n: int
    """How many answers it read."""
    mean: float | None
    low: float | None
    high: float | None
    """Where the mean of all such answers lies, with a confidence of 95 % unless another was asked for."""
    unread: int
    """Answers that should have a number: reading them failed."""
    unanswered: int
    inapplicable: int
    """Answers to questions that lack what it compares."""
    nothing: int = 0
    """Answers that it applies to, and that hold nothing for it to read: blank ones, missing in its mean."""
    error: str | None = None
    """What was most often the reason why reading failed, where that was looked up."""

    @classmethod
    def of(
        cls,
        metric: RunMetric,
        numbers: Numbers,
        *,
        questions: int,
        unread: int,
        unanswered: int,
        nothing: int = 0,
        error: str | None = None,
        confidence: float = CONFIDENCE,
    ) -> "MetricSummary":
        """Of those numbers that are known, in the order of the questions."""
        known = numbers[np.isfinite(numbers)]
        gone = questions - len(known)
        failed = min(unread, gone)
        silent = min(unanswered, gone - failed)
        empty = min(nothing, gone - failed - silent)
        counts = (failed, silent, gone - failed - silent - empty, empty)
        return cls(metric.name, metric.encoder, len(known), *_estimate(known, confidence), *counts, error)

    @classmethod
    def of_column(
        cls, table: RunTable, at: int, *, error: str | None = None, confidence: float = CONFIDENCE
    ) -> "MetricSummary":
        """Of a column of numbers that have been read already."""
        return cls.of(
            table.metrics[at],
            table.values[:, at],
            questions=len(table.names),
            unread=table.unread[at],
            unanswered=table.unanswered,
            nothing=table.nothing[at] if table.nothing else 0,
            error=error,
            confidence=confidence,
        )

    @property
    def na(self) -> int:
        """Questions that have no number, for whatever reason."""
        return self.unread + self.unanswered + self.inapplicable + self.nothing

    @property
    def mean_blank_as_0(self) -> float | None:
        """The mean if each blank answer that is left out of it counted as 0: silence is no way to a score."""
        if self.mean is None or not self.nothing:
            return self.mean
        return self.mean * self.n / (self.n + self.nothing)

    @property
    def missing(self) -> dict[str, int]:
        """How many of them for which reason."""
        counts = {
            NOT_READ: self.unread,
            NO_ANSWER: self.unanswered,
            DOES_NOT_APPLY: self.inapplicable,
            NOTHING: self.nothing,
        }
        return {why: count for why, count in counts.items() if count}

    @property
    def because(self) -> str | None:
        """The most frequent reason; but a reading that failed is named before all that had to be n/a."""
        if self.unread:
            return self.error or NOT_READ
        return max(self.missing, key=self.missing.__getitem__, default=None)

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "metric": self.metric,
            "encoder": self.encoder,
            "n": self.n,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "mean_blank_as_0": self.mean_blank_as_0,
            "na": self.na,
            "unread": self.unread,
            "missing": self.missing,
            "because": self.because,
        }


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole of a run, in figures."""

    questions: int
    """How many it has come to."""
    answered: int
    unanswered: int
    unanswered_because: str | None
    """The most frequent reason."""
    metrics: tuple[MetricSummary, ...]
    notes: tuple[str, ...] = ()
    """What the counts alone do not tell."""

    @property
    def all_read(self) -> bool:
        """Whether every question has an answer, and all that applies to it was read.

        A blank answer that a metric has no number for is missing in its mean, as one that nobody gave.
        """
        return not self.unanswered and not self.unread and not any(one.nothing for one in self.metrics)

    @property
    def silent(self) -> tuple[MetricSummary, ...]:
        """Metrics that read none of the answers there are."""
        return tuple(one for one in self.metrics if self.answered and not one.n)

    @property
    def unread(self) -> int:
        """Readings that failed."""
        return sum(one.unread for one in self.metrics)

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "questions": self.questions,
            "answered": self.answered,
            "unanswered": self.unanswered,
            "unanswered_because": self.unanswered_because,
            "unread": self.unread,
            "metrics": [one.to_data() for one in self.metrics],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """The numbers of one metric."""

    summary: MetricSummary
    low: float
    high: float
    counts: tuple[int, ...]
    """How many lie in each of as many equal steps from `low` to `high`."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        lie = {"from": rounded(self.low), "to": rounded(self.high), "counts": list(self.counts)}
        return self.summary.to_data() | lie


def totals_of(place: RunPlace, run: Run | RunTable) -> Totals:
    """What a run came to, as far as it is; unless its numbers are there, they are read a metric at a time."""
    if isinstance(run, RunTable):
        reasons, table = place.reasons(run.run), ordered(run)
        each = zip(table.metrics, table.values.T, strict=True)
        return _totals(run.run, reasons, each, (len(table.names), table.unanswered))
    reasons = place.reasons(run)
    return _totals(run, reasons, place.columns(run), (reasons.questions, reasons.unanswered))


def errors_of(place: RunPlace, table: RunTable) -> dict[int, str]:
    """By the key of each metric with readings that failed: the most frequent reason."""
    if not any(table.unread):
        return {}
    gaps = place.reasons(table.run).gaps
    return {metric.key: found.error for metric, found in gaps.items() if found.error is not None}


def summaries_of(table: RunTable, errors: Mapping[int, str] | None = None) -> tuple[MetricSummary, ...]:
    """All metrics of a table, in its order."""
    found = errors or {}
    return tuple(
        MetricSummary.of_column(table, at, error=found.get(metric.key))
        for at, metric in enumerate(table.metrics)
    )


def spreads_of(table: RunTable, errors: Mapping[int, str] | None = None) -> list[Spread]:
    """Every metric of a run, in its order; `errors` says what was wrong, by the key of the metric."""
    each = summaries_of(table, errors)
    return [_spread(summary, table.values[:, at]) for at, summary in enumerate(each)]


def ordered(table: RunTable) -> RunTable:
    """The same numbers, with their columns as `in_order` has the metrics."""
    metrics = tuple(in_order(table.run, table.metrics))
    if metrics == table.metrics:
        return table
    columns = [table.metrics.index(metric) for metric in metrics]
    unread = tuple(table.unread[at] for at in columns)
    nothing = tuple(table.nothing[at] for at in columns) if table.nothing else ()
    values = table.values[:, columns]
    return replace(table, metrics=metrics, values=values, unread=unread, nothing=nothing)


def in_order(run: Run, metrics: Iterable[RunMetric]) -> list[RunMetric]:
    """As the catalogue has them, kind by kind, others after; each by the encoders in the run's own order."""
    encoders = [name for name, _ in run.conditions.get("encoders", ())]

    def rank(metric: RunMetric) -> tuple[int, str, int, bool, int]:
        encoder = encoders.index(metric.encoder) if metric.encoder in encoders else len(encoders)
        known = _CATALOGUE_ORDER.get(metric.name, len(ALL))
        return known, metric.name, encoder, metric.fingerprint != run.encoder, metric.key

    return sorted(metrics, key=rank)


def rounded(value: float | None) -> float | None:
    """As many places as a page shows, and a few more; None for what is no number."""
    return None if value is None or not math.isfinite(value) else round(float(value), 5)


def _estimate(known: Numbers, confidence: float) -> tuple[float | None, float | None, float | None]:
    if not len(known):
        return None, None, None
    bounds = min(0.0, float(known.min())), max(1.0, float(known.max()))
    return float(known.mean()), *interval(known, confidence=confidence, within=bounds)


def _totals(
    run: Run, reasons: RunReasons, columns: Iterable[tuple[RunMetric, Numbers]], counts: tuple[int, int]
) -> Totals:
    """A metric that has read nothing is listed as well: nobody shall take it for one that was not run."""
    questions, unanswered = counts
    nobody: dict[RunMetric, Numbers] = {one: np.empty(0) for one in _metrics_without_readings(run, reasons)}
    found = {
        metric: _summary_of(metric, numbers, reasons.gaps.get(metric, MetricGaps()), questions, unanswered)
        for metric, numbers in chain(columns, nobody.items())
    }
    why = reasons.unanswered_because if unanswered else None
    return Totals(
        questions,
        questions - unanswered,
        unanswered,
        why,
        tuple(found[metric] for metric in in_order(run, found)),
        tuple(_notes(run, reasons)),
    )


def _summary_of(
    metric: RunMetric, numbers: Numbers, gaps: MetricGaps, questions: int, unanswered: int
) -> MetricSummary:
    return MetricSummary.of(
        metric,
        numbers,
        questions=questions,
        unread=gaps.failed,
        unanswered=max(0, unanswered - gaps.beside),
        nothing=gaps.nothing,
        error=gaps.error,
    )


def _metrics_without_readings(run: Run, reasons: RunReasons) -> Iterator[RunMetric]:
    """The metrics of a run that have no readings, by whoever would have read them."""
    there = {metric.name for metric in reasons.gaps}
    encoders = [(name, mark) for name, mark in run.conditions.get("encoders", ())]
    for name in run.conditions.get("metrics", ()):
        kind = KNOWN[name].kind if name in KNOWN else None
        by = encoders if kind == "semantic" else encoders[:1] if kind in ("combined", "context") else []
        if name not in there:
            yield from (RunMetric(NO_KEY, name, *mark) for mark in by or [NOBODY])


def _notes(run: Run, reasons: RunReasons) -> Iterator[str]:
    """What counts alone do not tell."""
    for metric in in_order(run, reasons.gaps):
        found = reasons.gaps[metric]
        if found.wordless:
            yield f"`{metric.name}` had no words to compare in {_answers(found.wordless)}, and reads 0 there"
        if found.nothing:
            yield f"`{metric.name}` found nothing to read in {_answers(found.nothing)}: {found.because}"


def _answers(answers: int) -> str:
    return f"{answers:,} {'answer' if answers == 1 else 'answers'}"


def _spread(summary: MetricSummary, numbers: Numbers) -> Spread:
    known = numbers[np.isfinite(numbers)]
    low, high = min(0.0, float(known.min(initial=0))), max(1.0, float(known.max(initial=1)))
    counts, _ = np.histogram(known, bins=BINS, range=(low, high))
    return Spread(summary, low, high, tuple(map(int, counts)))
