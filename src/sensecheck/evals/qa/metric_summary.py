"""What one metric came to over a run: its mean with its interval, and how many are n/a and why."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.stats.paired import interval
from sensecheck.store.run_reading import Metric, Numbers, RunTable

CONFIDENCE = 0.95
NOT_READ, NO_ANSWER, DOES_NOT_APPLY = "could not be read", "no answer", "does not apply"
NOTHING = "nothing to read"


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
        metric: Metric,
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
        held = numbers[np.isfinite(numbers)]
        gone = questions - len(held)
        failed = min(unread, gone)
        silent = min(unanswered, gone - failed)
        empty = min(nothing, gone - failed - silent)
        counts = (failed, silent, gone - failed - silent - empty, empty)
        return cls(metric.name, metric.encoder, len(held), *_estimate(held, confidence), *counts, error)

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
        """The most frequent reason; but a reading that failed is told before all that had to be n/a."""
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


def _estimate(held: Numbers, confidence: float) -> tuple[float | None, float | None, float | None]:
    if not len(held):
        return None, None, None
    bounds = min(0.0, float(held.min())), max(1.0, float(held.max()))
    return float(held.mean()), *interval(held, confidence=confidence, within=bounds)
