"""What was found in a text, and which of several findings counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

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


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two verdicts of the same rank that disagree."""

    one: Stated
    other: Stated


def settled(findings: Iterable[Finding]) -> Stated | Conflict | None:
    """The last of the findings with the lowest rank; if they disagree, two that do."""
    listed = list(findings)
    if not listed:
        return None
    best = min(finding.rank for finding in listed)
    believed = [finding.stated for finding in listed if finding.rank == best]
    last = max(believed, key=lambda stated: stated.start)
    other = next((stated for stated in believed if stated.value != last.value), None)
    return Conflict(other, last) if other else last
