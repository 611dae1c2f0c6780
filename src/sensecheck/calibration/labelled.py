"""Readings that somebody has labelled: what a line is fitted on."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Labelled:
    """One reading, and whether the answer it was read from is good."""

    value: float
    good: bool
    group: str | None = None
    """Rows of one prompt or document: they stay together, and count once. None for a row of its own."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """Named columns that rates are also counted by: `{"model": "small"}`."""
