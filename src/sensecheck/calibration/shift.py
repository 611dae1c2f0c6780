"""Have readings moved away from those that a line was fitted on?"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.counting import shown
from sensecheck.core.extras import extra

Part = Literal["good", "bad", "unlabelled"]
Degree = Literal["stable", "somewhat", "moved", "too few"]
"""`too few` where they lie elsewhere, and so few rows might do that by chance."""
_FAR = 0.3
"""So large a distance is a movement, whatever the index makes of it."""


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
    # Six digits of both: what is one reading to people must be one here, though machines differ in the last
    # bits, and though older cards hold 0.333333 for 1/3.
    held, seen = [shown(value) for value in card], [shown(value) for value in new]
    found = ks_2samp(held, seen, method="asymp")
    psi, ks, p = _psi(held, seen), float(found.statistic), float(found.pvalue)
    return Shift(part, len(seen), psi, ks, p, _degree(psi, ks, p))


def as_counted(parts: Iterable[tuple[Sequence[float], int]]) -> tuple[float, ...]:
    """The readings of several parts together, each with the weight of the rows that it stands for.

    A card holds a hundred readings of many rows. Laid together as they are, a rare label would weigh as much
    as a common one. They stay as many as they were, so that none counts as more than was seen.
    """
    held = [(value, rows / len(values)) for values, rows in parts for value in values]
    if not held:
        return ()
    values, weights = np.array(sorted(held)).T
    reached = np.cumsum(weights) / weights.sum()
    places = np.searchsorted(reached, (np.arange(len(values)) + 0.5) / len(values))
    return tuple(values[places].tolist())


def _degree(psi: float, ks: float, p: float) -> Degree:
    """How far the readings have moved; a large index that chance explains says nothing either way."""
    if p >= 0.01:
        return "too few" if psi > 0.25 else "stable"
    if psi > 0.25 or ks >= _FAR:
        return "moved"
    return "stable" if psi < 0.1 else "somewhat"


def _psi(card: Sequence[float], new: Sequence[float]) -> float:
    """The index; half a row in every bin keeps an empty one from making it infinite."""
    edges = np.unique(np.quantile(card, np.arange(1, 10) / 10, method="nearest"))
    tied = [edge for edge in edges if np.mean(np.equal(card, edge)) >= 0.1]
    counts = np.array([_binned(values, edges, tied) for values in (card, new)])
    counts = counts[:, counts.any(axis=0)] + 0.5  # a bin that both leave empty tells nothing
    was, now = counts / counts.sum(axis=1, keepdims=True)
    return float(((now - was) * np.log(now / was)).sum())


def _binned(values: Sequence[float], edges: npt.ArrayLike, tied: Sequence[float]) -> list[int]:
    """How many lie between the edges; a reading that many rows share is a bin of its own.

    Were it counted with what lies below it, rows that leave it for below would be missed.
    """
    loose = [value for value in values if value not in tied]
    between = np.bincount(np.searchsorted(edges, loose, side="left"), minlength=np.size(edges) + 1)
    return [*between.tolist(), *(sum(value == edge for value in values) for edge in tied)]
