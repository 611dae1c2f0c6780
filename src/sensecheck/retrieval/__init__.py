"""What may pass from a retriever into a prompt."""

from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.match import Match, NotSelected, Retrieved, UnreadReference, closeness_from
from sensecheck.retrieval.matching import matched, matched_each
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.selection import Cut, Dropped, Selection, Spent, Step
from sensecheck.retrieval.spec import chain_from_data, chain_to_data
from sensecheck.retrieval.stages.diversity import distinct, diverse
from sensecheck.retrieval.stages.limits import tagged, top, within_chars, within_tokens
from sensecheck.retrieval.stages.ranking import reorder, rerank
from sensecheck.retrieval.stages.threshold import above

__all__ = [
    "Block",
    "Chain",
    "Cut",
    "Dropped",
    "Match",
    "NotSelected",
    "Retrieved",
    "Selection",
    "Spent",
    "Step",
    "UnreadReference",
    "above",
    "chain",
    "chain_from_data",
    "chain_to_data",
    "closeness_from",
    "distinct",
    "diverse",
    "matched",
    "matched_each",
    "reorder",
    "rerank",
    "tagged",
    "top",
    "within_chars",
    "within_tokens",
]
