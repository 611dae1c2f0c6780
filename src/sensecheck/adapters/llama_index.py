"""A chain of guards as a node postprocessor of LlamaIndex."""

from collections.abc import Mapping
from typing import Any, Self

from llama_index.core.callbacks import CallbackManager
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle
from pydantic import Field, FieldSerializationInfo, PrivateAttr, field_serializer

from sensecheck.adapters.guard_chain import (
    ChainLike,
    DocumentCandidate,
    EncoderLike,
    Guarding,
    KeptDocument,
    OnSelection,
)
from sensecheck.retrieval.match import Scale


class SensecheckPostprocessor(BaseNodePostprocessor):  # type: ignore[misc]  # unknown where LlamaIndex is not installed
    """Lets through what the chain keeps, in its order: the same nodes, or the beginning of one.

    What cannot be judged raises. `on_selection` is told what was dropped, and why.
    """

    chain: Any = Field(frozen=True)
    """A chain, or a chain as data."""
    encoder: Any = Field(default=None, frozen=True)
    """An encoder, its name, or None for the one that the environment names."""
    scores: str | None = Field(default=None, frozen=True)
    """The scale of the nodes' own scores; None to measure similarity here."""
    on_selection: Any = Field(default=None, exclude=True)
    _guarding: Guarding = PrivateAttr()

    def __init__(
        self,
        chain: ChainLike,
        *,
        encoder: EncoderLike = None,
        scores: Scale | None = None,
        on_selection: OnSelection | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        super().__init__(
            chain=chain,
            encoder=encoder,
            scores=scores,
            on_selection=on_selection,
            callback_manager=callback_manager or CallbackManager([]),
        )
        self._guarding = Guarding(chain, encoder, scores=scores)

    @classmethod
    def class_name(cls) -> str:
        """What LlamaIndex calls it where it is written down."""
        return "SensecheckPostprocessor"

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy is made anew, so that what is changed is in force."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self)(**values | dict(update or {}))

    def to_dict(self, **kwargs: Any) -> dict[str, Any]:
        """The guard as plain data; an encoder can be written down by its name only."""
        self._guarding.to_data()  # what cannot be written is reported here: pydantic would wrap the reason
        written: dict[str, Any] = super().to_dict(**kwargs)
        return written

    @field_serializer("chain", "encoder")
    def _as_data(self, value: object, info: FieldSerializationInfo) -> object:
        return self._guarding.to_data()[info.field_name]

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        query = None if query_bundle is None else query_bundle.query_str
        selected, selection = self._guarding.select(query, [_candidate(node) for node in nodes])
        if self.on_selection is not None:
            self.on_selection(selection)
        return [_node(document) for document in selected]


def _candidate(node: NodeWithScore) -> DocumentCandidate[NodeWithScore]:
    text = node.node.get_content(metadata_mode=MetadataMode.NONE)
    return DocumentCandidate(node, text, node.score, node.node.metadata, node.node.node_id)


def _node(selected: KeptDocument[NodeWithScore]) -> NodeWithScore:
    if selected.shortened is None:
        return selected.document
    shorter = selected.document.node.model_copy()
    shorter.set_content(selected.shortened)
    return NodeWithScore(node=shorter, score=selected.document.score)
