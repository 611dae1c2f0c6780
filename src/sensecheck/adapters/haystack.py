"""A chain of guards as a component of Haystack."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

from sensecheck.adapters.guard_chain import ChainLike, DocumentCandidate, EncoderLike, Guarding, KeptDocument
from sensecheck.retrieval.match import Scale


@component
class SensecheckGuard:
    """Lets through what the chain keeps, in its order: the same documents, or the beginning of one.

    What cannot be judged raises. The output `selection` says, as plain data, what was dropped, and why.
    """

    def __init__(self, chain: ChainLike, *, encoder: EncoderLike = None, scores: Scale | None = None) -> None:
        self._guarding = Guarding(chain, encoder, scores=scores)

    @component.output_types(documents=list[Document], selection=dict[str, Any])  # type: ignore[untyped-decorator]
    def run(self, query: str, documents: list[Document]) -> dict[str, Any]:
        """The documents that may pass, and what each stage did."""
        selected, selection = self._guarding.select(query, [_candidate(document) for document in documents])
        return {"documents": [_document(document) for document in selected], "selection": selection.to_data()}

    def to_dict(self) -> dict[str, Any]:
        """The guard as plain data; an encoder can be written down by its name only."""
        data: dict[str, Any] = default_to_dict(self, **self._guarding.to_data())
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "SensecheckGuard":
        """The guard that was written down."""
        guard: SensecheckGuard = default_from_dict(cls, dict(data))
        return guard


def _candidate(document: Document) -> DocumentCandidate[Document]:
    return DocumentCandidate(document, document.content, document.score, document.meta, document.id)


def _document(selected: KeptDocument[Document]) -> Document:
    if selected.shortened is None:
        return selected.document
    return replace(selected.document, content=selected.shortened)
