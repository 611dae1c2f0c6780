"""What was found in an index, as matches."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.retrieval.indexes.index import Reference
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.scales import closeness_from

ROUNDING = 1e-6
"""How far two products of the same unit vectors may lie apart, by the order in which they were added up."""


class Found(NamedTuple):
    """A reference, its cosine, and its vector where the engine gave it."""

    reference: Reference
    closeness: float
    vector: Vectors | None = None


def matches_of(found: Iterable[Found], encoder: str) -> list[Match]:
    """The closest first; of those equally close among what was found, by their ids.

    Where more are equally close than were asked for, the engine says which of them are found.
    """
    ranked = sorted(found, key=lambda one: (-one.closeness, one.reference.id))
    return [_match_of(one, encoder) for one in ranked]


def nearest_matches(
    rows: Vectors, references: Sequence[Reference], asked: Vectors, *, k: int, encoder: str
) -> list[Match]:
    """The `k` whose rows lie nearest to a unit vector, exactly; of all equally close, by their ids."""
    roughly: Vectors = rows @ asked
    near = np.arange(len(roughly))
    if len(roughly) > k:
        least = np.partition(roughly, len(roughly) - k)[len(roughly) - k]
        near = np.flatnonzero(roughly >= least - ROUNDING)
    vectors = rows[near]
    # Row by row: a product of matrices gives equal rows scores that differ by where they stand.
    scores: Vectors = np.einsum("ij,j->i", vectors, asked)
    found = (
        Found(references[at], closeness_from(score, "inner-product"), row)
        for at, score, row in zip(near.tolist(), scores.tolist(), vectors, strict=True)
    )
    return matches_of(found, encoder)[:k]


def _match_of(found: Found, encoder: str) -> Match:
    reference = found.reference
    return Match(
        reference.text,
        found.closeness,
        source=reference.source,
        metadata=dict(reference.metadata),
        reference_score=reference.reference_score,
        encoder=encoder,
        id=reference.id,
        vector=found.vector,
    )
