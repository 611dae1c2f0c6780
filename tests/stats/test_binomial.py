"""Exact chances and exact intervals, against those of scipy."""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sensecheck.core.errors import SpecError
from sensecheck.stats.binomial import (
    chance_of_at_least,
    chance_of_at_most,
    clopper_pearson,
    difference,
    highest,
    lowest,
    rate,
)
from tests.pace import usual_seconds

SHARES = (1e-9, 0.001, 0.01, 0.05, 0.3, 0.5, 0.77, 0.99, 1 - 1e-9)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 59, 100])
def test_chances_are_those_of_scipy_for_every_number_of_hits(n: int) -> None:
    for share in SHARES:
        for hits in range(-1, n + 2):
            wanted = stats.binom.cdf(hits, n, share), stats.binom.sf(hits - 1, n, share)
            found = chance_of_at_most(hits, n, share), chance_of_at_least(hits, n, share)

            assert found == pytest.approx(wanted, rel=1e-10, abs=1e-30)


@pytest.mark.parametrize("n", [1_000, 30_000, 1_000_000])
def test_chances_of_many_tries_are_those_of_scipy(n: int) -> None:
    for share in (0.0001, 0.05, 0.5, 0.93):
        spread = math.sqrt(n * share * (1 - share))
        for off in (-7, -3, -1, 0, 1, 3, 7):
            hits = min(max(round(n * share + off * spread), 0), n)

            assert chance_of_at_most(hits, n, share) == pytest.approx(
                stats.binom.cdf(hits, n, share), rel=1e-8
            )


def test_certain_and_impossible_hits_are_certain_and_impossible() -> None:
    assert [chance_of_at_most(3, 10, share) for share in (0.0, 1.0)] == [1.0, 0.0]
    assert [chance_of_at_least(3, 10, share) for share in (0.0, 1.0)] == [0.0, 1.0]
    assert (chance_of_at_most(10, 10, 1.0), chance_of_at_least(0, 10, 0.0)) == (1.0, 1.0)


@given(n=st.integers(1, 5000), share=st.floats(0, 1), data=st.data())
def test_more_hits_are_likelier_not_to_be_passed(n: int, share: float, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n - 1))

    assert chance_of_at_most(hits, n, share) <= chance_of_at_most(hits + 1, n, share)
    assert chance_of_at_most(hits, n, share) + chance_of_at_least(hits + 1, n, share) == pytest.approx(1)


@pytest.mark.parametrize("n", [1, 2, 10, 37])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_intervals_are_those_of_scipy_for_every_number_of_hits(n: int, confidence: float) -> None:
    for hits in range(n + 1):
        wanted = stats.binomtest(hits, n).proportion_ci(confidence, method="exact")

        assert clopper_pearson(hits, n, confidence=confidence) == pytest.approx(tuple(wanted), abs=1e-9)


def test_an_interval_of_a_million_rows_is_exact_and_takes_no_time() -> None:
    started = time.thread_time()
    for hits in (0, 1, 50_000, 500_000, 999_999):
        low, high = clopper_pearson(hits, 1_000_000)
        wanted_low = 0.0 if hits == 0 else stats.beta.ppf(0.025, hits, 1_000_001 - hits)

        assert low == pytest.approx(wanted_low, rel=1e-7)
        assert high == pytest.approx(stats.beta.ppf(0.975, hits + 1, 1_000_000 - hits), rel=1e-7)
    assert usual_seconds(started) < 2


@pytest.mark.parametrize("n", [1, 10, 59, 299, 500])
def test_no_hit_has_the_closed_form_of_the_exact_interval(n: int) -> None:
    assert clopper_pearson(0, n) == pytest.approx((0.0, 1 - 0.025 ** (1 / n)), abs=1e-9)
    assert clopper_pearson(n, n) == pytest.approx((0.025 ** (1 / n), 1.0), abs=1e-9)


@given(n=st.integers(1, 400), data=st.data())
def test_one_sided_bounds_are_tighter_than_the_interval(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    low, high = clopper_pearson(hits, n)

    assert low <= lowest(hits, n, confidence=0.95) <= hits / n <= highest(hits, n, confidence=0.95) <= high


def test_a_rate_holds_the_true_share_as_often_as_it_says() -> None:
    chance = np.random.default_rng(1)
    known = {hits: rate(hits, 40) for hits in range(41)}
    rates = [known[int(hits)] for hits in chance.binomial(40, 0.2, 400)]

    assert sum(each.low <= 0.2 <= each.high for each in rates) >= 0.95 * len(rates)


@pytest.mark.parametrize(("hits", "n"), [(0, 0), (3, 2), (-1, 2)])
def test_a_rate_of_nothing_is_an_error(hits: int, n: int) -> None:
    with pytest.raises(SpecError, match=f"got {hits} of {n}"):
        rate(hits, n)


@pytest.mark.parametrize(("before", "after"), [(0.8, 0.9), (0.05, 0.05), (0.5, 0.3)])
def test_the_interval_of_a_difference_holds_the_true_one_in_at_least_95_of_100_draws(
    before: float, after: float
) -> None:
    drawn, held = np.random.default_rng(11), 0
    firsts, seconds = ([rate(hits, n) for hits in range(n + 1)] for n in (60, 45))
    for _ in range(400):
        first, second = firsts[drawn.binomial(60, before)], seconds[drawn.binomial(45, after)]
        change, low, high = difference(first, second)
        assert low <= change == second.value - first.value <= high
        held += low <= after - before <= high

    assert held >= 380


def test_a_difference_stays_within_what_is_possible() -> None:
    assert difference(rate(0, 3), rate(3, 3))[2] == 1.0
    assert difference(rate(3, 3), rate(0, 3))[1] == -1.0
