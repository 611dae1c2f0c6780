"""The table of all runs: filtered, paged, and each with the numbers of the runs before it."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Query

from sensecheck.studio.library import ListEntry

MAX_LISTED = 100
MAX_TREND = 20
"""Earlier runs in a trend."""


@dataclass(frozen=True, slots=True)
class RunQuery:
    """Which runs a page asks for; an empty text leaves out none."""

    project: str = ""
    kind: str = ""
    state: str = ""
    """`complete`, `interrupted`, `reading` or `unreadable`."""
    words: Annotated[str, Query(alias="q")] = ""
    """All of them must occur in the names of a run."""
    start: Annotated[int, Query(ge=0)] = 0
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50

    def matches(self, one: ListEntry) -> bool:
        """Whether a run is asked for."""
        return (
            self.project in ("", _text(one, "project"))
            and self.kind in ("", one.listed.kind)
            and self.state in ("", _state(one))
            and all(word in _words(one) for word in self.words.lower().split())
        )


def runs_page(every: list[ListEntry], query: RunQuery) -> dict[str, Any]:
    """One page of the runs that match, and what there is to choose from."""
    entries = [entry for entry in every if query.matches(entry)]
    return {
        "total": len(entries),
        "all": len(every),
        "start": query.start,
        "projects": sorted({_text(entry, "project") for entry in every if entry.listed.run}),
        "kinds": sorted({entry.listed.kind for entry in every}),
        "runs": [_entry_data(entry, every) for entry in entries[query.start : query.start + query.limit]],
    }


def _entry_data(entry: ListEntry, every: list[ListEntry]) -> dict[str, Any]:
    """A run of the list, with the numbers of earlier runs of the same test."""
    listed = entry.listed
    earlier = [
        other.listed.value
        for other in reversed(every)
        if other.listed.value is not None
        and other.listed.metric == listed.metric
        and other.listed.run is not None
        and listed.run is not None
        and (other.listed.run.project, other.listed.run.test) == (listed.run.project, listed.run.test)
        and (other.listed.run.at, other.listed.number) <= (listed.run.at, listed.number)
    ]
    data = listed.to_data() | {"id": entry.id, "pending": entry.pending, "state": _state(entry)}
    return data | {"trend": earlier[-MAX_TREND:]}


def _state(entry: ListEntry) -> str:
    if entry.listed.error is not None:
        return "unreadable"
    if entry.pending:
        return "reading"
    return "complete" if entry.listed.complete else "interrupted"


def _text(entry: ListEntry, name: str) -> str:
    return "" if entry.listed.run is None else str(getattr(entry.listed.run, name))


def _words(entry: ListEntry) -> str:
    names = (_text(entry, name) for name in ("project", "test", "name", "id", "run"))
    return " ".join((*names, entry.listed.kind, entry.listed.metric or "")).lower()
