"""Whether more fitted for early items: the rank correlation over items, held against other orders of them."""

import numpy as np
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.retrieval import effects as by_position
from sensecheck.retrieval.effects import MIN_ITEMS, position_trend


def test_what_only_falls_has_a_correlation_of_minus_one_and_is_claimed() -> None:
    found = position_trend(range(1, 11), [1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])

    assert found is not None
    assert found.correlation == pytest.approx(-1)
    assert found.p_value < 0.001
    assert (found.claim, found.items) == ("below", 10)


def test_what_only_rises_is_claimed_the_other_way() -> None:
    found = position_trend(range(1, 11), [place / 10 for place in range(10)])

    assert found is not None
    assert found.claim == "above"


@pytest.mark.parametrize("items", range(3, MIN_ITEMS))
def test_of_a_few_items_nothing_is_claimed(items: int) -> None:
    found = position_trend(range(items), [-place / items for place in range(items)])

    assert found is not None
    assert found.claim == "few"


def test_ties_share_their_rank() -> None:
    found = position_trend([1, 2, 3, 4, 5], [1.0, 0.5, 0.5, 0.5, 0.2])

    assert found is not None
    assert found.correlation == pytest.approx(np.corrcoef([1, 2, 3, 4, 5], [5, 3, 3, 3, 1])[0, 1])


def test_chance_is_the_share_of_orders_that_go_as_far() -> None:
    found = position_trend([1, 2, 3, 4], [0.9, 0.7, 0.5, 0.1], orders=20_000)

    assert found is not None
    assert found.p_value == pytest.approx(2 / 24, abs=0.01)


@pytest.mark.parametrize("items", [8, 20])
def test_items_in_random_order_seldom_make_a_trend(items: int) -> None:
    rng = np.random.default_rng(2)
    trends = [
        position_trend(range(items), rng.random(items).tolist(), seed=trial, orders=400)
        for trial in range(300)
    ]

    assert sum(one is not None and one.claim != "chance" for one in trends) <= 25


def test_blocks_that_bound_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    places, kept = [1, 2, 3, 4, 5], [1.0, 0.8, 0.9, 0.4, 0.5]
    whole = position_trend(places, kept, orders=100)
    monkeypatch.setattr(by_position, "_CELLS", 5 * 7)

    assert position_trend(places, kept, orders=100) == whole


@pytest.mark.parametrize(
    ("places", "kept"), [([], []), ([1, 2], [1.0, 0.5]), ([1, 1, 1], [1.0, 0.5, 0.2]), ([1, 2, 3], [0.5] * 3)]
)
def test_where_nothing_differs_there_is_no_trend(places: list[int], kept: list[float]) -> None:
    assert position_trend(places, kept) is None


@pytest.mark.parametrize("wrong", [{"orders": 0}, {"confidence": 1.0}, {"seed": -1}])
def test_a_trend_that_makes_no_sense_is_an_error(wrong: dict[str, float]) -> None:
    with pytest.raises(SpecError, match="a trend must have"):
        position_trend([1, 2, 3], [0.1, 0.2, 0.3], **wrong)  # type: ignore[arg-type]
