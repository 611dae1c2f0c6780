"""The shortest number between two others: what a line is written as."""

import math
import sys
from decimal import Decimal
from fractions import Fraction

_DIGITS = 18
"""No float needs more than 17 to be told from its neighbours; one step more is for a 0 that is between."""


def shortest(low: float, high: float, *, near: float, with_low: bool) -> float:
    """The number with the fewest digits above `low` (or at it) up to `high`; of several, the nearest one."""
    high = min(high, sys.float_info.max)  # a little more than the largest readings may be infinite
    top = Decimal(max(abs(low), abs(high)))
    for exponent in range(top.adjusted() + 1, top.adjusted() + 1 - _DIGITS, -1):
        number = _multiple(Fraction(10) ** exponent, low, high, near=near, with_low=with_low)
        if number is not None:
            return number
    return low if with_low else math.nextafter(low, math.inf)


def _multiple(unit: Fraction, low: float, high: float, *, near: float, with_low: bool) -> float | None:
    """The multiple of a unit in the interval that is nearest to `near`, if there is one."""
    first = math.ceil(written(low) / unit) if with_low else math.floor(written(low) / unit) + 1
    last = math.floor(written(high) / unit)
    if first > last:
        return None
    number = float(min(max(round(written(near) / unit), first), last) * unit)
    return number if with_low or number > low else None  # 0.86 and a hair is the float 0.86


def written(value: float) -> Fraction:
    """The number as it is written: 0.05 is one in twenty, and 0.86 is not above itself, by a hair."""
    return Fraction(str(value))
