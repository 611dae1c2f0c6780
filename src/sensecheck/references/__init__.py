"""References for the items of a prompt, under the names that the field's documents give them."""

from sensecheck.references.bundle import ReferenceBundle, SimilarityMatch, TranscriptChunk
from sensecheck.references.embedding_service import EmbeddingService
from sensecheck.references.settings import EmbeddingSettings

__all__ = [
    "EmbeddingService",
    "EmbeddingSettings",
    "ReferenceBundle",
    "SimilarityMatch",
    "TranscriptChunk",
]
