"""Stages that change the order: by another encoder or a cross-encoder, or with the best first and last."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, TypeGuard, get_args

from sensecheck.core.backends import Backends, Encoder, PairScorer
from sensecheck.core.cutoff import GoodSide
from sensecheck.core.errors import SpecError, Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import StageContext

Order = Literal["edges", "reverse"]


@dataclass(frozen=True, slots=True)
class Rerank:
    """Puts the matches in the order of an encoder's similarity, which then is theirs."""

    name: ClassVar[str] = "rerank"
    encoder: Encoder | None = None
    """None for the one that answers the chain."""

    @property
    def answerers(self) -> Backends | None:
        """The encoder alone."""
        return None if self.encoder is None else Backends(self.encoder)

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """The query, and the texts of all matches: another encoder made the vectors that they may bring."""
        if not matches:
            return Needs()
        return Needs(texts=(StageContext(query).require_query(self.name), *(match.text for match in matches)))

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """The matches with their new similarity, the closest first."""
        if not matches:
            return Step(())
        query, space = asked.require_query(self.name), asked.space
        space.vector(query)  # a query that cannot be read is an error, and not the fault of the references
        read, unread = _readable(matches, lambda match: space.vector(match.text), self.name)
        near = space.similarities(query, [match.text for match in read]).tolist() if read else []
        moved = [
            replace(match, closeness=closeness, encoder=space.encoder, vector=space.vector(match.text))
            for match, closeness in zip(read, near, strict=True)
        ]
        return Step(_ordered(moved, near), unread)


@dataclass(frozen=True, slots=True)
class RerankByPairs:
    """Puts the matches in the order of a cross-encoder's scores; their similarity stays what it was."""

    name: ClassVar[str] = "rerank"
    scorer: PairScorer
    good: GoodSide
    """Which scores are good: high ones, or low ones, as those of our verifier, which doubts."""

    def __post_init__(self) -> None:
        if self.good not in ("above", "below"):
            raise SpecError(f"`good` must be `above` or `below`; got `{self.good}`")

    @property
    def answerers(self) -> Backends | None:
        """The cross-encoder alone."""
        return Backends(pairs=self.scorer)

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """Each match, paired with the query."""
        if not matches:
            return Needs()
        required_query = StageContext(query).require_query(self.name)
        return Needs(pairs=tuple((required_query, match.text) for match in matches))

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """The matches, the best score first."""
        if not matches:
            return Step(())
        query, space = asked.require_query(self.name), asked.space
        read, unread = _readable(matches, lambda match: _score(query, match, space), self.name)
        if not read:
            raise Unreadable(f"no reference could be ranked for this query; the first {unread[0].because}")
        sign = 1 if self.good == "above" else -1
        return Step(_ordered(read, [sign * _score(query, match, space) for match in read]), unread)


def rerank(by: Encoder | PairScorer | None = None, *, good: GoodSide | None = None) -> Rerank | RerankByPairs:
    """Order anew: by an encoder, whose similarity replaces the old one, or by a cross-encoder's scores.

    Of a cross-encoder, say which scores are `good`: `"above"` where it rates relevance, `"below"` where it
    doubts, as `load_verifier` does.
    """
    if _is_scorer(by):
        if good is None:
            raise SpecError("`rerank` by a cross-encoder needs its `good` scores named: `above` or `below`")
        return RerankByPairs(by, good)
    if good is not None:
        raise SpecError("`good` is for a cross-encoder; with an encoder, closer is always better")
    if by is None or _is_encoder(by):
        return Rerank(by)
    raise SpecError(
        "`rerank` must be an encoder or a cross-encoder, such as `load_encoder('minilm')`; "
        f"got {type(by).__name__}"
    )


@dataclass(frozen=True, slots=True)
class Reorder:
    """`edges`: the best first, the second best last, and so on towards the middle; `reverse`: best last."""

    name: ClassVar[str] = "reorder"
    order: Order = "edges"

    def __post_init__(self) -> None:
        if self.order not in get_args(Order):
            raise SpecError(did_you_mean("order", self.order, get_args(Order)))

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """All of them, in the new order."""
        if self.order == "reverse":
            return Step(tuple(reversed(matches)))
        return Step((*matches[::2], *reversed(matches[1::2])))


def reorder(order: Order = "edges") -> Reorder:
    """Put the best at the edges, or last."""
    return Reorder(order)


def _readable(
    matches: Sequence[Match], look: Callable[[Match], object], stage: str
) -> tuple[list[Match], tuple[Dropped, ...]]:
    """The matches that were answered for; the others may not pass, and say why."""
    read: list[Match] = []
    unread: list[Dropped] = []
    for match in matches:
        try:
            look(match)
        except Unreadable as reason:
            unread.append(Dropped(match, stage, f"cannot be ranked: {reason}"))
        else:
            read.append(match)
    return read, tuple(unread)


def _ordered(matches: Sequence[Match], scores: Sequence[float]) -> tuple[Match, ...]:
    """The best first; of equals, the one that came first."""
    ranked = sorted(zip(scores, matches, strict=True), key=lambda pair: pair[0], reverse=True)
    return tuple(match for _, match in ranked)


def _score(query: str, match: Match, space: Space) -> float:
    score = space.pair(query, match.text).value
    if not math.isfinite(score):
        raise Unreadable(f"the cross-encoder gave {score}")
    return score


def _is_scorer(by: object) -> TypeGuard[PairScorer]:
    return hasattr(by, "score") and not _is_encoder(by)


def _is_encoder(by: object) -> TypeGuard[Encoder]:
    return hasattr(by, "encode") and hasattr(by, "dimension")  # a string has an `encode` too
