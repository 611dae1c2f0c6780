"""The benchmark of promises measures what it says."""

import numpy as np
import pytest
from benchmarks.quality.populations import Resampled, Simulated
from benchmarks.quality.promise import METHODS, measure, missed_goals


def test_every_method_shows_what_it_should_on_simulated_readings() -> None:
    found = list(measure(Simulated(), 300))

    assert [row["method"] for row in found] == list(METHODS)
    assert not [said for row in found for said in missed_goals(row)]


def test_a_missed_goal_is_said() -> None:
    exact, *_ = measure(Simulated(), 20)
    exact["broken"]["share"] = 0.5

    assert "`exact` breaks its promise in at most 6% of fits: not so" in next(missed_goals(exact))


def test_the_true_rates_of_real_readings_are_counted_on_the_good_side() -> None:
    good, bad = np.array([0.1, 0.2, 0.3, 0.6]), np.array([0.3, 0.7])

    assert Resampled("real", "below", good, bad).true_rates(0.3) == (0.5, 0.75)
    assert Resampled("real", "above", bad, good).true_rates(0.3) == (0.5, 1.0)


def test_the_true_rates_of_simulated_readings_have_a_closed_form() -> None:
    assert Simulated(apart=1.0).true_rates(1.6448536) == pytest.approx((0.05, 0.2595), abs=1e-4)
