"""Whether it matters which arm is which, and what is claimed of it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sensecheck.stats import risk_coverage
from sensecheck.stats.risk_coverage import (
    MIN_GROUPS,
    Interval,
    RiskCoverage,
    ScoredOutput,
    paired_difference,
    swapped_p_value,
)
from tests.stats.outputs import drawn, outputs

BARE = outputs((0.9, 1), (0.8, 0), (0.7, 1), (0.6, 0), (0.5, 1), (0.4, 1))
GUARDED = outputs((0.9, 0), (0.8, 0), (0.6, 1), (0.7, 0), (None, None), (0.45, 0))


def by_hand(bare: list[ScoredOutput], guarded: list[ScoredOutput]) -> float:
    one, other = RiskCoverage.of(bare), RiskCoverage.of(guarded)
    shared = min(one.highest, other.highest)
    return other.area(shared) - one.area(shared)


def test_chance_is_the_share_of_swaps_that_differ_as_much() -> None:
    found = abs(by_hand(BARE, GUARDED))
    pairs = list(zip(BARE, GUARDED, strict=True))
    all_swaps = [
        abs(by_hand(*(list(arm) for arm in zip(*(pair[::turn] for pair, turn in told), strict=True))))
        for turns in product((1, -1), repeat=6)
        for told in [list(zip(pairs, turns, strict=True))]
    ]
    expected = np.mean([one >= found - 1e-12 for one in all_swaps])

    told = swapped_p_value(BARE, GUARDED, np.arange(6), resamples=20_000, seed=0)

    assert told == pytest.approx(expected, abs=0.015)


def test_outputs_of_one_group_are_swapped_together() -> None:
    all_wrong, all_right = outputs(*[(0.5, 1)] * 40), outputs(*[(0.5, 0)] * 40)

    apart = swapped_p_value(all_wrong, all_right, np.arange(40), resamples=500, seed=0)
    in_two = swapped_p_value(all_wrong, all_right, np.arange(40) % 2, resamples=500, seed=0)

    assert apart == 1 / 501
    assert 0.4 < in_two < 0.6


def test_blocks_that_bound_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = swapped_p_value(BARE, GUARDED, np.arange(6), resamples=100, seed=3)
    monkeypatch.setattr(risk_coverage, "_SWAP_CELLS", 2 * 6 * 7)

    assert swapped_p_value(BARE, GUARDED, np.arange(6), resamples=100, seed=3) == whole


@pytest.mark.parametrize("count", [2, 4, MIN_GROUPS - 1])
def test_of_few_groups_nothing_is_claimed_however_clear_it_looks(count: int) -> None:
    found = paired_difference(outputs(*[(0.5, 1)] * count), outputs(*[(0.5, 0)] * count))

    assert found.difference == -1
    assert found.claim == "few"
    assert (found.interval is None) == (count < 5)


def test_of_many_groups_what_is_clear_is_claimed() -> None:
    worse, better = outputs(*[(0.5, 1)] * MIN_GROUPS), outputs(*[(0.5, 0)] * MIN_GROUPS)

    assert paired_difference(worse, better).claim == "below"
    assert paired_difference(better, worse).claim == "above"
    assert paired_difference(better, better).claim == "chance"


@pytest.mark.slow
@pytest.mark.parametrize("count", [20, 40])
def test_guards_that_do_nothing_are_seldom_said_to_do_something(count: int) -> None:
    rng, claimed = np.random.default_rng(13), 0
    for trial in range(300):
        arms = (drawn(rng, count, wrong=0.3, told=1) for _ in range(2))
        claimed += paired_difference(*arms, resamples=200, seed=trial).claim in ("below", "above")

    assert claimed <= 25


def test_where_interval_and_swaps_disagree_nothing_is_claimed() -> None:
    found = paired_difference(outputs(*[(0.5, 1)] * 20), outputs(*[(0.5, 0)] * 20))

    assert replace(found, p_value=0.06).claim == "chance"
    assert replace(found, interval=Interval(-1.0, 0.1)).claim == "chance"
