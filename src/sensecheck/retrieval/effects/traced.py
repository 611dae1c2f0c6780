"""Which of the references that went into a chain came out of it, whatever stages made of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.origins import Origins
from sensecheck.retrieval.selection import Dropped, Selection


@dataclass(frozen=True, slots=True)
class Traced:
    """Matches of one query, told apart by their metadata.

    Stages may give a match another closeness, or cut its text; the metadata is handed on as the same object,
    so each match goes into the chain with a mapping of its own.
    """

    matches: tuple[Match, ...]

    @classmethod
    def of(cls, matches: Sequence[Match]) -> Self:
        """The matches, equal to those given, each with its own metadata."""
        return cls(tuple(replace(match, metadata=dict(match.metadata)) for match in matches))

    def fates(self, selection: Selection) -> "Fates":
        """What became of each match; one that is lost, or came out twice, is an error."""
        numbers = Origins(self.matches, range(len(self.matches)))
        kept = {numbers.get(match, -1): match for match in selection.kept}
        dropped = {numbers.get(gone.match, -1): gone for gone in selection.dropped}
        out = len(selection.kept) + len(selection.dropped)
        if out != len(self.matches) or {*kept, *dropped} != set(range(len(self.matches))):
            raise SpecError(
                f"{len(self.matches)} references went into the chain and {len(selection.kept)} kept and "
                f"{len(selection.dropped)} dropped ones came out, which are not the same: a stage loses "
                "references, or makes new ones; wanted each of them once, with its metadata as it was"
            )
        return Fates(kept, dropped)


@dataclass(frozen=True, slots=True)
class Fates:
    """By the number of each match: as it was kept, or how it was dropped."""

    kept: dict[int, Match]
    dropped: dict[int, Dropped]
