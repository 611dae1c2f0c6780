"""Who scores answers beside expected ones: ragas, LlamaIndex, LangChain and ours, with one encoder."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.speed.eval_pairs import Asked
from langchain_classic.embeddings import CacheBackedEmbeddings
from langchain_classic.evaluation import load_evaluator
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryByteStore
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.evaluation import BatchEvalRunner, SemanticSimilarityEvaluator
from llama_index.core.storage.kvstore import SimpleKVStore
from pydantic import PrivateAttr
from ragas.cache import CacheInterface
from ragas.embeddings.base import BaseRagasEmbedding
from ragas.metrics.collections import SemanticSimilarity

from sensecheck.core.backends import Encoder
from sensecheck.core.sample import Sample
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.measures.metrics import metrics_named

Score = Callable[[Sequence[Asked]], list[float]]
"""Pairs to similarities."""
METRIC = "semantic_similarity"


def ours(encoder: Encoder) -> Score:
    """A panel of one metric."""
    panel = Panel(metrics_named([METRIC]), (NamedEncoder("minilm", encoder),))

    def score(asked: Sequence[Asked]) -> list[float]:
        samples = [Sample(one.answer, one.question, one.expected) for one in asked]
        return [reading.value or 0.0 for (reading,) in panel.read_each(samples)]

    return score


def ragas(encoder: Encoder, *, cached: bool = False) -> Score:
    """`SemanticSimilarity`, in its batches."""
    metric = SemanticSimilarity(embeddings=RagasEmbedding(encoder, InMemory() if cached else None))

    def score(asked: Sequence[Asked]) -> list[float]:
        given = [{"reference": one.expected, "response": one.answer} for one in asked]
        return [float(found.value) for found in asyncio.run(metric.abatch_score(given))]

    return score


def llama_index(encoder: Encoder, *, cached: bool = False) -> Score:
    """`SemanticSimilarityEvaluator`, in its batch runner."""
    cache = SimpleKVStore() if cached else None
    evaluator = SemanticSimilarityEvaluator(embed_model=LlamaIndexEmbedding(encoder, embeddings_cache=cache))

    def score(asked: Sequence[Asked]) -> list[float]:
        found = BatchEvalRunner({METRIC: evaluator}, workers=8).evaluate_response_strs(
            queries=[one.question for one in asked],
            response_strs=[one.answer for one in asked],
            contexts_list=[[""] for _ in asked],
            reference=[one.expected for one in asked],
        )
        return [float(one.score) for one in found[METRIC]]

    return score


def langchain(encoder: Encoder, *, cached: bool = False) -> Score:
    """The evaluator `embedding_distance`, pair by pair: it has no batches."""
    embeddings: Any = LangChainEmbeddings(encoder)
    if cached:
        embeddings = CacheBackedEmbeddings.from_bytes_store(
            embeddings, InMemoryByteStore(), namespace=encoder.fingerprint, key_encoder="blake2b"
        )
    evaluator = load_evaluator("embedding_distance", embeddings=embeddings)

    def score(asked: Sequence[Asked]) -> list[float]:
        return [
            1.0 - evaluator.evaluate_strings(prediction=one.answer, reference=one.expected)["score"]
            for one in asked
        ]

    return score


class RagasEmbedding(BaseRagasEmbedding):  # type: ignore[misc]  # unknown where ragas is not installed
    """Our encoder, as ragas asks for one."""

    def __init__(self, encoder: Encoder, cache: Any = None) -> None:
        super().__init__(cache=cache)
        self._encoder = encoder

    def embed_text(self, text: str, **_: Any) -> list[float]:
        """The vector of a text."""
        found: list[float] = self._encoder.encode([text])[0].vector.tolist()
        return found

    async def aembed_text(self, text: str, **others: Any) -> list[float]:
        """The same."""
        return self.embed_text(text, **others)


class InMemory(CacheInterface):  # type: ignore[misc]  # unknown where ragas is not installed
    """The quickest cache that ragas can be given."""

    def __init__(self) -> None:
        self._held: dict[str, Any] = {}

    def get(self, key: str) -> Any:
        """What is held; None without it."""
        return self._held.get(key)

    def set(self, key: str, value: Any) -> None:
        """Hold it."""
        self._held[key] = value

    def has_key(self, key: str) -> bool:
        """Whether it is held."""
        return key in self._held


class LlamaIndexEmbedding(BaseEmbedding):  # type: ignore[misc]  # unknown where LlamaIndex is not installed
    """Our encoder, as LlamaIndex asks for one."""

    _encoder: Encoder = PrivateAttr()

    def __init__(self, encoder: Encoder, **others: Any) -> None:
        super().__init__(model_name=encoder.name, **others)
        self._encoder = encoder

    def _get_text_embedding(self, text: str) -> list[float]:
        found: list[float] = self._encoder.encode([text])[0].vector.tolist()
        return found

    async def _aget_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embedding(text)

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class LangChainEmbeddings(Embeddings):  # type: ignore[misc]  # unknown where LangChain is not installed
    """Our encoder, as LangChain asks for one."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector a text."""
        return [placed.vector.tolist() for placed in self._encoder.encode(texts)]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        return self.embed_documents([text])[0]
