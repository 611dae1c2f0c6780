"""Chance and intervals for many questions, held against SciPy, the bootstrap and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.stats.paired_tests import MANY, chance, chance_of_swaps, holm, interval, mean_interval
from tests.runs.tables import Numbers

stats = pytest.importorskip("scipy.stats")
BOUNDS = (-1.0, 1.0)
CHANCES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def spread(n: int, middle: float = 0.0, seed: int = 0) -> Numbers:
    return np.random.default_rng(seed).normal(middle, 0.2, n).clip(-1, 1)


@pytest.mark.parametrize("n", [3, 8, 12, 60, 250])
def test_few_questions_are_swapped_as_tests_of_a_battery_are(n: int) -> None:
    differences = spread(n)

    assert chance(differences) == chance_of_swaps(differences)


@pytest.mark.parametrize("middle", [0.0, 0.01, 0.018])
def test_many_questions_have_the_chance_that_draws_would_give(middle: float) -> None:
    differences = spread(4 * MANY, middle)

    assert chance(differences) == pytest.approx(chance_of_swaps(differences), abs=0.012)


def test_few_large_differences_among_many_tiny_ones_are_still_drawn() -> None:
    differences = np.concatenate([np.full(5, 0.9), spread(2000) * 1e-9])

    assert chance(differences) == chance_of_swaps(differences)
    assert chance(differences) == pytest.approx(2 / 2**5, abs=0.01)


def test_metrics_of_zero_and_one_have_mcnemars_exact_test() -> None:
    differences = np.array([1.0] * 420 + [-1.0] * 500 + [0.0] * 9000)

    assert chance(differences) == pytest.approx(stats.binomtest(420, 920).pvalue, rel=1e-9)


def test_what_no_draw_meets_is_bounded_and_no_longer_a_ten_thousandth() -> None:
    differences = np.linspace(0.2, 0.3, 60)

    exact = 2 / 2**60
    assert exact < chance(differences) < 1e-4


@pytest.mark.parametrize("n", [100, 400, 3000])
@pytest.mark.parametrize("skewed", [False, True])
def test_the_closed_form_of_the_interval_is_that_of_the_bootstrap(n: int, skewed: bool) -> None:
    drawn = np.random.default_rng(n)
    values = drawn.exponential(0.1, n) - 0.09 if skewed else drawn.normal(0.02, 0.2, n)
    found = interval(values, confidence=0.95, within=BOUNDS)
    known = mean_interval(values.tolist(), confidence=0.95, within=BOUNDS)

    assert found == pytest.approx(known, abs=0.03 * (known[1] - known[0]))


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    drawn = np.random.default_rng(3)
    held = 0
    for _ in range(2000):
        low, high = interval(drawn.exponential(0.1, 120), confidence=0.95, within=BOUNDS)
        held += low <= 0.1 <= high
    assert 0.925 <= held / 2000 <= 0.965


@given(CHANCES)
def test_holm_keeps_the_order_and_makes_nothing_likelier_to_be_claimed(chances: list[float]) -> None:
    adjusted = [p for p in holm(chances) if p is not None]

    assert all(0 <= p <= q <= 1 for p, q in zip(chances, adjusted, strict=True))
    by_chance = [adjusted[at] for at in np.argsort(chances, kind="stable")]
    assert by_chance == sorted(by_chance)


@given(CHANCES)
def test_holm_is_what_its_definition_says(chances: list[float]) -> None:
    order = sorted(range(len(chances)), key=chances.__getitem__)
    expected = [0.0] * len(chances)
    for rank, at in enumerate(order):
        steps = [(len(chances) - k) * chances[order[k]] for k in range(rank + 1)]
        expected[at] = min(1.0, max(steps))

    assert holm(chances) == pytest.approx(expected)


def test_what_was_not_tested_does_not_count_among_the_tests() -> None:
    assert holm([0.01, None, 0.04]) == [pytest.approx(0.02), None, pytest.approx(0.04)]


def test_a_closed_form_never_leaves_what_a_value_can_be() -> None:
    values = np.array([1.0] * 119 + [0.9])
    low, high = interval(values, confidence=0.999, within=(0.0, 1.0))

    assert 0.0 <= low < values.mean() < high <= 1.0
