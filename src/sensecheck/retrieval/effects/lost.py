"""Queries that had a relevant reference, and have none after the guards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.retrieval.effects.labelled import LabelledMatches
from sensecheck.retrieval.effects.traced import Fates


@dataclass(frozen=True, slots=True)
class LostReference:
    """A relevant reference that a guard dropped."""

    text: str
    closeness: float
    """As the stage saw it, which may have been measured anew by one before it."""
    stage: str
    because: str
    source: str = ""
    id: str | None = None

    def to_data(self) -> dict[str, Any]:
        """The reference and its end; a source and an id where it has them."""
        told = {name: getattr(self, name) for name in ("text", "closeness", "stage", "because")}
        return told | ({"source": self.source} if self.source else {}) | _named(self.id)


@dataclass(frozen=True, slots=True)
class LostQuery:
    """A query that lost its last relevant reference, with all that it lost."""

    item: str
    query: str
    references: tuple[LostReference, ...]
    """Those that were relevant, the closest first."""
    id: str | int | None = None

    def to_data(self) -> dict[str, Any]:
        """The query and what it lost, ready for JSON."""
        references = [one.to_data() for one in self.references]
        return {**_named(self.id), "item": self.item, "query": self.query, "references": references}


def lost_query(row: LabelledMatches, fates: Fates) -> LostQuery | None:
    """The query, if it had something relevant and nothing of it was kept."""
    relevant = [index for index, label in enumerate(row.relevant) if label]
    if not relevant or any(index in fates.kept for index in relevant):
        return None
    return LostQuery(row.item, row.query, _closest_first(row, fates, relevant), row.id)


def _closest_first(row: LabelledMatches, fates: Fates, which: Sequence[int]) -> tuple[LostReference, ...]:
    found = []
    for index in which:
        came, gone = row.matches[index], fates.dropped[index]
        found.append(
            LostReference(came.text, gone.match.closeness, gone.stage, gone.because, came.source, came.id)
        )
    return tuple(sorted(found, key=lambda one: one.closeness, reverse=True))


def _named(id_: str | int | None) -> dict[str, Any]:
    return {} if id_ is None else {"id": id_}
