"""Have readings moved away from those that a line was fitted on?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.calibration.counting import shown
from sensecheck.core.extras import extra

Part = Literal["good", "bad", "unlabelled"]
Degree = Literal["stable", "somewhat", "moved"]


@dataclass(frozen=True, slots=True)
class Shift:
    """New readings of one label against the card's."""

    part: Part
    n: int
    psi: float
    """Population stability index over the tenths of the card's readings: below 0.1 they lie as they lay."""
    ks: float
    """The largest distance between the two distributions (Kolmogorov and Smirnov)."""
    p: float
    """How often chance alone would do as much; cautious, since a card holds a hundred readings of many."""
    degree: Degree


def shift(part: Part, card: Sequence[float], new: Sequence[float]) -> Shift | None:
    """How far new readings lie from the card's; None where either has none."""
    if not card or not new:
        return None
    with extra("train"):
        from scipy.stats import ks_2samp  # noqa: PLC0415  # only those who check a card need it
    seen = [shown(value) for value in new]  # with the card's digits: 1/3 must equal the card's 0.333333
    found = ks_2samp(card, seen, method="asymp")
    psi, p = _psi(card, seen), float(found.pvalue)
    return Shift(part, len(seen), psi, float(found.statistic), p, _degree(psi, p))


def _degree(psi: float, p: float) -> Degree:
    """How far the readings have moved; a large index that chance explains is no movement."""
    if psi < 0.1 or p >= 0.01:
        return "stable"
    return "somewhat" if psi <= 0.25 else "moved"


def _psi(card: Sequence[float], new: Sequence[float]) -> float:
    """The index; half a row in every bin keeps an empty one from making it infinite."""
    edges = np.unique(np.quantile(card, np.arange(1, 10) / 10, method="nearest"))
    shares = []
    for values in (card, new):
        counts = np.bincount(np.searchsorted(edges, values, side="left"), minlength=len(edges) + 1) + 0.5
        shares.append(counts / counts.sum())
    was, now = shares
    return float(((now - was) * np.log(now / was)).sum())
