"""Whose match it is that came out of a chain, whatever stages made of it."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.match import Match

T = TypeVar("T")


class Origins(Generic[T]):
    """What each match was made of: a stage may give it another closeness or cut its text, but hands on its
    metadata as the same object, so each match must go into the chain with a mapping of its own.
    """

    def __init__(self, matches: Sequence[Match], origins: Sequence[T]) -> None:
        self._matches = tuple(matches)  # held, so that no other mapping can take the place of one of theirs
        self._origins = {id(match.metadata): one for match, one in zip(self._matches, origins, strict=True)}

    def get(self, match: Match, otherwise: T) -> T:
        """What the match was made of; something else for one that did not go into the chain."""
        return self._origins.get(id(match.metadata), otherwise)

    def of(self, match: Match) -> T:
        """What the match was made of; one that did not go into the chain is an error."""
        if id(match.metadata) not in self._origins:
            raise SpecError(
                "a stage of the chain kept a match that it was not given, or changed its metadata"
            )
        return self._origins[id(match.metadata)]
