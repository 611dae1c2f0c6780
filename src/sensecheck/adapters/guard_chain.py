"""A chain that another framework was given, and its selections among that framework's documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from numbers import Real
from threading import Lock
from typing import Any, Generic, TypeVar, get_args

from sensecheck.config import Settings, chain_parts, encoder
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SampleError, SpecError, Unreadable
from sensecheck.core.serialization import did_you_mean
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.match import Match, NotSelected, Origins, Scale, closeness_from
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.spec import chain_from_parts, chain_to_data
from sensecheck.retrieval.stage import AskingStage

T = TypeVar("T")

ChainData = Sequence[str | Mapping[str, Any]]
ChainLike = Chain | ChainData
"""A chain, or the data that describes one."""
EncoderLike = Encoder | str | None
"""An encoder, its name as in SENSECHECK_ENCODER, or None for the one that the environment names."""
OnSelection = Callable[[Selection], object]
"""Is told of every selection: what was kept, what was dropped, and why."""
_MEMORY = 4096
"""How many texts stay encoded from one query to the next."""
_LOADING = Lock()


@dataclass(frozen=True, slots=True)
class DocumentCandidate(Generic[T]):
    """A document of the framework, and what a chain reads of it."""

    document: T
    text: str | None
    score: object = None
    """What the retriever gave it: a number, where scores are trusted."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, slots=True)
class KeptDocument(Generic[T]):
    """A document that may pass."""

    document: T
    shortened: str | None = None
    """Its text, where only a part of it may pass."""


class Guarding:
    """Reads chain and settings at once, so that a slip is reported early; a model is loaded when wanted.

    Closeness is measured here, unless `scores` names the scale of the scores that the documents bring.
    """

    def __init__(self, chain: ChainLike, encoder: EncoderLike = None, *, scores: Scale | None = None) -> None:
        if scores is not None and scores not in get_args(Scale):
            raise SpecError(did_you_mean("scale", scores, get_args(Scale)))
        settings = Settings.from_environment()
        # for the chain too: a name that both have stands for one encoder, with its prefix and its key
        self._settings = replace(settings, encoder=encoder) if isinstance(encoder, str) else settings
        self.chain = (
            chain if isinstance(chain, Chain) else chain_from_parts(chain, chain_parts(self._settings))
        )
        self._encoder_argument = encoder
        self._scores = scores
        self._encoder = None if encoder is None or isinstance(encoder, str) else remembering(encoder, _MEMORY)
        self._needs_encoder = any(
            isinstance(stage, AskingStage) and stage.answerers is None for stage in self.chain.stages
        )

    def __reduce__(self) -> tuple[Callable[..., "Guarding"], tuple[Chain, EncoderLike]]:
        """A copy, in another process too, is made anew: what the settings hold, such as keys, stays here."""
        return partial(Guarding, scores=self._scores), (self.chain, self._encoder_argument)

    def to_data(self) -> dict[str, Any]:
        """What it was made of, as plain data; an encoder can be written down by its name only."""
        if self._encoder_argument is not None and not isinstance(self._encoder_argument, str):
            raise SpecError(
                f"the encoder `{self._encoder_argument.name}` cannot be written down as it is; "
                "give its name, as in SENSECHECK_ENCODER, or none"
            )
        return {"chain": chain_to_data(self.chain), "encoder": self._encoder_argument, "scores": self._scores}

    def select(
        self, query: str | None, candidates: Sequence[DocumentCandidate[T]]
    ) -> tuple[list[KeptDocument[T]], Selection]:
        """What may pass, in the chain's order; what cannot be judged raises, and nothing passes."""
        matches = self._matches(query, candidates)
        query_encoder = self._query_encoder() if self._needs_encoder and matches else None
        selection = self.chain(matches, query=query, encoder=query_encoder)
        origins = Origins(matches, candidates)
        kept = [
            KeptDocument(origin.document, None if match.text == origin.text else match.text)
            for match, origin in ((match, origins.of(match)) for match in selection.kept)
        ]
        return kept, selection

    def _matches(self, query: str | None, candidates: Sequence[DocumentCandidate[T]]) -> list[Match]:
        if self._scores is not None:
            return [_scored(at, candidate, self._scores) for at, candidate in enumerate(candidates)]
        if query is None:
            raise MissingInput(
                "closeness is measured against the query, and there is none; "
                "hand on the query, or name the scale of the retriever's own scores as `scores`"
            )
        texts = [_readable(at, candidate) for at, candidate in enumerate(candidates)]
        measured = _measured(query, candidates, texts, self._query_encoder()) if texts else ()
        return [
            replace(match, source=candidate.source, metadata=dict(candidate.metadata))
            for match, candidate in zip(measured, candidates, strict=True)
        ]

    def _query_encoder(self) -> Encoder:
        if self._encoder is None:
            self._encoder = _loaded(self._settings)
        return self._encoder


def _scored(at: int, candidate: DocumentCandidate[T], scale: Scale) -> Match:
    """The match with the document's own score; a score outside the scale is an error."""
    score = candidate.score
    if not isinstance(score, Real) or isinstance(score, bool):  # NumPy's numbers are real ones too
        kind = "none" if score is None else type(score).__name__
        raise MissingInput(
            f"{_which(at, candidate)} must be a score on the scale `{scale}`; got {kind}; "
            "without `scores`, similarity is measured here"
        )
    try:
        closeness = closeness_from(float(score), scale)
    except SampleError as reason:
        raise SampleError(f"{_which(at, candidate)} has a score that cannot be: {reason}") from reason
    return Match(_readable(at, candidate), closeness, candidate.source, dict(candidate.metadata))


def _which(at: int, candidate: DocumentCandidate[T]) -> str:
    """What a document is called in a message: its number, and where it comes from."""
    source = f" (`{candidate.source:.60}`)" if candidate.source else ""
    return f"document {at}{source}, counted from 0,"


def _readable(at: int, candidate: DocumentCandidate[T]) -> str:
    """Its text, or `MissingInput`."""
    if candidate.text is None:
        raise MissingInput(f"{_which(at, candidate)} has no text; a guard cannot judge what it cannot read")
    return candidate.text


def _measured(
    query: str, candidates: Sequence[DocumentCandidate[T]], texts: Sequence[str], encoder: Encoder
) -> tuple[Match, ...]:
    matching = next(matched_each([(query, texts)], encoder))
    if isinstance(matching, NotSelected):
        raise matching.error
    for unread in matching.unread:
        raise Unreadable(f"{_which(unread.place, candidates[unread.place])} cannot be read: {unread.because}")
    return matching.matches


def _loaded(settings: Settings) -> Encoder:
    """The encoder that the settings name: one in memory for all guards, also for concurrent callers."""
    with _LOADING:
        return _cached_encoder(settings)


@cache
def _cached_encoder(settings: Settings) -> Encoder:
    return remembering(encoder(settings), _MEMORY)
