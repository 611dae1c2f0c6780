"""Where the line goes, and how it is written."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sensecheck.calibration.placement import CertifyingMethod, PlacedCutoff, allowed, place_cutoff, shortest
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from tests.corpus import each_of

SMOOTH = st.floats(-1e6, 1e6, allow_nan=False)
COARSE = st.integers(-4, 4).map(lambda tenth: tenth / 10)
READINGS = st.lists(SMOOTH, min_size=30, max_size=60) | st.lists(COARSE, min_size=30, max_size=60)
METHODS = st.sampled_from(["exact", "conformal"])
FPR, FNR = Target("false_accepts", 0.2), Target("false_rejects", 0.2)


def placed(
    good: Sequence[float],
    bad: Sequence[float],
    *targets: Target,
    method: Method = "exact",
    side: Literal["above", "below"] = "above",
) -> PlacedCutoff:
    return place_cutoff(np.array(good), np.array(bad), side=side, method=method, targets=targets)


def errors(found: PlacedCutoff, good: Sequence[float], bad: Sequence[float]) -> tuple[int, int]:
    """Bad readings that pass and good ones that fail."""
    side = Cutoff(found.value, "above", found.doubt).side
    return sum(side(value) == "pass" for value in bad), sum(side(value) == "fail" for value in good)


@given(low=SMOOTH, width=st.floats(1e-9, 1e3), with_low=st.booleans(), at=st.floats(0, 1))
def test_the_shortest_number_lies_between(low: float, width: float, with_low: bool, at: float) -> None:
    high = low + width
    assume(high > low)
    found = shortest(low, high, near=low + at * width, with_low=with_low)

    assert low <= found <= high
    assert with_low or found > low
    for digits in range(1, len(repr(abs(found)).replace(".", "").strip("0").split("e")[0])):
        unit = 10.0 ** (math.floor(math.log10(max(abs(low), abs(high)))) - digits + 1)
        inside = [unit * step for step in range(math.ceil(low / unit), math.floor(high / unit) + 1)]
        assert all(value == pytest.approx(low) or value == pytest.approx(high) for value in inside)


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [
        (0.8312, 0.8391, 0.832),
        (0.8312, 0.85, 0.84),
        (-0.3, 0.2, 0.0),
        (1234.5, 1290.0, 1240.0),
        (-0.0512, -0.0502, -0.051),
        (0.86, 0.86125, 0.86),
        (0.1, 0.1, 0.1),
        (0.3, math.nextafter(0.3, 1), 0.3),
    ],
)
def test_short_numbers_are_what_people_would_write(low: float, high: float, found: float) -> None:
    assert shortest(low, high, near=low, with_low=True) == found


@each_of("low", [step / 100 for step in range(1, 100)])
def test_a_number_is_not_above_itself(low: float) -> None:
    assert shortest(low, low + 0.00125, near=low, with_low=False) == round(low + 0.001, 3)


def test_between_two_neighbouring_floats_it_is_the_upper_one() -> None:
    low = 0.123456789
    high = math.nextafter(low, 1)

    assert shortest(low, high, near=low, with_low=False) == high


@given(good=READINGS, bad=READINGS, method=METHODS)
def test_no_more_bad_readings_pass_than_the_promise_allows(
    good: list[float], bad: list[float], method: CertifyingMethod
) -> None:
    accepted, _ = errors(placed(good, bad, FPR, method=method), good, bad)

    assert accepted <= (allowed(method, FPR, len(bad)) or 0)


@given(good=READINGS, bad=READINGS, method=METHODS)
def test_no_more_good_readings_fail_than_the_promise_allows(
    good: list[float], bad: list[float], method: CertifyingMethod
) -> None:
    _, rejected = errors(placed(good, bad, FNR, method=method), good, bad)

    assert rejected <= (allowed(method, FNR, len(good)) or 0)


@given(good=READINGS, bad=READINGS)
def test_the_line_lies_just_above_the_reading_that_must_fail(good: list[float], bad: list[float]) -> None:
    edge = sorted(bad, reverse=True)[allowed("exact", FPR, len(bad)) or 0]
    line = placed(good, bad, FPR).value
    larger = [value for value in good + bad if value > edge]

    assert line > edge
    if larger:
        assert line <= max(edge + (min(larger) - edge) / 8, math.nextafter(edge, math.inf))


@given(good=READINGS, bad=READINGS)
def test_the_line_lies_just_below_the_reading_that_must_pass(good: list[float], bad: list[float]) -> None:
    edge = sorted(good)[allowed("exact", FNR, len(good)) or 0]
    line = placed(good, bad, FNR).value
    smaller = [value for value in good + bad if value < edge]

    assert line <= edge
    if smaller:
        assert line >= edge - (edge - max(smaller)) / 8


@given(
    good=READINGS,
    bad=READINGS,
    method=st.sampled_from(["exact", "conformal", "best_f1"]),
    wanted=st.sampled_from([(FPR,), (FNR,), (FPR, FNR)]),
)
def test_readings_that_are_good_below_are_the_mirror_image(
    good: list[float], bad: list[float], method: Method, wanted: tuple[Target, ...]
) -> None:
    above = placed(good, bad, *wanted, method=method)
    below = placed([-v for v in good], [-v for v in bad], *wanted, method=method, side="below")
    one, other = Cutoff(above.value, "above", above.doubt), Cutoff(below.value, "below", below.doubt)

    assert above.value == -below.value
    assert [one.side(value) for value in good + bad] == [other.side(-value) for value in good + bad]
    assert math.copysign(1, below.value) > 0 or below.value < 0  # no line reads -0


@given(good=READINGS, bad=READINGS, one=st.floats(0.1, 0.9), other=st.floats(0.1, 0.9), method=METHODS)
def test_a_harder_promise_never_has_an_easier_line(
    good: list[float], bad: list[float], one: float, other: float, method: Method
) -> None:
    hard, easy = (Target("false_accepts", share, 0.8) for share in sorted((one, other)))

    assert placed(good, bad, hard, method=method).value >= placed(good, bad, easy, method=method).value


@given(good=READINGS, bad=READINGS, random=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(good: list[float], bad: list[float], random: object) -> None:
    found = placed(good, bad, FPR, FNR)
    random.shuffle(good)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    random.shuffle(bad)  # type: ignore[attr-defined]

    assert placed(good, bad, FPR, FNR) == found


@given(good=READINGS, bad=READINGS)
def test_two_promises_are_both_kept(good: list[float], bad: list[float]) -> None:
    found = placed(good, bad, FPR, FNR)
    accepted, rejected = errors(found, good, bad)

    assert accepted <= (allowed("exact", FPR, len(bad)) or 0)
    assert rejected <= (allowed("exact", FNR, len(good)) or 0)


def test_between_two_lines_it_is_unsure() -> None:
    mixed = [step / 100 for step in range(100)]
    found = placed(mixed, mixed, FPR, FNR)

    assert found == PlacedCutoff(0.861, (0.13, 0.861))


def test_one_line_that_keeps_both_promises_lies_in_the_middle() -> None:
    good, bad = [0.9 + i / 1000 for i in range(50)], [0.3 - i / 1000 for i in range(50)]

    assert placed(good, bad, FPR, FNR) == PlacedCutoff(0.6)


def test_readings_that_are_all_the_same_let_nothing_pass() -> None:
    found = placed([0.5] * 30, [0.5] * 30, FPR)

    assert found == PlacedCutoff(0.51)


@given(good=READINGS, bad=READINGS)
def test_best_f1_is_the_best_of_all_lines(good: list[float], bad: list[float]) -> None:
    def f1(line: float) -> float:
        caught, blamed = sum(v < line for v in bad), sum(v < line for v in good)
        return 2 * caught / (caught + blamed + len(bad))

    found = placed(good, bad, method="best_f1")

    assert f1(found.value) == max(f1(math.nextafter(value, math.inf)) for value in good + bad)


def test_too_few_rows_are_an_error_that_says_how_many_are_wanted() -> None:
    with pytest.raises(SpecError, match="needs at least 14 rows; got 3"):
        placed([1.0], [0.0] * 3, FPR)
