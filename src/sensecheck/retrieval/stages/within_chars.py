"""No more than so many characters."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from sensecheck.retrieval.fitting import Over, cut_at, fitted, must_be_budget
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Step
from sensecheck.retrieval.stage import Asked


@dataclass(frozen=True, slots=True)
class WithinChars:
    """Keeps the first matches whose texts have at most so many characters together.

    A match costs the length of its text; what the prompt writes around it is not counted.
    """

    name: ClassVar[str] = "within_chars"
    unit: ClassVar[Literal["chars"]] = "chars"
    chars: int
    over: Over = "stop"

    def __post_init__(self) -> None:
        must_be_budget(self.name, self.chars, self.over)

    @property
    def size(self) -> int:
        """How many characters there are."""
        return self.chars

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """Those that fit; exactly at the budget fits."""
        return fitted(matches, self)

    def used_with(self, kept: Sequence[Match], used: int, match: Match) -> int:
        """The characters of those that are kept, and of this one."""
        return used + len(match.text)

    def beginning(self, kept: Sequence[Match], used: int, match: Match) -> str:
        """As much of the text as there is room for."""
        return cut_at(match.text, self.chars - used)


def within_chars(chars: int, *, over: Over = "stop") -> WithinChars:
    """Keep what fits in so many characters; `over` says how to go on at one that does not."""
    return WithinChars(chars, over)
