"""What one metric read over a whole run: its mean, how its numbers lie, and why some are missing."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.evals.qa.compare.chance import interval
from sensecheck.store.run_reading import Metric, Numbers, RunTable

BINS = 25
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its interval; all None where nothing was read."""

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, numbers: Numbers) -> "Mean":
        """Of those numbers that are known; a single one has no interval."""
        held = numbers[np.isfinite(numbers)]
        if not len(held):
            return cls(0)
        mean = float(held.mean())
        if len(held) == 1:
            return cls(1, mean)
        bounds = min(0.0, float(held.min())), max(1.0, float(held.max()))
        return cls(len(held), mean, *interval(held, confidence=CONFIDENCE, within=bounds))

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "n": self.n,
            "mean": rounded(self.value),
            "low": rounded(self.low),
            "high": rounded(self.high),
        }


@dataclass(frozen=True, slots=True)
class Spread:
    """The numbers of one metric."""

    metric: Metric
    mean: Mean
    missing: Mapping[str, int]
    """How many are n/a, by the reason."""
    low: float
    high: float
    counts: tuple[int, ...]
    """How many lie in each of as many equal steps from `low` to `high`."""

    @property
    def unread(self) -> int:
        """How many are n/a."""
        return sum(self.missing.values())

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "metric": self.metric.name,
            "encoder": self.metric.encoder,
            **self.mean.to_data(),
            "na": self.unread,
            "missing": {why: count for why, count in self.missing.items() if count},
            "from": rounded(self.low),
            "to": rounded(self.high),
            "counts": list(self.counts),
        }


def spreads_of(table: RunTable) -> list[Spread]:
    """Every metric of a run, in its order."""
    return [_spread(table, at) for at in range(len(table.metrics))]


def rounded(value: float | None) -> float | None:
    """As many places as a page shows, and a few more; None for what is no number."""
    return None if value is None or not math.isfinite(value) else round(float(value), 5)


def _spread(table: RunTable, at: int) -> Spread:
    numbers = table.values[:, at]
    held = numbers[np.isfinite(numbers)]
    low, high = min(0.0, float(held.min(initial=0))), max(1.0, float(held.max(initial=1)))
    counts, _ = np.histogram(held, bins=BINS, range=(low, high))
    return Spread(
        table.metrics[at],
        Mean.of(numbers),
        _missing(len(numbers) - len(held), table.unread[at], table.unanswered),
        low,
        high,
        tuple(map(int, counts)),
    )


def _missing(missing: int, unread: int, unanswered: int) -> dict[str, int]:
    """Every n/a has a reason: it could not be read, nobody answered, or the metric does not apply."""
    wrong = min(unread, missing)
    silent = min(unanswered, missing - wrong)
    return {"could not be read": wrong, "no answer": silent, "does not apply": missing - wrong - silent}
