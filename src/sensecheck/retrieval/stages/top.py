"""The first so many."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import Asked


@dataclass(frozen=True, slots=True)
class Top:
    """Keeps the first `k`, in the order in which they come."""

    name: ClassVar[str] = "top"
    k: int

    def __post_init__(self) -> None:
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < 1:
            raise SpecError(f"`top` wants a whole number, at least 1; found {self.k!r:.40}")

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """The first `k`."""
        because = f"ranked below the first {self.k}"
        dropped = tuple(Dropped(match, self.name, because) for match in matches[self.k :])
        return Step(tuple(matches[: self.k]), dropped)


def top(k: int) -> Top:
    """Keep the first `k`."""
    return Top(k)
