"""A second opinion on the order: another encoder's, or a cross-encoder's."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from sensecheck.core.encoder import Answerers, Encoder, PairScorer
from sensecheck.core.errors import Unreadable
from sensecheck.core.needs import Needs
from sensecheck.core.space import Space
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import Asked


@dataclass(frozen=True, slots=True)
class Rerank:
    """Puts the matches in the order of an encoder's closeness, which then is theirs."""

    name: ClassVar[str] = "rerank"
    encoder: Encoder | None = None
    """None for the one that answers the chain."""

    @property
    def answerers(self) -> Answerers | None:
        """The encoder alone."""
        return None if self.encoder is None else Answerers(self.encoder)

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """The query, and the texts of all matches: another encoder made the vectors that they may bring."""
        if not matches:
            return Needs()
        return Needs(texts=(Asked(query).must_have_query(self.name), *(match.text for match in matches)))

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """The matches with their new closeness, the closest first."""
        scored: list[Match] = []
        dropped: list[Dropped] = []
        for match in matches:
            try:
                scored.append(_measured(match, asked.must_have_query(self.name), asked.space))
            except Unreadable as reason:
                dropped.append(Dropped(match, self.name, f"cannot be ranked: {reason}"))
        return Step(_ordered(scored, [match.closeness for match in scored]), tuple(dropped))


@dataclass(frozen=True, slots=True)
class RerankByPairs:
    """Puts the matches in the order of a cross-encoder's scores; their closeness stays what it was."""

    name: ClassVar[str] = "rerank"
    scorer: PairScorer

    @property
    def answerers(self) -> Answerers | None:
        """The cross-encoder alone."""
        return Answerers(pairs=self.scorer)

    def needs(self, matches: Sequence[Match], query: str | None) -> Needs:
        """Each match, paired with the query."""
        if not matches:
            return Needs()
        asked = Asked(query).must_have_query(self.name)
        return Needs(pairs=tuple((asked, match.text) for match in matches))

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """The matches, the best score first."""
        kept: list[Match] = []
        scores: list[float] = []
        dropped: list[Dropped] = []
        for match in matches:
            try:
                scores.append(asked.space.pair(asked.must_have_query(self.name), match.text).value)
            except Unreadable as reason:
                dropped.append(Dropped(match, self.name, f"cannot be ranked: {reason}"))
            else:
                kept.append(match)
        return Step(_ordered(kept, scores), tuple(dropped))


def rerank(by: Encoder | PairScorer | None = None) -> Rerank | RerankByPairs:
    """Order anew: by an encoder (its closeness replaces the old one), or by a cross-encoder's scores."""
    return RerankByPairs(by) if by is not None and not hasattr(by, "place") else Rerank(by)  # type: ignore[arg-type]


def _measured(match: Match, query: str, space: Space) -> Match:
    closeness = space.closeness(query, match.text)
    return replace(match, closeness=closeness, encoder=space.encoder, vector=space.vector(match.text))


def _ordered(matches: Sequence[Match], scores: Sequence[float]) -> tuple[Match, ...]:
    """The best first; of equals, the one that came first."""
    ranked = sorted(zip(scores, matches, strict=True), key=lambda pair: pair[0], reverse=True)
    return tuple(match for _, match in ranked)
