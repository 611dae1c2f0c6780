"""A chain of guards as a document compressor of LangChain."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document
from pydantic import ConfigDict, Field, PrivateAttr

from sensecheck.adapters.guard_chain import (
    ChainLike,
    DocumentCandidate,
    EncoderLike,
    Guarding,
    KeptDocument,
    OnSelection,
)
from sensecheck.retrieval.match import Scale


class SensecheckCompressor(BaseDocumentCompressor):  # type: ignore[misc]  # unknown where LangChain is not installed
    """Lets through what the chain keeps, in its order: the same documents, or the beginning of one.

    What cannot be judged raises. `on_selection` is told what was dropped, and why.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, extra="forbid")
    chain: Any = Field(frozen=True)
    """A chain, or a chain as data."""
    encoder: Any = Field(default=None, frozen=True)
    """An encoder, its name, or None for the one that the environment names."""
    scores: str | None = Field(default=None, frozen=True)
    """The scale of the scores under `score_key`; None to measure similarity here."""
    score_key: str = "score"
    """Where a document's metadata hold its score."""
    on_selection: Any = None
    _guarding: Guarding = PrivateAttr()

    def __init__(
        self,
        chain: ChainLike,
        *,
        encoder: EncoderLike = None,
        scores: Scale | None = None,
        score_key: str = "score",
        on_selection: OnSelection | None = None,
    ) -> None:
        super().__init__(
            chain=chain, encoder=encoder, scores=scores, score_key=score_key, on_selection=on_selection
        )
        self._guarding = Guarding(chain, encoder, scores=scores)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy is made anew, so that what is changed is in force."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**values | dict(update or {}))

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> list[Document]:
        """The documents that may pass."""
        selected, selection = self._guarding.select(
            query, [self._candidate(document) for document in documents]
        )
        if self.on_selection is not None:
            self.on_selection(selection)
        return [_document(document) for document in selected]

    def _candidate(self, document: Document) -> DocumentCandidate[Document]:
        metadata = document.metadata
        source = metadata.get("source", document.id)
        return DocumentCandidate(
            document,
            document.page_content,
            metadata.get(self.score_key),
            metadata,
            "" if source is None else str(source),
        )


def _document(selected: KeptDocument[Document]) -> Document:
    if selected.shortened is None:
        return selected.document
    return selected.document.model_copy(update={"page_content": selected.shortened})
