"""Queries with what a retriever found for them, guarded one after the other."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.config import LateEncoder
from sensecheck.core.errors import SampleError
from sensecheck.guards.request import ChainRequest
from sensecheck.retrieval.dataset import RetrievalRow, Rising, one_alone, rows_from, rows_of
from sensecheck.retrieval.flags import block_of
from sensecheck.retrieval.guard import GuardedQuery, GuardTally, guard_each
from sensecheck.retrieval.prompt import Empty
from sensecheck.retrieval.selection import Selection


@dataclass(frozen=True, kw_only=True)
class GuardRequest(ChainRequest):
    """What was retrieved, and the guards that it is to pass."""

    retrieved: str | Iterable[Mapping[str, Any]]
    """A file with one query per line, `-` for standard input; or rows: `{"query": …, "references": […]}`."""
    empty: Empty | None = None
    """The block of a prompt where nothing is left: `omit` it, as None does, or `say` so."""
    one_query: bool = False
    """Refuse a second query, as where one bare prompt is to be written."""


class GuardedQueries:
    """The queries as they are guarded, once through; what is counted is complete at the end."""

    def __init__(self, request: GuardRequest) -> None:
        self._request = request
        self._rising = Rising()
        self._encoder = LateEncoder(request.settings)
        self.chain = request.guards(request.empty)
        self._block = block_of(self.chain, request.single_guards(request.empty))
        self.tally = GuardTally([stage.name for stage in self.chain.stages])

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know, as far as it is known by now."""
        unguarded = () if self.chain.stages else ("no guard is set: all is kept, by closeness",)
        doubt = self._rising.doubt(self._request.scale)
        return unguarded if doubt is None else (*unguarded, doubt)

    def prompt(self, selection: Selection) -> str:
        """The block that goes into the prompt for a selection; it may be empty."""
        return self._block(selection.kept)

    def __iter__(self) -> Iterator[GuardedQuery]:
        for guarded in guard_each(self._rows(), self.chain, self._encoder):
            self.tally.count(guarded)
            self._rising.count(guarded.row)
            yield guarded
        if not self.tally.queries:
            name = self._request.retrieved if isinstance(self._request.retrieved, str) else "retrieved"
            raise SampleError(f"`{name}` holds no query; nothing was guarded")

    def _rows(self) -> Iterator[RetrievalRow]:
        given, scale = self._request.retrieved, self._request.scale
        rows = rows_from(given, scale) if isinstance(given, str) else rows_of(given, scale)
        return one_alone(rows) if self._request.one_query else rows


def guard(request: GuardRequest) -> GuardedQueries:
    """Guard what was retrieved, query by query, as the result is iterated.

    A query that cannot be judged has an error for its result; rows that are wrong raise.
    """
    return GuardedQueries(request)
