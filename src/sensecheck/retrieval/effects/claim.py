"""What may be said of a figure that chance moves too."""

from typing import Literal

Claim = Literal["below", "above", "chance", "few"]
"""Below 0 or above it, by more than chance easily brings; within what chance brings; or too few to say."""


def claimed(figure: float, p_value: float, confidence: float, *, enough: bool) -> Claim:
    """The claim, at a level of 1 minus the confidence; nothing is claimed of too few, however far off."""
    if not enough:
        return "few"
    if p_value > 1 - confidence or figure == 0:
        return "chance"
    return "below" if figure < 0 else "above"
