"""What was found in a text, and which of several findings counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sensecheck.measures.verdicts.words import EVEN

How = Literal["json", "tag", "marker", "label", "alone"]


@dataclass(frozen=True, slots=True)
class Stated:
    """A verdict that a text states, from 0 (fail) to 1 (pass), and where."""

    value: float
    start: int
    end: int
    how: How
    """How it was found."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict that was found, and how much it is to be believed."""

    stated: Stated
    rank: tuple[int, ...]
    """The findings with the lowest rank are believed."""
    topic: int = 0
    """The rank of its topic: a verdict's, a score's, an answer's."""

    def contradicts(self, other: "Finding") -> bool:
        """Whether it comes after the other and says something else; a score takes back no verdict."""
        if self.stated.start < other.stated.start or self.topic > other.topic:
            return False
        one, two = self.stated.value, other.stated.value
        return one != two if self.topic == other.topic else (one - EVEN) * (two - EVEN) < 0


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two verdicts of the same rank that disagree."""

    one: Stated
    other: Stated


def settled(findings: Iterable[Finding]) -> Finding | Conflict | None:
    """The last of the findings with the lowest rank; if they disagree, two that do."""
    listed = list(findings)
    if not listed:
        return None
    best = min(finding.rank for finding in listed)
    believed = [finding for finding in listed if finding.rank == best]
    last = max(believed, key=lambda finding: finding.stated.start)
    other = next((finding for finding in believed if finding.stated.value != last.stated.value), None)
    return Conflict(other.stated, last.stated) if other else last
