"""The references of all items, ready for a prompt."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.references.entries import entry_of
from sensecheck.references.matches import SimilarityMatch
from sensecheck.retrieval.prompt import Empty, between_tags
from sensecheck.retrieval.selection import Selection

Item = TypeVar("Item", bound=Hashable)
_TAG = "Reference Examples"
_SAID = "No valid evidence found"


@dataclass(frozen=True, slots=True)
class ReferenceBundle(Generic[Item]):
    """By item, the references that may enter the prompt, the most similar first."""

    item_references: Mapping[Item, list[SimilarityMatch]]
    selections: Mapping[Item, Selection] = field(default_factory=dict, repr=False)
    """By item, what was kept, what was dropped and why, and what the budget spent."""

    def format_for_prompt(self, *, empty: Empty = "say") -> str:
        """The block as it goes into the prompt; where there is no reference, it says so, or is omitted."""
        if empty not in get_args(Empty):
            raise SpecError(unknown("value of `empty`", empty, get_args(Empty)))
        entries = [entry_of(item, match) for item, found in self.item_references.items() for match in found]
        return between_tags(_TAG, entries, empty=empty, said=_SAID)
