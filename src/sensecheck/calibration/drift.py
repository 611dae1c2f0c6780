"""Scores of today beside those that a card was fitted on: does its promise still speak of such answers?

The promise of a card is about answers of the same kind. Where scores are distributed otherwise, the answers
are of another kind, whoever is right; where they are not, that proves nothing, since labels may have changed.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Card
from sensecheck.calibration.recheck import Degree, Shift, readings_of, shift_of
from sensecheck.calibration.summary import percent

Numbers = npt.NDArray[np.float64]
BINS = 24
_TITLES: Mapping[Degree, str] = {
    "stable": "No drift",
    "somewhat": "Some drift",
    "moved": "Drift",
    "too few": "Too few scores to say",
}


@dataclass(frozen=True, slots=True)
class Drift:
    """How scores are distributed now, and how those of the card were."""

    card: str
    date: str
    """Of the card."""
    n: int
    n_card: int
    shift: Shift
    """How far they are from each other, by the rule that cards are checked by."""
    median: float
    median_card: float
    passes: float
    """The share that passes with the cutoff of the card."""
    passes_card: float
    cutoff: float
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    shares_card: tuple[float, ...]

    def describe(self) -> str:
        """What it means, in a sentence or two."""
        title = _TITLES[self.shift.degree]
        medians = f"the median is {self.median:.3g} and was {self.median_card:.3g}"
        passing = f"{percent(self.passes)} pass, and {percent(self.passes_card)} did"
        step = self.median - self.median_card
        how = "spread otherwise than" if step == 0 else f"mostly {'higher' if step > 0 else 'lower'} than"
        if self.shift.degree in ("stable", "too few"):
            how = (
                "distributed like" if self.shift.degree == "stable" else "perhaps distributed otherwise than"
            )
        text = (
            f"{title}: these {self.n:,} scores are {how} the {self.n_card:,} that `{self.card}` was "
            f"fitted on ({medians}; {passing})."
        )
        if self.shift.degree != "moved":
            return text
        return f"{text} Its promise is about answers like those: label some of these, and fit again."

    def to_data(self) -> dict[str, Any]:
        """As a page shows it."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name != "shift"}
        return {**fields, "degree": self.shift.degree, "because": self.describe()}


def drift_of(card: Card, scores: Numbers) -> Drift | None:
    """These scores beside those of the card; None where one of both has none."""
    new, card_readings = np.sort(scores[~np.isnan(scores)]), readings_of(card)
    shift = shift_of("unlabelled", card_readings, new.tolist())
    if shift is None:
        return None
    old = np.array(card_readings)
    edges = _edges(card.line, min(new[0], old[0]), max(new[-1], old[-1]))
    return Drift(
        card=card.name,
        date=card.date,
        n=len(new),
        n_card=sum(part.good + part.bad for part in (card.fitted, card.held_out)),
        shift=shift,
        median=float(np.median(new)),
        median_card=float(np.median(old)),
        passes=_passing(card, new),
        passes_card=_passing(card, old),
        cutoff=card.line,
        edges=tuple(edges.tolist()),
        shares=_shares(new, edges),
        shares_card=_shares(old, edges),
    )


def _passing(card: Card, values: Numbers) -> float:
    low, high = card.doubt or (card.line, card.line)
    return float(np.mean(values >= high if card.good == "above" else values <= low))


def _shares(values: Numbers, edges: Numbers) -> tuple[float, ...]:
    return tuple((np.histogram(values, edges)[0] / len(values)).tolist())


def _edges(cutoff: float, low: float, high: float) -> Numbers:
    """Bins over all scores, so that none of them is on both sides of the cutoff."""
    low, high = min(low, cutoff), max(high, cutoff)
    width = max((high - low) / BINS, 1e-9)
    before, after = math.ceil((cutoff - low) / width), math.floor((high - cutoff) / width) + 1
    edges: Numbers = cutoff + width * np.arange(-before, after + 1, dtype=np.float64)
    return edges
