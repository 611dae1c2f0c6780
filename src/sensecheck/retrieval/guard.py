"""What a chain leaves of each query, many at once, and how often it did what.

A query that cannot be judged does not hold up the others.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import CannotJudge, StaleCutoff
from sensecheck.encoders.memory import remembering
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.dataset import RetrievalRow
from sensecheck.retrieval.match import Match, NotSelected, Origins, Retrieved
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.selection import Selection, Spent

BATCH_SIZE = 64
"""Few enough for progress to be seen, and for memory to stay flat."""
CACHE_SIZE = 8192
"""Texts whose vectors stay in memory."""


@dataclass(frozen=True, slots=True)
class GuardedQuery:
    """A row, and its selection, or why there is none."""

    row: RetrievalRow
    result: Selection | CannotJudge

    @property
    def named(self) -> dict[str, Any]:
        """The row's id, if it has one, and what stands under keys of the user's own."""
        return {**({} if self.row.id is None else {"id": self.row.id}), **self.row.own}

    def to_data(self) -> dict[str, Any]:
        """The selection as data, or the error in its place."""
        if not isinstance(self.result, Selection):
            return {**self.named, "query": self.row.query, "error": str(self.result)}
        data = self.result.to_data()
        self._give_back(self.result, data)
        return {**self.named, **data}

    def _give_back(self, selection: Selection, data: dict[str, Any]) -> None:
        """Put the user's own keys of each reference into its data."""
        user_keys: Sequence[Mapping[str, Any]] = self.row.owned or ({},) * len(self.row.matches)
        origins = Origins(self.row.matches, user_keys)
        for match, entry in _entries(selection, data):
            entry.update(origins.of(match))
        for entry in data.get("unread", ()):
            entry.update(user_keys[entry["place"]])


def guard_each(rows: Iterable[RetrievalRow], chain: Chain, encoder: Encoder) -> Iterator[GuardedQuery]:
    """What the chain leaves of each row, in order."""
    answerers = Backends(remembering(encoder, CACHE_SIZE))
    waiting: deque[RetrievalRow] = deque()

    def retrieved() -> Iterator[Retrieved | NotSelected]:
        stream = iter(rows)
        while batch := list(islice(stream, BATCH_SIZE)):
            waiting.extend(batch)
            yield from _retrieved(batch, answerers)

    for result in chain.each(retrieved(), answerers, batch_size=BATCH_SIZE):
        row = waiting.popleft()
        yield GuardedQuery(row, _advised(row, result.error) if isinstance(result, NotSelected) else result)


@dataclass(slots=True)
class GuardTally:
    """Counts as queries come."""

    stages: Sequence[str]
    """The names of the chain's stages, in its order."""
    selections: int = 0
    errors: int = 0
    first_error: str = ""
    not_judged: int = 0
    """References of queries that have no selection."""
    kept: int = 0
    unread: int = 0
    """References whose similarity could not be measured."""
    cut: int = 0
    empty: int = 0
    """Queries that are left with nothing."""
    dropped: Counter[str] = field(default_factory=Counter)
    used: Counter[tuple[int, Spent]] = field(default_factory=Counter)
    """What all queries used together, by the budget's place among those of the chain, and itself unspent."""

    @property
    def queries(self) -> int:
        """All of them."""
        return self.selections + self.errors

    def count(self, guarded: GuardedQuery) -> None:
        """One more query."""
        result = guarded.result
        if isinstance(result, CannotJudge):
            self.first_error = self.first_error or f"{guarded.row.where}: {result}"
            self.errors += 1
            self.not_judged += len(guarded.row.matches)
            return
        self.selections += 1
        self.kept += len(result.kept)
        self.unread += len(result.unread)
        self.cut += len(result.cut)
        self.empty += not result.kept
        self.dropped.update(dropped.stage for dropped in result.dropped)
        for place, spent in enumerate(result.spent):  # two stages of one name and size are still two
            self.used[place, replace(spent, used=0)] += spent.used


def _retrieved(rows: Sequence[RetrievalRow], answerers: Backends) -> list[Retrieved | NotSelected]:
    """All of them with their similarity; where a row has none, the encoder measures it."""
    bare = [(row.query, [match.text for match in row.matches]) for row in rows if not row.measured]
    measured = matched_each(bare, answerers.encoder)
    return [
        Retrieved(row.query, row.matches) if row.measured else _joined(row.matches, next(measured))
        for row in rows
    ]


def _joined(references: Sequence[Match], measured: Retrieved | NotSelected) -> Retrieved | NotSelected:
    """The measured matches, with the other fields of their references."""
    if isinstance(measured, NotSelected):
        return measured
    unread = {entry.place for entry in measured.unread}
    readable = (reference for place, reference in enumerate(references) if place not in unread)
    matches = tuple(
        replace(reference, closeness=match.closeness, encoder=match.encoder, vector=match.vector)
        for reference, match in zip(readable, measured.matches, strict=True)
    )
    return replace(measured, matches=matches)


def _advised(row: RetrievalRow, error: CannotJudge) -> CannotJudge:
    """The error; where the cutoff is that of an encoder, and references name none, with what to do."""
    unsaid = row.measured and any(match.encoder is None for match in row.matches)
    if not (unsaid and isinstance(error, StaleCutoff)):
        return error
    return StaleCutoff(
        f"{error}; put `encoder` on the references, or leave `closeness` out and it is measured"
    )


def _entries(selection: Selection, data: dict[str, Any]) -> Iterator[tuple[Match, dict[str, Any]]]:
    """Each match of a selection, and its data."""
    yield from zip(selection.kept, data["kept"], strict=True)
    for dropped, entry in zip(selection.dropped, data["dropped"], strict=True):
        yield dropped.match, entry
        if dropped.twin is not None:
            yield dropped.twin, entry["twin"]
    for cut, entry in zip(selection.cut, data["cut"], strict=True):
        yield cut.match, entry["from"]
        yield cut.kept, entry["to"]
