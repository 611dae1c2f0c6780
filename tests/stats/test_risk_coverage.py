"""Risk over coverage, held against answers worked out by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.stats.risk_coverage import MAX_POINTS, CurvePoint, RiskCoverage, ScoredOutput
from tests.stats.outputs import outputs

LOSSES = st.floats(0, 10)
TOLD = st.lists(
    st.one_of(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.9]), LOSSES), st.just((None, None))), min_size=1
)


def test_the_area_is_the_mean_of_the_risks_when_nothing_is_tied_and_nobody_abstains() -> None:
    curve = RiskCoverage.of(outputs((0.9, 0), (0.8, 1), (0.7, 0), (0.6, 1)))

    assert curve.points == (
        CurvePoint(0.25, 0),
        CurvePoint(0.5, 0.5),
        CurvePoint(0.75, 1 / 3),
        CurvePoint(1.0, 0.5),
    )
    assert curve.aurc == pytest.approx((0 + 1 / 2 + 1 / 3 + 1 / 2) / 4)


def test_those_that_are_equally_sure_are_accepted_in_one_step_with_the_risk_at_its_end() -> None:
    curve = RiskCoverage.of(outputs((0.9, 0), (0.5, 1), (0.5, 0), (0.1, 1)))

    assert curve.points == (CurvePoint(0.25, 0), CurvePoint(0.75, 1 / 3), CurvePoint(1.0, 0.5))
    assert curve.aurc == pytest.approx(0.25 * 0 + 0.5 * 1 / 3 + 0.25 * 0.5)


def test_the_risk_of_the_first_step_holds_from_coverage_zero() -> None:
    curve = RiskCoverage.of(outputs((0.9, 1), (0.8, 0)))

    assert curve.area(0.1) == pytest.approx(0.1 * 1)
    assert curve.area(0.75) == pytest.approx(0.5 * 1 + 0.25 * 0.5)


def test_an_abstention_counts_in_the_coverage_and_is_never_accepted() -> None:
    curve = RiskCoverage.of(outputs((0.9, 0), (None, None), (0.8, 1), (None, 5)))

    assert curve.points == (CurvePoint(0.25, 0), CurvePoint(0.5, 0.5))
    assert (curve.highest, curve.abstained) == (0.5, 2)
    assert curve.aurc == pytest.approx(0.25 * 0 + 0.25 * 0.5)


def test_nothing_but_abstentions_is_a_curve_without_steps() -> None:
    curve = RiskCoverage.of(outputs((None, None), (None, None)))

    assert (curve.points, curve.highest, curve.aurc) == ((), 0.0, 0.0)


def test_best_worst_and_chance_are_known() -> None:
    curve = RiskCoverage.of(outputs((0.9, 1), (0.8, 0), (0.7, 0), (0.6, 1)))

    assert curve.best == pytest.approx((0 + 0 + 1 / 3 + 1 / 2) / 4)
    assert curve.worst == pytest.approx((1 + 1 + 2 / 3 + 1 / 2) / 4)
    assert curve.by_chance == pytest.approx(0.5)


def test_a_best_of_nothing_wrong_has_no_sign() -> None:
    curve = RiskCoverage.of(outputs((0.9, 0), (0.8, 0), (None, None)))

    assert (f"{curve.best:.3f}", f"{curve.worst:.3f}") == ("0.000", "0.000")
    assert f"{RiskCoverage.of(outputs((None, None))).best:.3f}" == "0.000"


def test_a_coverage_that_is_not_reached_is_an_error() -> None:
    curve = RiskCoverage.of(outputs((0.9, 0), (None, None)))

    with pytest.raises(SpecError, match=r"from coverage 0 to 0\.5; got 0\.6"):
        curve.area(0.6)


@given(TOLD, st.randoms())
def test_the_order_of_outputs_does_not_matter(told: list[tuple[float, float]], random: object) -> None:
    mixed = list(told)
    random.shuffle(mixed)  # type: ignore[attr-defined]

    assert RiskCoverage.of(outputs(*mixed)).aurc == pytest.approx(RiskCoverage.of(outputs(*told)).aurc)


@given(TOLD, st.floats(0, 1))
def test_the_area_lies_between_the_best_and_the_worst(told: list[tuple[float, float]], part: float) -> None:
    curve = RiskCoverage.of(outputs(*told))

    assert curve.best - 1e-9 <= curve.aurc <= curve.worst + 1e-9
    assert curve.best - 1e-9 <= curve.by_chance <= curve.worst + 1e-9
    assert 0 <= curve.area(part * curve.highest) <= curve.aurc + 1e-9


@given(st.lists(LOSSES, min_size=1))
def test_if_all_are_equally_sure_the_area_is_that_of_chance(losses: list[float]) -> None:
    curve = RiskCoverage.of(outputs(*((0.5, lost) for lost in losses)))

    assert curve.aurc == pytest.approx(curve.by_chance)


@given(st.lists(st.floats(0, 1), min_size=1))
def test_if_all_are_right_the_area_is_zero(sure: list[float]) -> None:
    assert RiskCoverage.of(outputs(*((one, 0.0) for one in sure))).aurc == 0


def test_a_long_curve_is_thinned_as_data_and_keeps_its_ends_and_its_area() -> None:
    rng = np.random.default_rng(1)
    curve = RiskCoverage.of(outputs(*((one, float(one < 0.4)) for one in rng.random(3_000).tolist())))
    data = curve.to_data()

    assert len(data["points"]) == MAX_POINTS
    assert (data["points"][0], data["points"][-1]) == (list(curve.points[0]), list(curve.points[-1]))
    assert data["aurc"] == curve.aurc


@pytest.mark.parametrize(
    ("sure", "lost", "reason"),
    [
        (math.nan, 0.0, "`confidence` must be a finite number, or none; got nan"),
        (math.inf, 0.0, "`confidence` must be a finite number, or none; got inf"),
        (0.5, None, "must have a `loss`"),
        (0.5, -0.1, "from 0 up; got -0.1"),
        (0.5, math.nan, "from 0 up; got nan"),
    ],
)
def test_what_is_no_number_is_an_error(sure: float, lost: float | None, reason: str) -> None:
    with pytest.raises(SampleError, match=reason):
        ScoredOutput("a", sure, lost)


def test_no_outputs_are_an_error() -> None:
    with pytest.raises(SampleError, match="at least one output"):
        RiskCoverage.of([])
