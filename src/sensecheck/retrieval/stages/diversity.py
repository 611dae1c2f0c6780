"""Stages against repetition: no two that say nearly the same, and maximal marginal relevance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import Backends
from sensecheck.core.needs import Needs
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import compared, missing_vectors
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import StageContext, require_within


@dataclass(frozen=True, slots=True)
class Distinct:
    """Of matches that lie this close to each other, keeps the better-ranked; the other names its twin."""

    name: ClassVar[str] = "distinct"
    answerers: ClassVar[Backends | None] = None
    closeness: float = 0.95

    def __post_init__(self) -> None:
        require_within(self.closeness, -1, 1, "`distinct` must be a similarity")

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """Where the matches lie."""
        return missing_vectors(matches)

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Each match that is not a duplicate of one kept before it."""
        placed, near, unread = compared(matches, asked.space, self.name)
        similar = _similar_before(near >= self.closeness)
        kept: dict[int, None] = {}
        place_by_text: dict[str, int] = {}
        dropped: list[Dropped] = []
        for this, match in enumerate(placed):
            twin = next((at for at in similar.get(this, ()) if at in kept), place_by_text.get(match.text))
            if twin is None:
                kept[this], place_by_text[match.text] = None, this
            else:
                dropped.append(Dropped(match, self.name, self._because(near[this, twin]), placed[twin]))
        return Step(tuple(placed[at] for at in kept), (*dropped, *unread))

    def _because(self, closeness: float) -> str:
        near = min(closeness, 1.0)
        return f"its similarity to a better-ranked one is {near:.4g}; must be less than {self.closeness:g}"


def distinct(closeness: float = 0.95) -> Distinct:
    """Keep one of those that lie this close to each other: the better-ranked."""
    return Distinct(closeness)


@dataclass(frozen=True, slots=True)
class Diverse:
    """Puts next, each time, what is closest to the query and least like what stands before it.

    Drops nothing that can be read: `top` after it takes the first N. A weight of 1 is similarity alone.
    """

    name: ClassVar[str] = "diverse"
    answerers: ClassVar[Backends | None] = None
    weight: float = 0.5
    """The λ of the method: how much similarity counts against likeness."""

    def __post_init__(self) -> None:
        require_within(self.weight, 0, 1, "`diverse` must be a weight")

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """Where the matches lie."""
        return missing_vectors(matches)

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
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
    """Order by similarity, weighted so, and by unlikeness to what stands before."""
    return Diverse(weight)


def _similar_before(like: npt.NDArray[np.bool_]) -> dict[int, list[int]]:
    """By match, those ranked before it that are like it."""
    earlier: dict[int, list[int]] = {}
    for at in np.flatnonzero(like).tolist():
        this, other = divmod(at, len(like))
        if other < this:
            earlier.setdefault(this, []).append(other)
    return earlier
