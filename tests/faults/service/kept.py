"""Whether all that was acknowledged is in the database, each once."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of acknowledged messages."""

    acknowledged: int
    lost: int
    doubled: int
    """Messages that are in the database more than once, or that two readers were told of."""

    @classmethod
    def of(cls, acknowledged: Iterable[str], found: Mapping[str, int]) -> "Kept":
        """Held against how often each is in the database."""
        listed = list(acknowledged)
        once = set(listed)
        twice = sum(times > 1 for times in found.values()) + len(listed) - len(once)
        return cls(len(listed), len(once - found.keys()), twice)

    @property
    def all_well(self) -> bool:
        """Nothing lost, nothing doubled."""
        return self.lost == self.doubled == 0
