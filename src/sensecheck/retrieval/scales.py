"""What stores call a score, turned into similarity where the store is read."""

import math
from numbers import Real
from typing import Literal, get_args

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import unknown

Scale = Literal["cosine", "cosine-distance", "half-cosine", "inner-product", "l2", "squared-l2"]
"""`cosine-distance` is 1 - cos; `half-cosine` is (1 + cos) / 2; the last three are of unit vectors."""
SLIP = 1e-4
"""How far arithmetic in single precision may carry a cosine beyond 1."""


def closeness_from(score: float, scale: Scale) -> float:
    """The cosine that a score on this scale stands for; a score that the scale does not have is an error."""
    if scale not in get_args(Scale):
        raise SpecError(unknown("scale", scale, get_args(Scale)))
    if not isinstance(score, Real) or isinstance(score, bool):  # NumPy's numbers are real ones too
        raise SampleError(f"a score on the scale `{scale}` must be a number; got {type(score).__name__}")
    cosine = float(_cosine(float(score), scale))
    if not abs(cosine) <= 1 + SLIP:
        raise SampleError(
            f"{score} is not on the scale `{scale}`: it would be a cosine of {cosine:g}; "
            f"are the vectors of length 1, and is `{scale}` what the store gives?"
        )
    return min(max(cosine, -1.0), 1.0)


def _cosine(score: float, scale: Scale) -> float:
    if scale in ("l2", "squared-l2"):
        if score < -SLIP:
            return math.nan
        return 1 - (score if scale == "squared-l2" else score * score) / 2
    if scale == "cosine-distance":
        return 1 - score
    return 2 * score - 1 if scale == "half-cosine" else score
