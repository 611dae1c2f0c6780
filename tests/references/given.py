"""Matches that a test gives, and what a service makes of them."""

import asyncio
from collections.abc import Hashable, Iterable, Sequence
from enum import Enum

import pytest

from sensecheck.core.backends import Vectors
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.references import (
    EmbeddingService,
    EmbeddingSettings,
    ReferenceBundle,
    SimilarityMatch,
    TranscriptChunk,
)
from sensecheck.retrieval.match import Match


class Item(Enum):
    """What references are wanted for."""

    SLEEP = "Sleep"
    APPETITE = "Appetite"


class EmptyStore:
    """A store with nothing in it, for tests that give the matches themselves."""

    def search(self, vector: Vectors, k: int) -> list[Match]:
        return []


def match(
    text: str, similarity: float, score: float | None = 1, *, who: int | None = None
) -> SimilarityMatch:
    return SimilarityMatch(TranscriptChunk(text, who), similarity, score)


def bundled(
    settings: EmbeddingSettings, matches: Iterable[SimilarityMatch], item: Hashable = Item.SLEEP
) -> ReferenceBundle[Hashable]:
    """The bundle of one item for which these matches were computed."""
    service = EmbeddingService(HashingEncoder(), EmptyStore(), settings)
    held = list(matches)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service, "_compute_similarities", lambda query_emb, *, item: held)
        return asyncio.run(service.build_reference_bundle({item: ["evidence"]}))


def kept(settings: EmbeddingSettings, matches: Sequence[SimilarityMatch]) -> list[SimilarityMatch]:
    return bundled(settings, matches).item_references[Item.SLEEP]
