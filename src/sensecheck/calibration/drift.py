"""Scores of today beside those that a card was fitted on: does its promise still speak of such answers?

The promise of a card is about answers of the same kind. Where scores are distributed otherwise, the answers
are of another kind, whoever is right; where they are not, that proves nothing, since labels may have changed.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Card
from sensecheck.calibration.summary import percent

Numbers = npt.NDArray[np.float64]
BINS = 24
CONFIDENCE_FACTOR = math.sqrt(math.log(2 / 0.05) / 2)
"""Of the bound by Kolmogorov and Smirnov: two samples of one kind are further apart in 5 of 100 cases."""
QUANTILE_ERROR = 0.01
"""A card has a hundred quantiles of many scores, so that its distribution is known up to this."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How scores are distributed now, and how those of the card were."""

    card: str
    date: str
    """Of the card."""
    n: int
    n_card: int
    distance: float
    """The largest difference between the shares of scores below any number."""
    bound: float
    """Two samples of one kind are rarely further apart."""
    median: float
    median_card: float
    passes: float
    """The share that passes with the cutoff of the card."""
    passes_card: float
    cutoff: float
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    shares_card: tuple[float, ...]

    @property
    def drifted(self) -> bool:
        """Whether the scores are distributed otherwise."""
        return self.distance > self.bound

    def describe(self) -> str:
        """What it means, in a sentence or two."""
        medians = f"the median is {self.median:.3g} and was {self.median_card:.3g}"
        passing = f"{percent(self.passes)} pass, and {percent(self.passes_card)} did"
        if not self.drifted:
            return (
                f"No drift: these {self.n:,} scores are distributed like the {self.n_card:,} that "
                f"`{self.card}` was fitted on ({medians}; {passing})."
            )
        step = self.median - self.median_card
        how = "spread otherwise" if step == 0 else "mostly higher" if step > 0 else "mostly lower"
        return (
            f"Drift: these {self.n:,} scores are {how} than the {self.n_card:,} that "
            f"`{self.card}` was fitted on ({medians}; {passing}). Its promise is about answers like those: "
            "label some of these, and fit again."
        )

    def to_data(self) -> dict[str, Any]:
        """As a page shows it."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return {**fields, "drifted": self.drifted, "because": self.describe()}


def drift_of(card: Card, scores: Numbers) -> Drift | None:
    """These scores beside those of the card; None where one of both has none."""
    new = np.sort(scores[~np.isnan(scores)])
    old, weights = _scores_of(card)
    if not len(new) or not len(old):
        return None
    even = np.full(len(new), 1 / len(new))
    n_card = sum(part.good + part.bad for part in (card.fitted, card.held_out))
    edges = _edges(card.line, min(new[0], old[0]), max(new[-1], old[-1]))
    both = np.concatenate((new, old))
    distance = float(np.abs(_below(new, even, both) - _below(old, weights, both)).max())
    return Drift(
        card=card.name,
        date=card.date,
        n=len(new),
        n_card=n_card,
        distance=distance,
        bound=CONFIDENCE_FACTOR * math.sqrt(1 / len(new) + 1 / n_card) + QUANTILE_ERROR,
        median=_median(new, even),
        median_card=_median(old, weights),
        passes=_passing(card, new, even),
        passes_card=_passing(card, old, weights),
        cutoff=card.line,
        edges=tuple(edges.tolist()),
        shares=tuple(np.histogram(new, edges, weights=even)[0].tolist()),
        shares_card=tuple(np.histogram(old, edges, weights=weights)[0].tolist()),
    )


def _scores_of(card: Card) -> tuple[Numbers, Numbers]:
    """The scores in a card, sorted, and how much of all answers each stands for."""
    parts = (
        (scores, count)
        for labelled, counts in ((card.fitted_scores, card.fitted), (card.held_out_scores, card.held_out))
        for scores, count in ((labelled.good, counts.good), (labelled.bad, counts.bad))
        if scores
    )
    pairs = sorted((score, count / len(scores)) for scores, count in parts for score in scores)
    found: Numbers = np.array(pairs, np.float64).reshape(-1, 2)
    return found[:, 0], found[:, 1] / max(found[:, 1].sum(), 1e-300)


def _below(values: Numbers, weights: Numbers, places: Numbers) -> Numbers:
    """The share of the values at or below each place."""
    shares = np.concatenate(([0.0], np.cumsum(weights)))
    found: Numbers = shares[np.searchsorted(values, places, side="right")]
    return found


def _median(values: Numbers, weights: Numbers) -> float:
    middle = int(np.searchsorted(np.cumsum(weights), 0.5))
    return float(values[min(middle, len(values) - 1)])


def _passing(card: Card, values: Numbers, weights: Numbers) -> float:
    low, high = card.doubt or (card.line, card.line)
    passes = values >= high if card.good == "above" else values <= low
    return float(weights[passes].sum())


def _edges(cutoff: float, low: float, high: float) -> Numbers:
    """Bins over all scores, so that none of them is on both sides of the cutoff."""
    low, high = min(low, cutoff), max(high, cutoff)
    width = max((high - low) / BINS, 1e-9)
    before, after = math.ceil((cutoff - low) / width), math.floor((high - cutoff) / width) + 1
    found: Numbers = cutoff + width * np.arange(-before, after + 1, dtype=np.float64)
    return found
