"""How many errors a promise allows, and from how many rows on it can be made."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sensecheck.calibration.placement import CertifyingMethod, allowed, fewest
from sensecheck.calibration.target import Target
from sensecheck.core.errors import SpecError

SHARES = st.floats(0.001, 0.999)


def target(at_most: float, confidence: float = 0.95) -> Target:
    return Target("false_accepts", at_most, confidence)


@pytest.mark.parametrize("at_most", [0.01, 0.05, 0.1, 0.3, 0.62])
@pytest.mark.parametrize("confidence", [0.6, 0.9, 0.95, 0.99])
def test_the_exact_allowance_is_the_largest_that_scipy_finds_surprising(
    at_most: float, confidence: float
) -> None:
    for n in range(201):
        surprising = int((stats.binom.cdf(np.arange(n), n, at_most) <= 1 - confidence).sum())

        assert allowed("exact", target(at_most, confidence), n) == (surprising - 1 if surprising else None)


@pytest.mark.parametrize("written", ["0.01", "0.05", "0.07", "0.1", "0.29", "0.3", "0.999"])
def test_the_conformal_allowance_is_counted_in_the_number_as_it_is_written(written: str) -> None:
    for n in range(2001):
        ranks = int(Fraction(written) * (n + 1))  # 0.29 * 100 is 28.999999999999996 in floats

        assert allowed("conformal", target(float(written)), n) == (ranks - 1 if ranks >= 1 else None)


@pytest.mark.parametrize(
    ("method", "at_most", "confidence", "rows"),
    [
        ("exact", 0.05, 0.95, 59),
        ("exact", 0.01, 0.95, 299),
        ("exact", 0.5, 0.75, 2),
        ("exact", 1e-6, 0.95, 2_995_731),
        ("conformal", 0.05, 0.95, 19),
        ("conformal", 0.3, 0.95, 3),
    ],
)
def test_the_fewest_rows_are_the_known_ones(
    method: CertifyingMethod, at_most: float, confidence: float, rows: int
) -> None:
    assert fewest(method, target(at_most, confidence)) == rows


@given(at_most=SHARES, confidence=SHARES, method=st.sampled_from(["exact", "conformal"]))
def test_one_row_fewer_than_the_fewest_promises_nothing(
    at_most: float, confidence: float, method: CertifyingMethod
) -> None:
    wanted = target(at_most, confidence)
    rows = fewest(method, wanted)

    assert allowed(method, wanted, rows) is not None
    assert allowed(method, wanted, rows - 1) is None


@given(one=SHARES, other=SHARES, sure=SHARES, surer=SHARES, n=st.integers(1, 500))
def test_a_harder_promise_never_allows_more_errors(
    one: float, other: float, sure: float, surer: float, n: int
) -> None:
    hard = target(min(one, other), max(sure, surer))
    easy = target(max(one, other), min(sure, surer))

    for method in ("exact", "conformal"):
        few, many = (allowed(method, each, n) for each in (hard, easy))
        assert (-1 if few is None else few) <= (-1 if many is None else many)


@pytest.mark.parametrize("method", ["exact", "conformal"])
def test_a_share_for_which_nobody_has_rows_enough_is_refused(method: CertifyingMethod) -> None:
    assert fewest(method, target(1e-12)) > 10**11
    for share in (1e-20, 5e-324):
        with pytest.raises(SpecError, match="`fpr` must be a share of at least 1e-12"):
            fewest(method, target(share))
