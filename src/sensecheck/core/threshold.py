"""Where a check's cutoff may come from: a number chosen by hand, or something that was fitted."""

import math
from typing import Any, Protocol, get_args, runtime_checkable

from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure


@runtime_checkable
class CutoffSource(Protocol):
    """Finds the cutoff for a measure: a card, or what is looked for among cards."""

    def cutoff_for(self, measure: Measure, good: GoodSide) -> Cutoff:
        """The cutoff, or `SpecError` when the cutoff was not fitted for readings of this measure."""
        ...


Threshold = float | CutoffSource
"""A number is an uncalibrated cutoff; anything else knows where its cutoff comes from."""


def is_threshold(hint: Any) -> bool:
    """Whether a parameter with this type takes a cutoff, and not a mere number."""
    return CutoffSource in get_args(hint)


def cutoff_of(
    threshold: Threshold,
    measure: Measure,
    good: GoodSide,
    *,
    doubt: float = 0.0,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Cutoff:
    """The cutoff that a threshold stands for.

    `doubt` is the half width of an uncalibrated cutoff's band, which ends where there are no more readings;
    beyond there the cutoff cannot be either. A fitted cutoff brings its own.
    """
    if not isinstance(threshold, int | float):
        return _require_source(threshold).cutoff_for(measure, good)
    if math.isfinite(threshold) and not within[0] <= threshold <= within[1]:
        raise SpecError(f"`threshold` must be between {within[0]:g} and {within[1]:g}; got {threshold:g}")
    if not doubt >= 0:
        raise SpecError(f"`doubt` must be the half width of a band, 0 or more; got {doubt}")
    low, high = max(threshold - doubt, within[0]), min(threshold + doubt, within[1])
    return Cutoff(threshold, good, (low, high) if doubt > 0 else None)


def _require_source(threshold: object) -> CutoffSource:
    """The cutoff, unless it is something else: a card's name, say, which means nothing without a library."""
    if isinstance(threshold, CutoffSource):
        return threshold
    raise SpecError(
        f"a threshold must be a number, or a line such as a card; got {type(threshold).__name__}; "
        "a name is looked up by `CardLibrary.card`, or in a check or a chain as data"
    )
