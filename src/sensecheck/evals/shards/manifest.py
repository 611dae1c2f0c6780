"""The list of a run's results, written when all of them are there: what is not in it is nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.core.serialization import from_data, to_data
from sensecheck.evals.shards.plan import RunPlan

NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of results."""

    shard: str
    name: str
    rows: int
    errors: int
    size: int


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of an input that could not be read: its rows are in no file."""

    input: str
    start: int
    stop: int
    because: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """All that a reader needs to know of a run."""

    plan: RunPlan
    fingerprint: str
    rows: int
    errors: int
    entries: tuple[Entry, ...]
    """Sorted by shard and name."""
    aggregates: Mapping[str, Any]
    """Of all rows, merged from those of the files."""
    gaps: tuple[Gap, ...] = ()

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The manifest that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="manifest")
