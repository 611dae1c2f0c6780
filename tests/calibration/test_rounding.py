"""Short numbers between others."""

import math
import sys

from sensecheck.calibration.placement import shortest


def test_between_the_largest_numbers_there_is_a_finite_one() -> None:
    for low in (1e308, 1.6e308, -1e308):
        found = shortest(low, math.inf, near=low, with_low=False)

        assert low < found <= sys.float_info.max
