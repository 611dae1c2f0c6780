"""The agreement of two raters beyond chance."""

import math

import pytest
from sklearn.metrics import cohen_kappa_score

from sensecheck.stats.ranks import Kappa, cohen_kappa


def test_it_is_that_of_another_implementation() -> None:
    first = [1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1]
    second = [1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1]
    found = cohen_kappa(first, second)

    assert found.value == pytest.approx(cohen_kappa_score(first, second))
    assert (found.n, found.agreed) == (12, 9)
    chance = (7 * 8 + 5 * 4) / 144
    spread = 1.959964 * math.sqrt(0.75 * 0.25 / 12) / (1 - chance)
    assert found.value is not None
    assert found.low == pytest.approx(found.value - spread)
    assert found.high == pytest.approx(found.value + spread)


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        ([], [], Kappa(0, 0, None, None, None)),
        ([1, 1], [1, 1], Kappa(2, 2, None, None, None)),
        ([1, 0], [1, 0], Kappa(2, 2, 1.0, 1.0, 1.0)),
        ([1, 0], [0, 1], Kappa(2, 0, -1.0, -1.0, -1.0)),
    ],
)
def test_of_raters_who_always_say_the_same_nothing_is_known(
    first: list[int], second: list[int], wanted: Kappa
) -> None:
    assert cohen_kappa(first, second) == wanted
