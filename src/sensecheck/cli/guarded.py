"""A row that was guarded, and as data: what the user said of it and of its references goes along."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.cli.guard_rows import Row
from sensecheck.core.errors import CannotJudge
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.origins import Origins
from sensecheck.retrieval.selection import Selection


@dataclass(frozen=True, slots=True)
class Guarded:
    """A row, and what came of it: a selection, or why there is none."""

    row: Row
    found: Selection | CannotJudge

    @property
    def named(self) -> dict[str, Any]:
        """The row's id, if it has one, and what stands under keys of the user's own."""
        return {**({} if self.row.id is None else {"id": self.row.id}), **self.row.own}

    def to_data(self) -> dict[str, Any]:
        """The selection as data, or the error in its place."""
        if not isinstance(self.found, Selection):
            return {**self.named, "query": self.row.query, "error": str(self.found)}
        data = self.found.to_data()
        self._give_back(self.found, data)
        return {**self.named, **data}

    def _give_back(self, found: Selection, data: dict[str, Any]) -> None:
        """Put what the user said of each reference beside what is told of it."""
        said: Sequence[Mapping[str, Any]] = self.row.owned or ({},) * len(self.row.matches)
        whose = Origins(self.row.matches, said)
        for match, told in _told(found, data):
            told.update(whose.of(match))
        for told in data.get("unread", ()):
            told.update(said[told["place"]])


def _told(found: Selection, data: dict[str, Any]) -> Iterator[tuple[Match, dict[str, Any]]]:
    """Each match of a selection, and the data that tells of it."""
    yield from zip(found.kept, data["kept"], strict=True)
    for gone, told in zip(found.dropped, data["dropped"], strict=True):
        yield gone.match, told
        if gone.twin is not None:
            yield gone.twin, told["twin"]
    for cut, told in zip(found.cut, data["cut"], strict=True):
        yield cut.match, told["from"]
        yield cut.kept, told["to"]
