"""Whether budgets had more room for items that stand early in the prompt, or for late ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode
from sensecheck.stats.risk_coverage import Claim, Numbers, claimed

ORDERS = 2_000
FEWEST_ITEMS = 8
"""With fewer, one item alone can make a trend or undo it."""
_CELLS = 2_000_000
_FEWEST = 3
"""Two points always lie on a line."""
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class PositionTrend:
    """How the share that budgets kept goes with the position: 1 upwards, -1 downwards, 0 not at all.

    Spearman's correlation over items, each with its position and the share of its references that budgets
    had room for. The position belongs to the item, however many queries it has, so chance is what other
    orders of the same items give. A budget is each query's own and knows no position: a trend says that items
    at one end of the prompt have longer references or more of them, not that they came first.
    """

    correlation: float
    p_value: float
    """The share of random orders of the items with a correlation at least as far from 0."""
    confidence: float
    items: int
    orders: int

    @property
    def claim(self) -> Claim:
        """Below 0 more fitted for early items, above 0 for late ones."""
        return claimed(self.correlation, self.p_value, self.confidence, enough=self.items >= FEWEST_ITEMS)

    def to_data(self) -> dict[str, Any]:
        """The figures and the claim, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__slots__} | {
            "claim": self.claim,
            "fewest_items": FEWEST_ITEMS,
        }


def position_trend(
    positions: Sequence[int],
    kept: Sequence[float],
    *,
    seed: int = 0,
    orders: int = ORDERS,
    confidence: float = 0.95,
) -> PositionTrend | None:
    """The trend over items; None where all shares are the same, so that there can be none."""
    if orders < 1 or not 0 < confidence < 1 or seed < 0:
        raise SpecError(
            "a trend wants at least 1 order, a confidence between 0 and 1 and a seed from 0 up; "
            f"found {orders}, {confidence:g}, {seed}"
        )
    if len(positions) < _FEWEST or len(set(positions)) == 1 or len(set(kept)) == 1:
        return None
    places, shares = _standing(positions), _standing(kept)
    found = float(places @ shares)
    rng = np.random.default_rng(seed)
    at_once = max(1, _CELLS // len(places))
    as_far = 0
    for begin in range(0, orders, at_once):
        rows = np.tile(shares, (min(at_once, orders - begin), 1))
        drawn = rng.permuted(rows, axis=1) @ places
        as_far += int((np.abs(drawn) >= abs(found) - _ROUNDING).sum())
    p_value = (1 + as_far) / (1 + orders)
    return PositionTrend(min(max(found, -1.0), 1.0), p_value, confidence, len(places), orders)


def _standing(values: Sequence[float]) -> Numbers:
    """Ranks around 0, of length 1; equal values share theirs."""
    _, which, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    ranks = (counts.cumsum() - (counts - 1) / 2)[which]
    ranks -= ranks.mean()
    standing: Numbers = ranks / np.linalg.norm(ranks)
    return standing
