"""A reference that a retriever found, and how close it lies to what was asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.backends import Vectors
from sensecheck.core.errors import SampleError


@dataclass(frozen=True, slots=True)
class Match:
    """A reference with its closeness: the cosine, from -1 to 1, and nothing else under that name.

    What a store gives instead (a distance, an inner product, a score from 0 to 1) is turned into it by
    `closeness_from`, where the store is read.
    """

    text: str
    closeness: float
    source: str = ""
    """Where the text comes from, for people: a file, an address, an id."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    reference_score: float | None = None
    """What somebody gave this reference, if references carry a score of their own."""
    encoder: str | None = None
    """The fingerprint of the encoder whose cosine it is; None where nobody said."""
    id: str | None = None
    """What the store calls it."""
    vector: Vectors | None = field(default=None, repr=False, compare=False)
    """Where the text lies, for stages that compare references; without it they ask the encoder."""

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise SampleError(f"`text` wants a text; found {type(self.text).__name__}")
        if not isinstance(self.closeness, int | float) or isinstance(self.closeness, bool):
            raise SampleError(f"`closeness` wants a number; found {type(self.closeness).__name__}")
        if not -1 <= self.closeness <= 1:
            raise SampleError(
                f"`closeness` wants a cosine, from -1 to 1; found {self.closeness}; "
                "what a store gives is turned into one by `closeness_from(score, scale)`"
            )
        if self.vector is not None and getattr(self.vector, "ndim", None) != 1:
            raise SampleError(f"`vector` wants an array of numbers; found {type(self.vector).__name__}")
