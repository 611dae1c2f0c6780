"""The statistics of two runs, held against SciPy and against simulation."""

import numpy as np
import pytest

from sensecheck.stats.binomial import clopper_pearson
from sensecheck.stats.paired_tests import chance, mean_interval

stats = pytest.importorskip("scipy.stats")
BOUNDS = (-1.0, 1.0)


def spread(n: int, seed: int = 0, middle: float = 0.05) -> list[float]:
    return [float(value) for value in np.random.default_rng(seed).normal(middle, 0.2, n).clip(-1, 1)]


def mean(values: object, axis: int) -> object:
    return np.mean(values, axis=axis)  # type: ignore[call-overload]


@pytest.mark.parametrize(("up", "down"), [(0, 1), (0, 6), (1, 7), (3, 3), (10, 30), (400, 520)])
def test_flips_of_passes_are_mcnemars_exact_test(up: int, down: int) -> None:
    differences = [1.0] * up + [-1.0] * down + [0.0] * 50

    assert chance(np.array(differences)) == pytest.approx(stats.binomtest(up, up + down).pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [2, 5, 9, 12])
def test_few_scores_are_tried_with_all_signs(n: int) -> None:
    differences = spread(n)
    known = stats.permutation_test((differences,), mean, permutation_type="samples", n_resamples=np.inf)

    assert chance(np.array(differences)) == pytest.approx(known.pvalue, abs=1e-12)


def test_many_scores_are_drawn_and_come_close() -> None:
    differences = spread(80)
    known = stats.permutation_test(
        (differences,), mean, permutation_type="samples", n_resamples=20_000, rng=1
    )

    assert chance(np.array(differences)) == pytest.approx(known.pvalue, abs=0.01)


def test_nothing_that_differs_is_no_difference() -> None:
    assert chance(np.array([0.0] * 20)) == 1.0


@pytest.mark.parametrize("values", [spread(12), spread(60, 3), [0.0] * 40 + [-1.0] * 6 + [1.0]])
def test_the_interval_is_scipys(values: list[float]) -> None:
    known = stats.bootstrap((values,), mean, method="BCa", n_resamples=20_000, rng=1).confidence_interval

    assert mean_interval(values, confidence=0.95, within=BOUNDS) == pytest.approx(tuple(known), abs=0.012)


def test_the_same_differences_give_the_same_numbers() -> None:
    values = spread(40)

    assert chance(np.array(values)) == chance(np.array(list(values)))
    assert mean_interval(values, confidence=0.95, within=BOUNDS) == mean_interval(
        list(values), confidence=0.95, within=BOUNDS
    )


def test_where_nothing_changed_the_interval_is_not_a_point() -> None:
    low, high = mean_interval([0.0] * 10, confidence=0.95, within=BOUNDS)

    assert (low, high) == pytest.approx((-(1 - 0.05**0.1), 1 - 0.05**0.1))
    assert mean_interval([-1.0] * 10, confidence=0.95, within=BOUNDS)[0] == -1.0


def test_a_single_test_says_next_to_nothing() -> None:
    low, high = mean_interval([0.0], confidence=0.95, within=BOUNDS)

    assert (low, high) == pytest.approx((-0.95, 0.95))
    assert chance(np.array([-1.0])) == 1.0


def test_a_rate_of_passes_has_the_exact_interval() -> None:
    known = stats.binomtest(8, 10).proportion_ci(method="exact")

    assert clopper_pearson(8, 10, confidence=0.95) == pytest.approx(tuple(known))


def test_a_rate_of_tests_that_pass_in_part_is_bootstrapped() -> None:
    low, high = mean_interval([1.0, 0.5, 0.5, 0.0, 1.0, 1.0], confidence=0.95, within=(0.0, 1.0))

    assert 0 < low < 4 / 6 < high < 1


def test_intervals_hold_the_truth_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.stats.paired_tests.DRAWS", 999)
    rng = np.random.default_rng(7)
    shares, values = (0.1, 0.7, 0.2), np.array([1.0, 0.0, -1.0])
    held = 0
    for _ in range(300):
        low, high = mean_interval(list(rng.choice(values, 80, p=shares)), confidence=0.95, within=BOUNDS)
        held += low <= -0.1 <= high
    assert 0.91 <= held / 300 <= 0.985


def test_chance_alone_is_called_a_difference_as_seldom_as_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensecheck.stats.paired_tests.DRAWS", 999)
    rng = np.random.default_rng(8)
    found = [chance(np.array(list(rng.normal(0, 0.2, 30)))) < 0.05 for _ in range(400)]

    assert 0.025 <= sum(found) / 400 <= 0.08


@pytest.mark.slow
def test_a_hundred_thousand_tests_take_seconds() -> None:
    values = spread(100_000, middle=0.0)

    low, high = mean_interval(values, confidence=0.95, within=BOUNDS)
    assert high - low == pytest.approx(2 * 1.96 * 0.2 / 100_000**0.5, rel=0.1)
    assert chance(np.array(values)) > 0.001
