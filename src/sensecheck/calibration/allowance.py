"""How many of the fitted rows a line may judge wrongly and still keep its promise."""

import math
from bisect import bisect_left
from functools import cache
from typing import Literal

from sensecheck.calibration.binomial import chance_of_at_most
from sensecheck.calibration.decimals import written
from sensecheck.calibration.target import SHORT, Target
from sensecheck.core.errors import SpecError

Promising = Literal["exact", "conformal"]
"""The methods that promise something."""
_SMALLEST = 1e-12
"""Of the shares that can be asked for; it wants millions of millions of rows."""


@cache
def allowed(method: Promising, target: Target, n: int) -> int | None:
    """The most errors among `n` fitted rows; None when even no error at all would promise too little."""
    most = _exact(target, n) if method == "exact" else _conformal(target, n)
    return most if most >= 0 else None


def fewest(method: Promising, target: Target) -> int:
    """The fewest rows from which the target can be promised: those of a line without a single error."""
    if target.at_most < _SMALLEST:
        raise SpecError(
            f"`{SHORT[target.errors]}` wants a share of at least {_SMALLEST:g}, for nobody has labels "
            f"enough to promise less; found {target.at_most:g}"
        )
    if method == "conformal":
        return math.ceil(1 / written(target.at_most)) - 1
    about = math.log(1 - target.sure) / math.log1p(-target.at_most)
    plenty = range(1, 2 * math.ceil(about) + 3)  # the logarithms may be off by a hair; the chance decides
    return plenty[bisect_left(plenty, True, key=lambda n: _exact(target, n) >= 0)]


def _exact(target: Target, n: int) -> int:
    """The most errors that would be surprisingly few, were the true share above the target; or -1.

    A line with so few errors has, with the target's confidence, a true share of at most the target.
    """
    doubt = 1 - target.sure
    low, high = -1, n  # the answer is at least the first, and less than the second: n of n are never too few
    while high - low > 1:
        middle = (low + high) // 2
        surprising = chance_of_at_most(middle, n, target.at_most) <= doubt
        low, high = (middle, high) if surprising else (low, middle)
    return low


def _conformal(target: Target, n: int) -> int:
    """The most errors such that a new row, which ranks anywhere among the others, rarely errs; or -1."""
    return math.floor(written(target.at_most) * (n + 1)) - 1
