"""What one metric read over a whole run, and how its numbers lie."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.evals.qa.metric_summary import MetricSummary
from sensecheck.evals.qa.totals import summaries_of
from sensecheck.store.run_reading import Numbers, RunTable

BINS = 25


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


def spreads_of(table: RunTable, errors: Mapping[int, str] | None = None) -> list[Spread]:
    """Every metric of a run, in its order; `errors` says what was wrong, by the key of the metric."""
    each = summaries_of(table, errors)
    return [_spread(summary, table.values[:, at]) for at, summary in enumerate(each)]


def rounded(value: float | None) -> float | None:
    """As many places as a page shows, and a few more; None for what is no number."""
    return None if value is None or not math.isfinite(value) else round(float(value), 5)


def _spread(summary: MetricSummary, numbers: Numbers) -> Spread:
    held = numbers[np.isfinite(numbers)]
    low, high = min(0.0, float(held.min(initial=0))), max(1.0, float(held.max(initial=1)))
    counts, _ = np.histogram(held, bins=BINS, range=(low, high))
    return Spread(summary, low, high, tuple(map(int, counts)))
