"""Where a check's line may come from: a number that somebody picked, or something that was fitted."""

from typing import Literal, Protocol

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.protocols import Measure


class Line(Protocol):
    """Finds the cutoff for a measure: a card, or what is looked for among cards."""

    def cutoff_for(self, measure: Measure, good: Literal["above", "below"]) -> Cutoff:
        """The cutoff, or `SpecError` when the line was not fitted for readings of this measure."""
        ...


Threshold = float | Line
"""A number is a hand-picked line; anything else knows where its line comes from."""


def cutoff_of(
    threshold: Threshold, measure: Measure, good: Literal["above", "below"], *, doubt: float = 0.0
) -> Cutoff:
    """The cutoff that a threshold stands for; `doubt` is the half width of a hand-picked line's band."""
    if not isinstance(threshold, int | float):
        return threshold.cutoff_for(measure, good)
    return Cutoff(threshold, good, (threshold - doubt, threshold + doubt) if doubt > 0 else None)
