"""The paired difference in AURC, and what its interval promises."""

from dataclasses import replace

import numpy as np
import pytest

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.stats import risk_coverage
from sensecheck.stats.risk_coverage import RiskCoverage, ScoredOutput, paired_difference
from tests.stats.outputs import drawn, outputs

BARE = outputs((0.9, 1), (0.8, 0), (0.7, 1), (0.6, 0))
GUARDED = outputs((0.9, 0), (0.8, 0), (0.7, 1), (None, None))


def test_both_arms_are_compared_up_to_the_coverage_that_both_reach() -> None:
    found = paired_difference(BARE, GUARDED)

    assert found.shared_coverage == 0.75
    assert found.bare == pytest.approx((1 + 1 / 2 + 2 / 3) / 4)
    assert found.guarded == pytest.approx((0 + 0 + 1 / 3) / 4)
    assert found.difference == pytest.approx(found.guarded - found.bare)
    assert found.bare == pytest.approx(RiskCoverage.of(BARE).area(0.75))


def test_the_same_seed_gives_the_same_interval_and_another_one_another() -> None:
    rng = np.random.default_rng(3)
    arms = drawn(rng, 60, wrong=0.3, told=1), drawn(rng, 60, wrong=0.3, told=1)

    assert paired_difference(*arms, seed=4) == paired_difference(*arms, seed=4)
    assert paired_difference(*arms, seed=4).interval != paired_difference(*arms, seed=5).interval


def test_memory_is_bounded_by_blocks_that_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    arms = drawn(rng, 60, wrong=0.3, told=1), drawn(rng, 60, wrong=0.3, told=1)
    whole = paired_difference(*arms, resamples=200)
    monkeypatch.setattr(risk_coverage, "_RESAMPLE_CELLS", 60 * 7)

    assert paired_difference(*arms, resamples=200) == whole


def test_two_equal_arms_differ_by_nothing_in_every_resample() -> None:
    twice = [*BARE, *(replace(one, id=f"{one.id}/2") for one in BARE)]
    found = paired_difference(twice, twice)

    assert found.difference == 0
    assert found.interval == risk_coverage.Interval(0, 0)
    assert found.p_value == 1


@pytest.mark.slow
def test_an_interval_of_95_percent_holds_the_true_difference_about_as_often() -> None:
    bare, guarded = {"wrong": 0.4, "told": 0.5}, {"wrong": 0.25, "told": 1.5}
    rng = np.random.default_rng(7)
    truth = (
        RiskCoverage.of(drawn(rng, 15_000, **guarded)).aurc - RiskCoverage.of(drawn(rng, 15_000, **bare)).aurc
    )
    held = 0
    for trial in range(150):
        found = paired_difference(
            drawn(rng, 100, **bare), drawn(rng, 100, **guarded), resamples=200, seed=trial
        )
        assert found.interval is not None
        held += found.interval.low <= truth <= found.interval.high

    assert 0.9 <= held / 150 <= 0.995


def test_no_difference_usually_lies_within_the_interval() -> None:
    rng, held = np.random.default_rng(11), 0
    for trial in range(100):
        arms = (drawn(rng, 100, wrong=0.3, told=1) for _ in range(2))
        found = paired_difference(*arms, resamples=200, seed=trial)
        assert found.interval is not None
        held += found.interval.low <= 0 <= found.interval.high

    assert held / 100 >= 0.88


def test_outputs_that_share_a_group_are_drawn_together_and_make_the_interval_wider() -> None:
    rng = np.random.default_rng(5)
    one = drawn(rng, 30, wrong=0.4, told=1)
    other = drawn(rng, 30, wrong=0.2, told=1)

    def copied(arm: list[ScoredOutput], *, grouped: bool) -> list[ScoredOutput]:
        return [
            replace(each, id=f"{each.id}/{copy}", group=each.id if grouped else None)
            for each in arm
            for copy in range(6)
        ]

    alone, together = (
        paired_difference(copied(one, grouped=grouped), copied(other, grouped=grouped))
        for grouped in (False, True)
    )

    assert (alone.groups, together.groups) == (180, 30)
    assert alone.interval is not None
    assert together.interval is not None
    widths = [each.high - each.low for each in (alone.interval, together.interval)]
    assert widths[1] > 1.8 * widths[0]


def test_of_hardly_any_groups_there_is_no_interval() -> None:
    arms = ([replace(one, group="p1") for one in arm] for arm in (BARE, GUARDED))

    assert paired_difference(*arms).interval is None
    assert paired_difference(BARE, GUARDED).interval is None


def test_ids_in_one_arm_only_are_an_error_that_counts_and_names_them() -> None:
    with pytest.raises(SampleError, match=r"only the arm `bare` has 2 of its 4: `2`, `3`$"):
        paired_difference(BARE, GUARDED[:2])
    with pytest.raises(SampleError, match=r"only the arm `guarded` has 4 of its 4: `0`, `1`, `2`, …"):
        paired_difference([], GUARDED)


def test_an_id_that_comes_twice_or_in_two_groups_is_an_error() -> None:
    with pytest.raises(SampleError, match="got `0` twice"):
        paired_difference([*BARE, BARE[0]], GUARDED)
    with pytest.raises(SampleError, match="the same `group` in both arms"):
        paired_difference(BARE, [replace(GUARDED[0], group="p1"), *GUARDED[1:]])


def test_an_arm_that_only_abstains_cannot_be_compared() -> None:
    silent = [replace(one, confidence=None) for one in GUARDED]

    with pytest.raises(SampleError, match="nothing but abstentions"):
        paired_difference(BARE, silent)


def test_resamples_without_overlap_are_counted() -> None:
    mostly_silent = [GUARDED[0], *(replace(one, confidence=None) for one in GUARDED[1:])]

    assert 400 < paired_difference(BARE, mostly_silent).without_overlap < 900


@pytest.mark.parametrize("wrong", [{"resamples": 0}, {"confidence": 1.0}, {"seed": -1}])
def test_a_bootstrap_that_makes_no_sense_is_an_error(wrong: dict[str, float]) -> None:
    with pytest.raises(SpecError, match="the bootstrap must have"):
        paired_difference(BARE, GUARDED, **wrong)  # type: ignore[arg-type]
