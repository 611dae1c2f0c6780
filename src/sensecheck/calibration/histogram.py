"""How the held-out readings of good and of bad answers lie, in bins that the line does not cut."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sensecheck.calibration.card import Card


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers; the first lies at 0 and the last at 1."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """The stretch that holds them all, with some room where they are all the same."""
        held = list(values)
        low, high = min(held), max(held)
        room = max(abs(low), abs(high)) * 1e-6 or 1.0
        return cls(low, high) if high / 2 - low / 2 > room / 4 else cls(low - room, high + room)

    @property
    def half(self) -> float:
        """Half the stretch; the whole of it may be larger than any float."""
        return self.high / 2 - self.low / 2

    def place(self, value: float) -> float:
        """Where a number lies, from 0 to 1; one from outside lies at the edge."""
        return min(max((value / 2 - self.low / 2) / self.half, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Bins of equal width from the lowest reading to the highest, with the share of each label in them."""

    edges: tuple[float, ...]
    good: tuple[float, ...]
    """The share of all good answers; together 1, or 0 where there is none."""
    bad: tuple[float, ...]

    def bins(self) -> Iterator[tuple[float, float, float, float]]:
        """From where, to where, the share of the good answers, the share of the bad ones."""
        return zip(self.edges, self.edges[1:], self.good, self.bad, strict=False)


def histogram_of(card: Card) -> Histogram | None:
    """As many bins as the rows can fill; None when nothing was held out.

    A card holds a hundred readings of many, evenly spaced, so that each stands for as many answers.
    The line lies between two bins, so that no bar stands on both sides of it.
    """
    scores = card.held_out_scores
    if not scores.good and not scores.bad:
        return None
    scale = Scale.over((*scores.good, *scores.bad, card.line, *(card.doubt or ())))
    width = scale.half / _how_many(len(scores.good) + len(scores.bad)) * 2
    before = math.ceil((card.line / 2 - scale.low / 2) / width * 2 - 1e-9)
    after = max(math.ceil((scale.high / 2 - card.line / 2) / width * 2 - 1e-9), 1 - before)
    edges = tuple(card.line + width * step for step in range(-before, after + 1))
    return Histogram(edges, _shares(scores.good, card, edges), _shares(scores.bad, card, edges))


def _shares(values: Sequence[float], card: Card, edges: Sequence[float]) -> tuple[float, ...]:
    """The share of the values in each bin; one on an edge is on its better side, as one on the line is."""
    counts = [0] * (len(edges) - 1)
    scale = Scale(edges[0], edges[-1])
    for value in values:
        at = round(scale.place(value) * len(counts), 9)  # 0.1 + 0.2 is on the edge 0.3
        place = math.floor(at) if card.good == "above" else math.ceil(at) - 1
        counts[min(max(place, 0), len(counts) - 1)] += 1
    return tuple(count / max(len(values), 1) for count in counts)


def _how_many(rows: int) -> int:
    return min(max(round(2 * math.sqrt(rows)), 10), 36)
