"""What guards did to labelled retrievals, item by item and over all."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.core.backends import Answerers
from sensecheck.core.errors import SampleError
from sensecheck.retrieval.chain import NOBODY, Chain
from sensecheck.retrieval.effects.by_position import PositionTrend, position_trend
from sensecheck.retrieval.effects.guards import guards_as_data, guards_in_words
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect, effect_on
from sensecheck.retrieval.effects.labelled import LabelledMatches
from sensecheck.retrieval.effects.lost import LostQuery, lost_query
from sensecheck.retrieval.effects.traced import Traced
from sensecheck.retrieval.retrieved import NotSelected, Retrieved

AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Effects:
    """All items in the order in which they stand in the prompt, and all of them together."""

    stages: tuple[str, ...]
    """The names of the chain's stages, in their order."""
    items: tuple[ItemEffect, ...]
    overall: Effect
    trend: PositionTrend | None
    """None where budgets left the same share to all items, or where there are hardly any items."""
    lost: tuple[LostQuery, ...] = ()
    """The queries that lost their last relevant reference."""
    guards: tuple[str, ...] = ()
    """Each stage with what it was told, in words."""
    chain: tuple[Any, ...] = ()
    """The same as data; a stage that is no data, by its name."""

    @property
    def items_differ(self) -> bool:
        """Whether items can be held against each other: several, and not each query its own."""
        return len(self.items) > 1 and any(one.effect.before.queries > 1 for one in self.items)

    def to_data(self) -> dict[str, Any]:
        """All figures, ready for JSON."""
        return {
            "stages": list(self.stages),
            "guards": list(self.guards),
            "chain": list(self.chain),
            "overall": self.overall.to_data(),
            "position_trend": None if self.trend is None else self.trend.to_data(),
            "lost": [one.to_data() for one in self.lost],
            "items_differ": self.items_differ,
            "items": [one.to_data() for one in self.items],
        }


def effects_of(
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Answerers = NOBODY, *, seed: int = 0
) -> Effects:
    """Put every row through the chain, and count; rows are taken a few hundred at a time."""
    found: dict[str, Effect] = {}
    lost: list[LostQuery] = []
    for row, effect, gone in _each(rows, chain, answerers):
        lost += [] if gone is None else [gone]
        found[row.item] = found[row.item] + effect if row.item in found else effect
    if not found:
        raise SampleError("there are no labelled retrievals; nothing can be said of the guards")
    items = [ItemEffect(item, place, one) for place, (item, one) in enumerate(found.items(), 1)]
    overall = Effect()
    for one in items:
        overall += one.effect
    stages = tuple(stage.name for stage in chain.stages)
    return Effects(
        stages,
        tuple(items),
        overall,
        _trend(items, seed=seed),
        tuple(lost),
        guards_in_words(chain),
        guards_as_data(chain),
    )


def _trend(items: Sequence[ItemEffect], *, seed: int) -> PositionTrend | None:
    """Over the items that met a budget, by what the page draws and the table tells of each."""
    kept = {
        one.position: one.effect.kept_by_budget
        for one in items
        if one.effect.budgets and one.effect.kept_by_budget is not None
    }
    return position_trend(list(kept), list(kept.values()), seed=seed)


def _each(
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Answerers
) -> Iterator[tuple[LabelledMatches, Effect, LostQuery | None]]:
    """Each row with its effect, and what it lost if that was all.

    `waiting` holds those that the chain has taken and not yet given back.
    """
    waiting: deque[tuple[LabelledMatches, Traced]] = deque()

    def retrieved() -> Iterator[Retrieved]:
        for row in rows:
            traced = Traced.of(row.matches)
            waiting.append((row, traced))
            yield Retrieved(row.query, traced.matches)

    for selection in chain.each(retrieved(), answerers, at_once=AT_ONCE):
        row, traced = waiting.popleft()
        if isinstance(selection, NotSelected):
            raise selection.error
        fates = traced.fates(selection)
        yield row, effect_on(row, selection, fates), lost_query(row, fates)
