"""Evidence to references: what is nearest to each item's evidence, and may pass."""

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.errors import EncoderError, SampleError, SpecError, StaleIndex, Unreadable
from sensecheck.core.space import Space
from sensecheck.references.bundle import Item, ReferenceBundle, SimilarityMatch
from sensecheck.references.settings import EmbeddingSettings, guards
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Selection

_NOT_ASKED = Selection(())
"""Of an item with too little evidence: it has no query."""


class ReferenceStore(Protocol):
    """Where references lie: an `Index`, or whatever else can be searched."""

    def search(self, vector: Vectors, k: int, /) -> Sequence[Match]:
        """The `k` nearest."""
        ...


class EmbeddingService:
    """An encoder, a store of its vectors, and the settings by which references are chosen."""

    def __init__(
        self, encoder: Encoder, reference_store: ReferenceStore, settings: EmbeddingSettings
    ) -> None:
        _require_same_encoder(encoder, reference_store, settings)
        self._encoder = encoder
        self._store = reference_store
        self._top_k = settings.top_k_references
        self._min_evidence_chars = settings.min_evidence_chars
        self._min_reference_similarity = settings.min_reference_similarity
        self._max_reference_chars_per_item = settings.max_reference_chars_per_item

    async def build_reference_bundle(self, evidence: Mapping[Item, Sequence[str]]) -> ReferenceBundle[Item]:
        """The references of each item, in the order of the items.

        The evidence of all items is encoded in one batch, next to the event loop. An item with too little
        evidence, or none but white space, gets an empty list.
        """
        queries = {item: _joined(item, texts) for item, texts in evidence.items()}
        return await asyncio.to_thread(self._bundle, queries)

    def _bundle(self, queries: Mapping[Item, str]) -> ReferenceBundle[Item]:
        space = Space.of((query for query in queries.values() if self._is_enough(query)), self._encoder)
        references: dict[Item, list[SimilarityMatch]] = {}
        selections: dict[Item, Selection] = {}
        for item, query in queries.items():
            if self._is_enough(query):
                references[item], selections[item] = self._guarded(
                    self._most_similar(item, query, space), query
                )
            else:
                references[item], selections[item] = [], _NOT_ASKED
        return ReferenceBundle(references, selections)

    def _is_enough(self, query: str) -> bool:
        return len(query) >= self._min_evidence_chars and bool(query.strip())

    def _most_similar(self, item: Hashable, query: str, space: Space) -> list[SimilarityMatch]:
        """The most similar first; of equals, the one that came first."""
        try:
            vector = space.vector(query)
        except Unreadable as reason:
            raise Unreadable(f"the evidence of the item {item!r:.60} cannot be read: {reason}") from reason
        matches = self._compute_similarities(vector, item=item)
        return sorted(matches, key=lambda match: match.similarity, reverse=True)

    def _compute_similarities(self, query_emb: Vectors, *, item: Hashable) -> list[SimilarityMatch]:
        """The nearest references, the same for any item; no more are searched for than may be selected."""
        matches = self._store.search(query_emb, self._top_k)
        return [SimilarityMatch.from_match(match) for match in matches]

    def _guarded(
        self, matches: Sequence[SimilarityMatch], query: str
    ) -> tuple[list[SimilarityMatch], Selection]:
        """The matches that pass, as they came in, and the selection of the guards."""
        generic_matches = [match.to_match() for match in matches]
        chain = guards(self._min_reference_similarity, self._top_k, chars=self._max_reference_chars_per_item)
        selection = chain(generic_matches, query=query)
        originals = {id(generic): match for generic, match in zip(generic_matches, matches, strict=True)}
        return [originals[id(selected)] for selected in selection.kept], selection


def _joined(item: Hashable, texts: Sequence[str]) -> str:
    if isinstance(texts, str) or not isinstance(texts, Sequence):
        kind = type(texts).__name__
        raise SampleError(f"the evidence of the item {item!r:.60} must be a list of strings; got {kind}")
    for text in texts:
        if not isinstance(text, str):
            kind = type(text).__name__
            raise SampleError(f"the evidence of the item {item!r:.60} must be strings; got {kind}")
    return "\n".join(texts)


def _require_same_encoder(encoder: Encoder, store: ReferenceStore, settings: EmbeddingSettings) -> None:
    if not callable(getattr(store, "search", None)):
        raise SpecError(f"`reference_store` must have `search`; got {type(store).__name__}")
    made_by = getattr(store, "encoder", None)
    if made_by is not None and made_by != encoder.fingerprint:
        raise StaleIndex(
            f"the reference store holds vectors of the encoder `{made_by}`; in use is "
            f"`{encoder.fingerprint}`: their similarity would mean nothing; build the store again"
        )
    if settings.dimension > 0 and settings.dimension != encoder.dimension:
        raise EncoderError(
            f"`dimension` is {settings.dimension}, but the encoder `{encoder.name}` gives vectors of "
            f"{encoder.dimension} numbers; set it to that, or to 0"
        )
