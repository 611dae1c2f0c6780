"""What stores give is turned into the cosine, or refused."""

import math
from typing import cast, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.retrieval.match import SLIP, Match, Scale, closeness_from

SCALES: tuple[Scale, ...] = get_args(Scale)
VECTORS = arrays(np.float64, 8, elements=st.floats(-1, 1)).filter(lambda row: np.linalg.norm(row) > 0.01)


def scores(a: np.ndarray, b: np.ndarray) -> dict[Scale, float]:
    """What a store gives for two unit vectors, on each scale, from what the scale means."""
    cosine, apart = float(a @ b), float(np.linalg.norm(a - b))
    return {
        "cosine": cosine,
        "inner-product": cosine,
        "cosine-distance": 1 - cosine,
        "half-cosine": (1 + cosine) / 2,
        "l2": apart,
        "squared-l2": apart**2,
    }


@given(VECTORS, VECTORS)
def test_every_scale_comes_to_the_same_cosine(a: np.ndarray, b: np.ndarray) -> None:
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)

    given_by_store = scores(a, b)

    assert set(given_by_store) == set(SCALES)
    for scale, score in given_by_store.items():
        assert closeness_from(score, scale) == pytest.approx(float(a @ b), abs=1e-9)


@pytest.mark.parametrize(
    ("scale", "same", "across", "opposite"),
    [
        ("cosine", 1, 0, -1),
        ("inner-product", 1, 0, -1),
        ("cosine-distance", 0, 1, 2),
        ("half-cosine", 1, 0.5, 0),
        ("l2", 0, math.sqrt(2), 2),
        ("squared-l2", 0, 2, 4),
    ],
)
def test_the_same_the_unrelated_and_the_opposite(
    scale: Scale, same: float, across: float, opposite: float
) -> None:
    found = [closeness_from(score, scale) for score in (same, across, opposite)]

    assert found == pytest.approx([1, 0, -1], abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "score"),
    [
        ("cosine", 1.2),
        ("cosine", -1.01),
        ("inner-product", 37.5),
        ("cosine-distance", 2.1),
        ("cosine-distance", -0.1),
        ("half-cosine", 1.1),
        ("half-cosine", -0.1),
        ("l2", 2.1),
        ("l2", -0.5),
        ("squared-l2", 4.1),
        ("squared-l2", -1.0),
    ],
)
def test_a_score_that_the_scale_does_not_have_is_refused(scale: Scale, score: float) -> None:
    with pytest.raises(SampleError, match=f"{score} is not on the scale `{scale}`"):
        closeness_from(score, scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_on_no_scale(scale: Scale, score: float) -> None:
    with pytest.raises(SampleError, match="is not on the scale"):
        closeness_from(score, scale)


@pytest.mark.parametrize("scale", ["cosine", "inner-product"])
def test_what_arithmetic_carries_beyond_one_is_one_and_may_stand_in_a_match(scale: Scale) -> None:
    assert closeness_from(1 + SLIP / 2, scale) == 1
    assert closeness_from(-1 - SLIP / 2, scale) == -1
    assert Match("text", closeness_from(1 + SLIP / 2, scale)).closeness == 1
    with pytest.raises(SampleError):
        closeness_from(1 + 2 * SLIP, scale)


def test_a_cosine_is_never_taken_for_half_of_one() -> None:
    assert closeness_from(0.5, "cosine") == 0.5
    assert closeness_from(0.5, "half-cosine") == 0


def test_an_unknown_scale_is_refused_with_the_one_that_was_meant() -> None:
    with pytest.raises(
        SpecError, match="`cosine_distance` is not a known scale; did you mean `cosine-distance`"
    ):
        closeness_from(0.5, cast(Scale, "cosine_distance"))
