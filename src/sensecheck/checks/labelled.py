"""Samples that somebody has labelled: what a line is calibrated on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sensecheck.core.sample import Sample


@dataclass(frozen=True, slots=True)
class LabelledSample:
    """A sample, and whether its answer is good."""

    sample: Sample
    good: bool | None
    """None where nobody has said; such a row can be held against a card, but no line is fitted on it."""
    group: str | None = None
    """The prompt or document that it shares with other rows: they stay together, and count once."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """Named columns that rates are also counted by: `{"model": "small"}`."""
