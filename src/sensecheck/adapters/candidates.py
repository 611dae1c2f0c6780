"""A document of a framework as a chain reads it, and as it comes out again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Generic, TypeVar

from sensecheck.core.errors import MissingInput, SampleError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import Scale, closeness_from

T = TypeVar("T")


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


def which(at: int, candidate: Candidate[T]) -> str:
    """What a document is called in a message: its number, and where it comes from."""
    source = f" (`{candidate.source:.60}`)" if candidate.source else ""
    return f"document {at}{source}, counted from 0,"


def readable(at: int, candidate: Candidate[T]) -> str:
    """Its text, or `MissingInput`."""
    if candidate.text is None:
        raise MissingInput(f"{which(at, candidate)} has no text; a guard cannot judge what it cannot read")
    return candidate.text


def scored(at: int, candidate: Candidate[T], scale: Scale) -> Match:
    """The match that its own score makes of it; a score that the scale does not have is an error."""
    score = candidate.score
    if not isinstance(score, Real) or isinstance(score, bool):  # NumPy's numbers are real ones too
        found = "none" if score is None else type(score).__name__
        raise MissingInput(
            f"{which(at, candidate)} wants a score on the scale `{scale}`; found {found}; "
            "without `scores`, closeness is measured here"
        )
    try:
        closeness = closeness_from(float(score), scale)
    except SampleError as reason:
        raise SampleError(f"{which(at, candidate)} has a score that cannot be: {reason}") from reason
    return Match(readable(at, candidate), closeness, candidate.source, dict(candidate.metadata))


def kept_of(match: Match, one: Candidate[T]) -> Kept[T]:
    """The document whose match it is, as it may pass."""
    return Kept(one.document, None if match.text == one.text else match.text)
