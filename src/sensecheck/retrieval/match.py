"""Matches: the references that a retriever found for a query, with their similarity to it.

What a store calls a score is turned into a similarity here, where the store is read.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Generic, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import CannotJudge, SampleError, SpecError, Unreadable
from sensecheck.core.serialization import did_you_mean

Scale = Literal["cosine", "cosine-distance", "half-cosine", "inner-product", "l2", "squared-l2"]
"""`cosine-distance` is 1 - cos; `half-cosine` is (1 + cos) / 2; the last three are of unit vectors."""
SLIP = 1e-4
"""How far arithmetic in single precision may carry a cosine beyond 1."""


def closeness_from(score: float, scale: Scale) -> float:
    """The cosine that a score on this scale stands for; a score that the scale does not have is an error."""
    if scale not in get_args(Scale):
        raise SpecError(did_you_mean("scale", scale, get_args(Scale)))
    if not isinstance(score, Real) or isinstance(score, bool):  # NumPy's numbers are real ones too
        raise SampleError(f"a score on the scale `{scale}` must be a number; got {type(score).__name__}")
    cosine = float(_cosine(float(score), scale))
    if not abs(cosine) <= 1 + SLIP:
        raise SampleError(
            f"{score} is not on the scale `{scale}`: it would be a cosine of {cosine:g}; "
            f"are the vectors of length 1, and is `{scale}` what the store gives?"
        )
    return min(max(cosine, -1.0), 1.0)


def _cosine(score: float, scale: Scale) -> float:
    if scale in ("l2", "squared-l2"):
        if score < -SLIP:
            return math.nan
        return 1 - (score if scale == "squared-l2" else score * score) / 2
    if scale == "cosine-distance":
        return 1 - score
    return 2 * score - 1 if scale == "half-cosine" else score


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Match:
    """A reference with its similarity: the cosine, from -1 to 1, and nothing else under that name.

    What a store gives instead (a distance, an inner product, a score from 0 to 1) is turned into it by
    `closeness_from`, where the store is read.
    """

    text: str
    closeness: float
    source: str = ""
    """Where the text comes from, for people: a file, an address, an id."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reference_score: float | None = None
    """What someone gave this reference, if references carry a score of their own."""
    encoder: str | None = None
    """The fingerprint of the encoder whose cosine it is; None if unknown."""
    id: str | None = None
    """What the store calls it."""
    vector: Vectors | None = field(default=None, repr=False, compare=False)
    """Where the text is, for stages that compare references; without it they ask the encoder.

    A list of numbers becomes an array.
    """

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise SampleError(f"`text` must be a string; got {type(self.text).__name__}")
        if not isinstance(self.closeness, Real) or isinstance(self.closeness, bool):
            raise SampleError(f"`closeness` must be a number; got {type(self.closeness).__name__}")
        if not isinstance(self.closeness, int | float):  # a single-precision one of NumPy's, say
            object.__setattr__(self, "closeness", float(self.closeness))
        if not -1 <= self.closeness <= 1:
            raise SampleError(
                f"`closeness` must be a cosine, from -1 to 1; got {self.closeness}; "
                "what a store gives is turned into one by `closeness_from(score, scale)`"
            )
        if isinstance(self.vector, list | tuple):
            kind = type(self.vector).__name__
            try:
                object.__setattr__(self, "vector", np.asarray(self.vector, np.float32))
            except (TypeError, ValueError) as error:
                raise SampleError(
                    f"`vector` must be an array of numbers; got a {kind} with something else"
                ) from error
        if self.vector is not None and getattr(self.vector, "ndim", None) != 1:
            raise SampleError(f"`vector` must be an array of numbers; got {type(self.vector).__name__}")


class UnreadReference(NamedTuple):
    """A reference whose similarity could not be measured: it may not pass."""

    text: str
    because: str
    place: int
    """Which of the references it is, counted from 0."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A query and its matches; references that could not be read stand apart."""

    query: str
    matches: tuple[Match, ...]
    unread: tuple[UnreadReference, ...] = ()


@dataclass(frozen=True, slots=True)
class NotSelected:
    """A query for which there is no selection, and why: neither an empty one nor a full one."""

    query: str | None
    error: CannotJudge

    @property
    def because(self) -> str:
        """Why, in words."""
        return str(self.error)


def require_matches(found: Retrieved | NotSelected) -> tuple[Match, ...]:
    """The matches of all references, or the reason why one of them, or the query, has none."""
    if isinstance(found, NotSelected):
        raise found.error
    for reference in found.unread:
        raise Unreadable(f"reference {reference.place}, counted from 0, cannot be read: {reference.because}")
    return found.matches


class Origins(Generic[T]):
    """What each match was made of: a stage may give it another similarity or cut its text, but hands on its
    metadata as the same object, so each match must go into the chain with a mapping of its own.
    """

    def __init__(self, matches: Sequence[Match], origins: Sequence[T]) -> None:
        self._matches = tuple(matches)  # held, so that no other mapping can take the place of one of theirs
        self._origins = {
            id(match.metadata): origin for match, origin in zip(self._matches, origins, strict=True)
        }

    def get(self, match: Match, otherwise: T) -> T:
        """What the match was made of; something else for one that did not go into the chain."""
        return self._origins.get(id(match.metadata), otherwise)

    def of(self, match: Match) -> T:
        """What the match was made of; one that did not go into the chain is an error."""
        if id(match.metadata) not in self._origins:
            raise SpecError(
                "a stage of the chain kept a match that it was not given, or changed its metadata"
            )
        return self._origins[id(match.metadata)]
