"""Close to the query, and not to each other: maximal marginal relevance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sensecheck.core.backends import Answerers
from sensecheck.core.needs import Needs
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import Asked, must_be_within
from sensecheck.retrieval.vectors import compared, wanted_vectors


@dataclass(frozen=True, slots=True)
class Diverse:
    """Puts next, each time, what is closest to the query and least like what stands before it.

    Drops nothing that can be read: `top` after it takes the first so many. A weight of 1 is closeness alone.
    """

    name: ClassVar[str] = "diverse"
    answerers: ClassVar[Answerers | None] = None
    weight: float = 0.5
    """The λ of the method: how much closeness counts against likeness."""

    def __post_init__(self) -> None:
        must_be_within(self.weight, 0, 1, "`diverse` wants a weight")

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """Where the matches lie."""
        return wanted_vectors(matches)

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """All of them, in the new order; of equals, the better-ranked goes first."""
        placed, near, unread = compared(matches, asked.space, self.name)
        if not placed:
            return Step((), unread)
        closeness = np.array([match.closeness for match in placed])
        likeness = np.full(len(placed), -np.inf)
        order = [int(np.argmax(closeness))]
        while len(order) < len(placed):
            likeness = np.maximum(likeness, near[order[-1]])
            worth = self.weight * closeness - (1 - self.weight) * likeness
            worth[order] = -np.inf
            order.append(int(np.argmax(worth)))
        return Step(tuple(placed[at] for at in order), unread)


def diverse(weight: float = 0.5) -> Diverse:
    """Order by closeness, weighted so, and by unlikeness to what stands before."""
    return Diverse(weight)
