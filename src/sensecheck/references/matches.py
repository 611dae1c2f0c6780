"""A piece of a transcript, and how similar it is to an item's evidence."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, Self

from sensecheck.core.errors import SampleError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from

_WHO = "participant_id"


@dataclass(frozen=True, slots=True)
class TranscriptChunk:
    """A text, who said it, and what else is known of it."""

    text: str
    participant_id: int | str | None = None
    source: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise SampleError(f"`text` wants a text; found {type(self.text).__name__}")


@dataclass(frozen=True, slots=True)
class SimilarityMatch:
    """A chunk with its similarity: a cosine, from -1 to 1, which a `Match` calls closeness."""

    chunk: TranscriptChunk
    similarity: float
    reference_score: float | None = None
    """What somebody gave this reference."""
    encoder: str | None = None
    """The fingerprint of the encoder whose cosine it is; None where nobody said."""

    def __post_init__(self) -> None:
        _must_be_number("similarity", self.similarity)
        if self.reference_score is not None:
            _must_be_number("reference_score", self.reference_score)
        closeness_from(self.similarity, "cosine")

    @classmethod
    def from_match(cls, match: Match) -> Self:
        """A match under these names; its vector is left behind."""
        others = {key: value for key, value in match.metadata.items() if key != _WHO}
        chunk = TranscriptChunk(match.text, match.metadata.get(_WHO), match.source, others)
        return cls(chunk, match.closeness, match.reference_score, match.encoder)

    def to_match(self) -> Match:
        """The same under our names; the participant stands in the metadata."""
        chunk = self.chunk
        who = {} if chunk.participant_id is None else {_WHO: chunk.participant_id}
        closeness = float(closeness_from(self.similarity, "cosine"))
        return Match(
            chunk.text, closeness, chunk.source, {**chunk.metadata, **who}, self.reference_score, self.encoder
        )


def _must_be_number(name: str, found: object) -> None:
    """NumPy's numbers are numbers too."""
    if isinstance(found, bool) or not isinstance(found, Real) or not math.isfinite(found):
        raise SampleError(f"`{name}` wants a finite number; found {found!r:.20}")
