"""What guards did to labelled retrievals, item by item and over all.

With it come the queries that lost all that was relevant, the guards in words and as data, and whether budgets
favoured items that stand early in the prompt, or late.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.backends import Backends
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import encode, to_data
from sensecheck.retrieval.chain import NOBODY, Chain
from sensecheck.retrieval.item_effects import Effect, Fates, ItemEffect, Traced, effect_on
from sensecheck.retrieval.labels import LabelledMatches
from sensecheck.retrieval.match import NotSelected, Retrieved
from sensecheck.retrieval.spec import MAIN, PLAIN, stage_to_data
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stages.threshold import Above
from sensecheck.stats.risk_coverage import Claim, Numbers, claimed
from sensecheck.text.escaping import cut

_ORDERS = 2_000
MIN_ITEMS = 8
"""With fewer, one item alone can make a trend or undo it."""
_CELLS = 2_000_000
_MIN_POINTS = 3
"""Two points always are on a line."""
_ROUNDING = 1e-9

_MAX_LABEL_CHARS = 40

_BATCH_SIZE = 256


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
        return claimed(self.correlation, self.p_value, self.confidence, enough=self.items >= MIN_ITEMS)

    def to_data(self) -> dict[str, Any]:
        """The figures and the claim, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__slots__} | {
            "claim": self.claim,
            "fewest_items": MIN_ITEMS,
        }


@dataclass(frozen=True, slots=True)
class LostReference:
    """A relevant reference that a guard dropped."""

    text: str
    closeness: float
    """As the stage saw it, which may have been measured anew by one before it."""
    stage: str
    because: str
    source: str = ""
    id: str | None = None

    def to_data(self) -> dict[str, Any]:
        """The reference and its end; a source and an id where it has them."""
        data = {name: getattr(self, name) for name in ("text", "closeness", "stage", "because")}
        return data | ({"source": self.source} if self.source else {}) | _id_data(self.id)


@dataclass(frozen=True, slots=True)
class LostQuery:
    """A query that lost its last relevant reference, with all that it lost."""

    item: str
    query: str
    references: tuple[LostReference, ...]
    """Those that were relevant, the closest first."""
    id: str | int | None = None

    def to_data(self) -> dict[str, Any]:
        """The query and what it lost, ready for JSON."""
        references = [one.to_data() for one in self.references]
        return {**_id_data(self.id), "item": self.item, "query": self.query, "references": references}


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
    """Each stage with its settings, in words."""
    chain: tuple[Any, ...] = ()
    """The same as data; a stage that is no data, by its name."""

    @property
    def items_differ(self) -> bool:
        """Whether items can be compared with each other: several, and not each query its own."""
        return len(self.items) > 1 and any(item.effect.before.queries > 1 for item in self.items)

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
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Backends = NOBODY, *, seed: int = 0
) -> Effects:
    """Put every row through the chain, and count; rows are taken a few hundred at a time."""
    effects_by_item: dict[str, Effect] = {}
    lost: list[LostQuery] = []
    for row, effect, lost_query in _effect_of_each(rows, chain, answerers):
        lost += [] if lost_query is None else [lost_query]
        effects_by_item[row.item] = (
            effects_by_item[row.item] + effect if row.item in effects_by_item else effect
        )
    if not effects_by_item:
        raise SampleError("there are no labelled retrievals; nothing can be said of the guards")
    items = [ItemEffect(item, place, total) for place, (item, total) in enumerate(effects_by_item.items(), 1)]
    overall = Effect()
    for item_effect in items:
        overall += item_effect.effect
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


def position_trend(
    positions: Sequence[int],
    kept: Sequence[float],
    *,
    seed: int = 0,
    orders: int = _ORDERS,
    confidence: float = 0.95,
) -> PositionTrend | None:
    """The trend over items; None where all shares are the same, so that there can be none."""
    if orders < 1 or not 0 < confidence < 1 or seed < 0:
        raise SpecError(
            "a trend must have at least 1 order, a confidence between 0 and 1 and a seed from 0 up; "
            f"got {orders}, {confidence:g}, {seed}"
        )
    if len(positions) < _MIN_POINTS or len(set(positions)) == 1 or len(set(kept)) == 1:
        return None
    places, shares = _unit_ranks(positions), _unit_ranks(kept)
    correlation = float(places @ shares)
    rng = np.random.default_rng(seed)
    batch_size = max(1, _CELLS // len(places))
    as_far = 0
    for begin in range(0, orders, batch_size):
        rows = np.tile(shares, (min(batch_size, orders - begin), 1))
        drawn = rng.permuted(rows, axis=1) @ places
        as_far += int((np.abs(drawn) >= abs(correlation) - _ROUNDING).sum())
    p_value = (1 + as_far) / (1 + orders)
    return PositionTrend(min(max(correlation, -1.0), 1.0), p_value, confidence, len(places), orders)


def guards_in_words(chain: Chain) -> tuple[str, ...]:
    """`above 0.5`, `distinct 0.95`, `top 4`: each stage with its settings, defaults included."""
    return tuple(" ".join((stage.name, *_stage_details(stage))) for stage in chain.stages)


def guards_as_data(chain: Chain) -> tuple[Any, ...]:
    """Each stage as a chain's file has it; one that is no data, by its name."""
    return tuple(_stage_data(stage) for stage in chain.stages)


def _id_data(id_: str | int | None) -> dict[str, Any]:
    return {} if id_ is None else {"id": id_}


def _effect_of_each(
    rows: Iterable[LabelledMatches], chain: Chain, answerers: Backends
) -> Iterator[tuple[LabelledMatches, Effect, LostQuery | None]]:
    """Each row with its effect, and what it lost if that was all.

    `waiting` has the rows that the chain has taken and not yet given back.
    """
    waiting: deque[tuple[LabelledMatches, Traced]] = deque()

    def retrieved() -> Iterator[Retrieved]:
        for row in rows:
            traced = Traced.of(row.matches)
            waiting.append((row, traced))
            yield Retrieved(row.query, traced.matches)

    for selection in chain.each(retrieved(), answerers, batch_size=_BATCH_SIZE):
        row, traced = waiting.popleft()
        if isinstance(selection, NotSelected):
            raise selection.error
        fates = traced.fates(selection)
        yield row, effect_on(row, selection, fates), _lost_query(row, fates)


def _lost_query(row: LabelledMatches, fates: Fates) -> LostQuery | None:
    """The query, if it had something relevant and nothing of it was kept."""
    relevant = [index for index, label in enumerate(row.relevant) if label]
    if not relevant or any(index in fates.kept for index in relevant):
        return None
    references = []
    for index in relevant:
        match, dropped = row.matches[index], fates.dropped[index]
        references.append(
            LostReference(
                match.text, dropped.match.closeness, dropped.stage, dropped.because, match.source, match.id
            )
        )
    references.sort(key=lambda reference: reference.closeness, reverse=True)
    return LostQuery(row.item, row.query, tuple(references), row.id)


def _trend(items: Sequence[ItemEffect], *, seed: int) -> PositionTrend | None:
    """The trend over the items that met a budget, by the share that the page and the table show."""
    share_by_position = {
        item.position: item.effect.kept_by_budget
        for item in items
        if item.effect.budgets and item.effect.kept_by_budget is not None
    }
    return position_trend(list(share_by_position), list(share_by_position.values()), seed=seed)


def _unit_ranks(values: Sequence[float]) -> Numbers:
    """Ranks around 0, scaled to length 1; equal values share a rank."""
    _, which, counts = np.unique(np.asarray(values, np.float64), return_inverse=True, return_counts=True)
    ranks = (counts.cumsum() - (counts - 1) / 2)[which]
    ranks -= ranks.mean()
    unit: Numbers = ranks / np.linalg.norm(ranks)
    return unit


def _stage_details(stage: Stage) -> Iterator[str]:
    if isinstance(stage, Above):
        yield f"{stage.cutoff.value:g}"
        if stage.cutoff.certificate is not None:
            yield f"(fitted on {cut(stage.cutoff.certificate.fitted_on, _MAX_LABEL_CHARS)})"
        if stage.cutoff.doubt is not None:
            low, high = stage.cutoff.doubt
            yield f"(unsure from {low:g} to {high:g}: {stage.unsure})"
    elif type(stage) in PLAIN.values():
        main = MAIN[stage.name]
        yield _value_text(getattr(stage, main))
        yield from _pairs_text({name: value for name, value in to_data(stage).items() if name != main})
    else:
        data = _stage_data(stage)
        settings = data[stage.name] if isinstance(data, Mapping) else {}
        yield from _pairs_text(settings) if isinstance(settings, Mapping) else [_value_text(settings)]


def _value_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    text = " or ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return cut(text, _MAX_LABEL_CHARS)


def _pairs_text(values: Mapping[str, Any]) -> list[str]:
    pairs = ", ".join(f"{name} {_value_text(value)}" for name, value in values.items())
    return [f"({pairs})"] if pairs else []


def _stage_data(stage: Stage) -> Any:
    try:
        return stage_to_data(stage, at=stage.name)
    except SpecError:  # a stage that someone made by hand
        return stage.name
