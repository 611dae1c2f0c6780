"""Numbers, as both databases can keep them."""

import math
from typing import SupportsFloat


def finite(value: SupportsFloat | None, what: str) -> tuple[float | None, str | None]:
    """The number as a plain float; None, and why, for one that is not finite."""
    if value is None:
        return None, None
    number = float(value)  # a number of numpy's is a BLOB to SQLite
    if math.isfinite(number):
        return number, None
    return None, f"{what} is {number}; wanted a finite number"
