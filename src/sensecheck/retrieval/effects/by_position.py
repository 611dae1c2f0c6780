"""Whether budgets favour items that stand early in the prompt."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sensecheck.retrieval.effects.paired import RESAMPLES, Interval
from sensecheck.retrieval.effects.weighted_curves import Numbers

_CELLS = 2_000_000
_FEWEST = 3
"""Two points always lie on a line."""


@dataclass(frozen=True, slots=True)
class PositionTrend:
    """How the share that budgets kept goes with the position: 1 upwards, -1 downwards, 0 not at all.

    Spearman's correlation over queries, each with the position of its item and the share of its references
    that budgets had room for; the interval is the bootstrap's over queries. Below 0, early items are
    favoured.
    """

    correlation: float
    interval: Interval
    confidence: float
    queries: int


def position_trend(
    positions: Sequence[int],
    kept: Sequence[float],
    *,
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
) -> PositionTrend | None:
    """The trend; None where all positions or all shares are the same, so that there can be none."""
    places, shares = np.asarray(positions, np.float64), np.asarray(kept, np.float64)
    if len(places) < _FEWEST or np.ptp(places) == 0 or np.ptp(shares) == 0:
        return None
    rng = np.random.default_rng(seed)
    at_once = max(1, _CELLS // len(places))
    drawn = np.concatenate(
        [
            _correlations(places, shares, _weights(rng, min(at_once, resamples - begin), len(places)))
            for begin in range(0, resamples, at_once)
        ]
    )
    found = _correlations(places, shares, np.ones((1, len(places))))[0]
    tails = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tails, 1 - tails]).tolist()
    return PositionTrend(float(found), Interval(low, high), confidence, len(places))


def _weights(rng: np.random.Generator, rows: int, n: int) -> Numbers:
    return rng.multinomial(n, np.full(n, 1 / n), size=rows).astype(np.float64)


def _correlations(a: Numbers, b: Numbers, weights: Numbers) -> Numbers:
    """Spearman's correlation for each row of weights; where a row leaves one value alone, it is 0."""
    x, y = _ranks(a, weights), _ranks(b, weights)
    total = weights.sum(axis=1, keepdims=True)
    x -= (weights * x).sum(axis=1, keepdims=True) / total
    y -= (weights * y).sum(axis=1, keepdims=True) / total
    both = (weights * x * y).sum(axis=1)
    size = np.sqrt((weights * x * x).sum(axis=1) * (weights * y * y).sum(axis=1))
    found: Numbers = np.divide(both, size, out=np.zeros_like(both), where=size > 1e-9)
    return np.clip(found, -1.0, 1.0)


def _ranks(values: Numbers, weights: Numbers) -> Numbers:
    """The rank of each value when it is there as often as its weight says; equal ones share theirs."""
    order = np.argsort(values, kind="stable")
    _, begins, which = np.unique(values[order], return_index=True, return_inverse=True)
    counts = np.add.reduceat(weights[:, order], begins, axis=1)
    below = counts.cumsum(axis=1) - counts
    ranks = np.empty_like(weights)
    ranks[:, order] = (below + (counts + 1) / 2)[:, which]
    return ranks
