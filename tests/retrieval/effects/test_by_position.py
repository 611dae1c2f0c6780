"""Whether budgets favour early items: the rank correlation, and its interval."""

import numpy as np
import pytest

from sensecheck.retrieval.effects import by_position
from sensecheck.retrieval.effects.by_position import position_trend


def test_what_only_falls_has_a_correlation_of_minus_one() -> None:
    found = position_trend([1, 2, 3, 4], [1.0, 0.9, 0.5, 0.1])

    assert found is not None
    assert found.correlation == pytest.approx(-1)
    assert found.interval.high <= 0
    assert found.queries == 4


def test_ties_share_their_rank() -> None:
    found = position_trend([1, 1, 2, 2, 3], [1.0, 0.5, 0.5, 0.5, 0.2])

    assert found is not None
    a, b = [1.5, 1.5, 3.5, 3.5, 5.0], [5.0, 3.0, 3.0, 3.0, 1.0]
    assert found.correlation == pytest.approx(np.corrcoef(a, b)[0, 1])


def test_a_weight_of_two_is_the_same_as_standing_there_twice() -> None:
    places, kept = np.array([1.0, 2.0, 3.0]), np.array([0.2, 0.9, 0.5])
    weights = np.array([[2.0, 1.0, 3.0]])

    weighted = by_position._correlations(places, kept, weights)
    repeated = by_position._correlations(
        np.repeat(places, [2, 1, 3]), np.repeat(kept, [2, 1, 3]), np.ones((1, 6))
    )

    assert weighted == pytest.approx(repeated)


def test_without_a_trend_the_interval_usually_holds_zero() -> None:
    rng, held = np.random.default_rng(2), 0
    for trial in range(80):
        kept = rng.choice([0.25, 0.5, 0.75, 1.0], size=80)
        found = position_trend((np.arange(80) % 8 + 1).tolist(), kept.tolist(), seed=trial, resamples=200)
        assert found is not None
        held += found.interval.low <= 0 <= found.interval.high

    assert held / 80 >= 0.87


def test_blocks_that_bound_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    places, kept = [1, 2, 3, 4, 5], [1.0, 0.8, 0.9, 0.4, 0.5]
    whole = position_trend(places, kept, resamples=100)
    monkeypatch.setattr(by_position, "_CELLS", 5 * 7)

    assert position_trend(places, kept, resamples=100) == whole


@pytest.mark.parametrize(
    ("places", "kept"),
    [([], []), ([1, 2], [1.0, 0.5]), ([1, 1, 1], [1.0, 0.5, 0.2]), ([1, 2, 3], [0.5, 0.5, 0.5])],
)
def test_where_nothing_differs_there_is_no_trend(places: list[int], kept: list[float]) -> None:
    assert position_trend(places, kept) is None
