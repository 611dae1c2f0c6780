"""What an engine found, as matches."""

from collections.abc import Iterable
from typing import NamedTuple

from sensecheck.core.encoder import Vectors
from sensecheck.retrieval.indexes.index import Reference
from sensecheck.retrieval.match import Match


class Found(NamedTuple):
    """A reference, its cosine, and its vector where the engine gave it."""

    reference: Reference
    closeness: float
    vector: Vectors | None = None


def matches_of(found: Iterable[Found], encoder: str) -> list[Match]:
    """The closest first; of those equally close, by their ids: engines give them in any order."""
    ranked = sorted(found, key=lambda one: (-one.closeness, one.reference.id))
    return [match_of(one, encoder) for one in ranked]


def match_of(found: Found, encoder: str) -> Match:
    """One of them as a match."""
    reference = found.reference
    return Match(
        reference.text,
        found.closeness,
        reference.source,
        dict(reference.metadata),
        reference.reference_score,
        encoder,
        found.vector,
    )
