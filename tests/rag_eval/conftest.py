"""A store in both databases, and the real model as an embedding model."""

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.rag_eval import Embeddings
from tests.store.conftest import address, store

__all__ = ["address", "model", "store"]


@pytest.fixture
def model(minilm: Encoder) -> Embeddings:
    """The real model."""
    return Embeddings.of(minilm)
