"""Who guards: LangChain's and LlamaIndex's filters, and ours, all with the same encoder."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.speed.guard_texts import Asked
from langchain_classic.embeddings import CacheBackedEmbeddings
from langchain_classic.retrievers.document_compressors import EmbeddingsFilter
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.stores import InMemoryByteStore
from llama_index.core.base.embeddings.base import BaseEmbedding
from llama_index.core.indices.query.embedding_utils import get_top_k_embeddings
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
from llama_index.core.storage.kvstore import SimpleKVStore
from pydantic import PrivateAttr

from sensecheck.adapters.langchain import SensecheckCompressor
from sensecheck.adapters.llama_index import SensecheckPostprocessor
from sensecheck.core.backends import Encoder
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.selection import Selection
from sensecheck.retrieval.stages.threshold import above

Guard = Callable[[Sequence[Any]], list[list[str]]]
"""Prepared queries to the texts that each of them keeps."""
REMEMBER = 8192


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


class LlamaIndexEmbedding(BaseEmbedding):  # type: ignore[misc]  # unknown where LlamaIndex is not installed
    """Our encoder, as LlamaIndex asks for one."""

    _encoder: Encoder = PrivateAttr()

    def __init__(self, encoder: Encoder, **others: Any) -> None:
        super().__init__(model_name=encoder.name, **others)
        self._encoder = encoder

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return [placed.vector.tolist() for placed in self._encoder.encode(texts)]

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def documents_of(asked: Sequence[Asked]) -> list[tuple[str, list[Document]]]:
    """What a retriever of LangChain hands on."""
    return [(one.query, [Document(page_content=text) for text in one.texts]) for one in asked]


def nodes_of(asked: Sequence[Asked]) -> list[tuple[str, list[NodeWithScore]]]:
    """What a retriever of LlamaIndex hands on, scores included."""
    return [
        (
            one.query,
            [
                NodeWithScore(node=TextNode(text=text), score=score)
                for text, score in zip(one.texts, one.closeness, strict=True)
            ],
        )
        for one in asked
    ]


def matches_of(asked: Sequence[Asked]) -> list[tuple[str, list[Match]]]:
    """What one of our indexes hands on."""
    return [
        (one.query, [Match(text, score) for text, score in zip(one.texts, one.closeness, strict=True)])
        for one in asked
    ]


def embeddings_filter(encoder: Encoder, cutoff: float, *, cached: bool) -> Guard:
    """LangChain's filter; its cache is the quickest that it has, in memory, for queries too."""
    embeddings: Embeddings = LangChainEmbeddings(encoder)
    if cached:
        embeddings = CacheBackedEmbeddings.from_bytes_store(
            embeddings, InMemoryByteStore(), query_embedding_cache=True, key_encoder="blake2b"
        )
    guard = EmbeddingsFilter(embeddings=embeddings, k=None, similarity_threshold=cutoff)
    return _compressing(guard)


def our_compressor(encoder: Encoder, cutoff: float) -> Guard:
    """Our chain in the same place, one query at a time."""
    return _compressing(SensecheckCompressor(chain(above(cutoff)), encoder=encoder))


def _compressing(guard: Any) -> Guard:
    def kept(prepared: Sequence[tuple[str, list[Document]]]) -> list[list[str]]:
        return [
            [document.page_content for document in guard.compress_documents(documents, query)]
            for query, documents in prepared
        ]

    return kept


def similarity_postprocessor(encoder: Encoder, cutoff: float, *, cached: bool) -> Guard:
    """LlamaIndex's filter, on scores that its own embedding and its own similarity give."""
    cache = {"embeddings_cache": SimpleKVStore()} if cached else {}
    embedding = LlamaIndexEmbedding(encoder, embed_batch_size=32, **cache)
    guard = SimilarityPostprocessor(similarity_cutoff=cutoff)

    def scored(query: str, nodes: list[NodeWithScore]) -> list[NodeWithScore]:
        vectors = embedding.get_text_embedding_batch([node.node.get_content() for node in nodes])
        scores, places = get_top_k_embeddings(embedding.get_query_embedding(query), vectors)
        return [
            NodeWithScore(node=nodes[at].node, score=score) for score, at in zip(scores, places, strict=True)
        ]

    def kept(prepared: Sequence[tuple[str, list[NodeWithScore]]]) -> list[list[str]]:
        return [
            [node.text for node in guard.postprocess_nodes(scored(query, nodes))] for query, nodes in prepared
        ]

    return kept


def ours(encoder: Encoder, cutoff: float) -> Guard:
    """Our chain over a stream of queries."""
    keep, placing = chain(above(cutoff)), remembering(encoder, REMEMBER)

    def kept(prepared: Sequence[Asked]) -> list[list[str]]:
        stream = matched_each(((one.query, one.texts) for one in prepared), placing)
        found = keep.each(stream)
        return [[match.text for match in one.kept] for one in found if isinstance(one, Selection)]

    return kept


def alone(encoder: Encoder) -> Guard:
    """Nobody: the encoder, handed each distinct text once, and no decision."""
    placing = remembering(encoder, REMEMBER)

    def kept(prepared: Sequence[Asked]) -> list[list[str]]:
        placing.encode(list(dict.fromkeys(_texts(prepared))))
        return []

    return kept


def _texts(asked: Sequence[Asked]) -> Iterator[str]:
    for one in asked:
        yield one.query
        yield from one.texts


def given_scores(cutoff: float) -> Mapping[str, Guard]:
    """Filtering alone: the scores are there."""
    theirs = SimilarityPostprocessor(similarity_cutoff=cutoff)
    in_place = SensecheckPostprocessor(chain(above(cutoff)), scores="cosine")
    keep = chain(above(cutoff))

    def postprocessing(guard: Any) -> Guard:
        def kept(prepared: Sequence[tuple[str, list[NodeWithScore]]]) -> list[list[str]]:
            return [
                [node.text for node in guard.postprocess_nodes(nodes, QueryBundle(query))]
                for query, nodes in prepared
            ]

        return kept

    def ours_alone(prepared: Sequence[tuple[str, list[Match]]]) -> list[list[str]]:
        return [[match.text for match in keep(matches, query=query).kept] for query, matches in prepared]

    return {
        "SimilarityPostprocessor": postprocessing(theirs),
        "our postprocessor": postprocessing(in_place),
        "ours": ours_alone,
    }
