"""What guards did to labelled retrievals, item by item and over all."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.data import encode
from sensecheck.core.encoder import Answerers
from sensecheck.core.errors import SampleError
from sensecheck.retrieval.chain import NOBODY, Chain
from sensecheck.retrieval.effects.by_position import PositionTrend, position_trend
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect, effect_on
from sensecheck.retrieval.effects.labelled import LabelledMatches
from sensecheck.retrieval.effects.traced import Traced
from sensecheck.retrieval.match import Retrieved

AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Effects:
    """All items in the order in which they stand in the prompt, and all of them together."""

    stages: tuple[str, ...]
    """The names of the chain's stages, in their order."""
    items: tuple[ItemEffect, ...]
    overall: Effect
    trend: PositionTrend | None
    """None where no budget dropped anything, or where there is one item only."""

    def to_data(self) -> dict[str, Any]:
        """All figures, ready for JSON."""
        return {
            "stages": list(self.stages),
            "overall": self.overall.to_data(),
            "position_trend": None if self.trend is None else encode(self.trend),
            "items": [one.to_data() for one in self.items],
        }


def effects_of(
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Answerers = NOBODY, *, seed: int = 0
) -> Effects:
    """Put every row through the chain, and count; rows are taken a few hundred at a time."""
    found = _Found()
    for row, effect in _each(rows, chain, answerers):
        found.add(row.item, effect)
    if not found.items:
        raise SampleError("there are no labelled retrievals; nothing can be said of the guards")
    items = [ItemEffect(item, place, one) for place, (item, one) in enumerate(found.items.items(), 1)]
    overall = Effect()
    for one in items:
        overall += one.effect
    trend = position_trend(found.positions, found.kept, seed=seed)
    return Effects(tuple(stage.name for stage in chain.stages), tuple(items), overall, trend)


@dataclass(slots=True)
class _Found:
    """What is known so far: a sum for each item, and two numbers for each query that met a budget."""

    items: dict[str, Effect] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    positions: list[int] = field(default_factory=list)
    kept: list[float] = field(default_factory=list)

    def add(self, item: str, effect: Effect) -> None:
        place = self.places.setdefault(item, len(self.places) + 1)
        self.items[item] = self.items[item] + effect if item in self.items else effect
        if effect.budgets and effect.kept_by_budget is not None:
            self.positions.append(place)
            self.kept.append(effect.kept_by_budget)


def _each(
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Answerers
) -> Iterator[tuple[LabelledMatches, Effect]]:
    """Each row with its effect; `waiting` holds those that the chain has taken and not yet given back."""
    waiting: deque[tuple[LabelledMatches, Traced]] = deque()

    def retrieved() -> Iterator[Retrieved]:
        for row in rows:
            traced = Traced.of(row.matches)
            waiting.append((row, traced))
            yield Retrieved(row.query, traced.matches)

    for selection in chain.each(retrieved(), answerers, at_once=AT_ONCE):
        row, traced = waiting.popleft()
        yield row, effect_on(row, selection, traced.fates(selection))
