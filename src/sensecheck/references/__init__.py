"""References for the items of a prompt, under the names that the field's documents give them."""

from sensecheck.references.bundle import ReferenceBundle
from sensecheck.references.embedding import EmbeddingService
from sensecheck.references.matches import SimilarityMatch, TranscriptChunk
from sensecheck.references.settings import EmbeddingSettings

__all__ = [
    "EmbeddingService",
    "EmbeddingSettings",
    "ReferenceBundle",
    "SimilarityMatch",
    "TranscriptChunk",
]
