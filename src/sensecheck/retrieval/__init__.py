"""What may pass from a retriever into a prompt."""

from sensecheck.retrieval.chain import Chain, chain
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.matching import matched, matched_each
from sensecheck.retrieval.prompt import Block
from sensecheck.retrieval.retrieved import NotSelected, Retrieved, Unread
from sensecheck.retrieval.selection import Cut, Dropped, Selection, Spent
from sensecheck.retrieval.spec import chain_from_data, chain_to_data
from sensecheck.retrieval.stages.above import above
from sensecheck.retrieval.stages.distinct import distinct
from sensecheck.retrieval.stages.diverse import diverse
from sensecheck.retrieval.stages.reorder import reorder
from sensecheck.retrieval.stages.rerank import rerank
from sensecheck.retrieval.stages.tagged import tagged
from sensecheck.retrieval.stages.top import top
from sensecheck.retrieval.stages.within_chars import within_chars
from sensecheck.retrieval.stages.within_tokens import within_tokens

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
    "Unread",
    "above",
    "chain",
    "chain_from_data",
    "chain_to_data",
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
