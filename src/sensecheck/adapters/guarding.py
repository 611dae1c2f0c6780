"""A chain that another framework was given, and its selections among that framework's documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from numbers import Real
from threading import Lock
from typing import Any, Generic, TypeVar, get_args

from sensecheck.core.encoder import Encoder
from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.nearest import unknown
from sensecheck.encoders.remembered import remembering
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched
from sensecheck.retrieval.scales import Scale, closeness_from
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.spec import chain_from_data
from sensecheck.retrieval.stage import AskingStage
from sensecheck.wiring import Settings, encoder, shelf

ChainData = Sequence[str | Mapping[str, Any]]
ChainLike = Chain | ChainData
"""A chain, or the data that describes one."""
EncoderLike = Encoder | str | None
"""An encoder, its name as in SENSECHECK_ENCODER, or None for the one that the environment names."""
OnSelection = Callable[[Selection], object]
"""Is told of every selection: what was kept, what was dropped, and why."""
MEMORY = 4096
"""How many texts stay placed from one query to the next."""
T = TypeVar("T")
_LOADING = Lock()


@dataclass(frozen=True, slots=True)
class Candidate(Generic[T]):
    """A document of the framework, and what a chain reads of it."""

    document: T
    text: str | None
    score: object = None
    """What the retriever gave it: a number, where scores are trusted."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A document that may pass."""

    document: T
    shortened: str | None = None
    """Its text, where only a part of it may pass."""


class Guarding:
    """Reads the chain at once, so that a slip is told early; the model is loaded for the first query.

    Closeness is measured here, unless `scores` names the scale of the scores that the documents bring.
    """

    def __init__(self, chain: ChainLike, encoder: EncoderLike = None, *, scores: Scale | None = None) -> None:
        if scores is not None and scores not in get_args(Scale):
            raise SpecError(unknown("scale", scores, get_args(Scale)))
        self.chain = chain if isinstance(chain, Chain) else _read(chain)
        self._encoder = (
            encoder if encoder is None or isinstance(encoder, str) else remembering(encoder, MEMORY)
        )
        self._scores = scores
        self._asks = any(isinstance(stage, AskingStage) for stage in self.chain.stages)

    def select(
        self, query: str | None, candidates: Sequence[Candidate[T]]
    ) -> tuple[list[Kept[T]], Selection]:
        """What may pass, in the chain's order; what cannot be judged raises, and nothing passes."""
        matches = self._matches(query, candidates)
        selection = self.chain(matches, query=query, encoder=self._placing() if self._asks else None)
        # A stage may make a match anew, but it hands on the metadata: they tell whose match it is.
        whose = {id(match.metadata): one for match, one in zip(matches, candidates, strict=True)}
        return [_kept(match, whose) for match in selection.kept], selection

    def _matches(self, query: str | None, candidates: Sequence[Candidate[T]]) -> list[Match]:
        if self._scores is not None:
            return [_scored(at, one, self._scores) for at, one in enumerate(candidates)]
        if query is None:
            raise MissingInput(
                "closeness is measured against the query, and there is none; "
                "hand on the query, or name the scale of the retriever's own scores as `scores`"
            )
        texts = [_text(at, one) for at, one in enumerate(candidates)]
        measured = matched(query, texts, self._placing()) if texts else ()
        return [
            replace(match, source=one.source, metadata=dict(one.metadata))
            for match, one in zip(measured, candidates, strict=True)
        ]

    def _placing(self) -> Encoder:
        given = self._encoder
        return _named(given) if given is None or isinstance(given, str) else given


def _named(name: str | None) -> Encoder:
    """The encoder of this name, or the one that the environment names: one in memory for all guards."""
    settings = Settings.from_environment()
    with _LOADING:
        return _loaded(settings if name is None else replace(settings, encoder=name))


@cache
def _loaded(settings: Settings) -> Encoder:
    return remembering(encoder(settings), MEMORY)


def _read(data: ChainData) -> Chain:
    return chain_from_data(data, shelf=shelf(Settings.from_environment()), encoders=_named)


def _text(at: int, candidate: Candidate[T]) -> str:
    if candidate.text is None:
        raise MissingInput(f"document {at} has no text; a guard cannot judge what it cannot read")
    return candidate.text


def _scored(at: int, candidate: Candidate[T], scale: Scale) -> Match:
    score = candidate.score
    if not isinstance(score, Real) or isinstance(score, bool):  # NumPy's numbers are real ones too
        found = "none" if score is None else type(score).__name__
        raise MissingInput(
            f"document {at} wants a score on the scale `{scale}`; found {found}; "
            "without `scores`, closeness is measured here"
        )
    closeness = closeness_from(float(score), scale)
    return Match(_text(at, candidate), closeness, candidate.source, dict(candidate.metadata))


def _kept(match: Match, whose: Mapping[int, Candidate[T]]) -> Kept[T]:
    one = whose.get(id(match.metadata))
    if one is None:
        raise SpecError("a stage of the chain kept a match that it was not given, or changed its metadata")
    return Kept(one.document, None if match.text == one.text else match.text)
