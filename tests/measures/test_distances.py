"""Vectors that somebody else made: how near they lie, and which of them cannot be compared."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.measures.distances import (
    angular_similarity,
    cosine_similarity,
    euclidean_similarity,
    manhattan_similarity,
)

Similarity = Callable[[list[float], list[float]], float]
ALL = pytest.mark.parametrize(
    "similarity", [cosine_similarity, angular_similarity, euclidean_similarity, manhattan_similarity]
)
VECTORS = st.integers(1, 8).flatmap(
    lambda n: st.tuples(*[st.lists(st.floats(-1e6, 1e6), min_size=n, max_size=n)] * 2)
)


@ALL
def test_a_vector_is_like_itself_whatever_its_length(similarity: Similarity) -> None:
    assert similarity([1.0, 2.0, -3.0], [2.0, 4.0, -6.0]) == pytest.approx(1.0, abs=1e-12)


@ALL
def test_opposite_vectors_are_not_alike_at_all(similarity: Similarity) -> None:
    assert similarity([1.0, -1.0], [-1.0, 1.0]) == pytest.approx(0.0, abs=1e-12)


@ALL
def test_zero_and_empty_vectors_are_like_nothing(similarity: Similarity) -> None:
    assert similarity([0.0, 0.0], [1.0, 0.0]) == 0.0
    assert similarity([0.0, 0.0], [0.0, 0.0]) == 0.0
    assert similarity([], []) == 0.0


@ALL
def test_vectors_of_different_dimensions_are_an_error(similarity: Similarity) -> None:
    with pytest.raises(ValueError, match=r"differ in dimension: \(2,\) and \(3,\)"):
        similarity([1.0, 0.0], [1.0, 0.0, 0.0])


@ALL
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_an_error(similarity: Similarity, number: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        similarity([1.0, number], [1.0, 0.0])


@ALL
def test_huge_and_tiny_numbers_do_not_overflow(similarity: Similarity) -> None:
    assert similarity([1e300, 1e300], [1e-300, 1e-300]) == pytest.approx(1.0)


@ALL
@given(pair=VECTORS)
def test_it_lies_between_0_and_1_and_is_the_same_both_ways(
    similarity: Similarity, pair: tuple[list[float], list[float]]
) -> None:
    one, other = pair

    assert 0.0 <= similarity(one, other) <= 1.0
    assert similarity(one, other) == pytest.approx(similarity(other, one), abs=1e-12)


def test_a_right_angle_is_half_of_half_a_turn() -> None:
    assert angular_similarity([1.0, 0.0], [0.0, 1.0]) == pytest.approx(0.5)
    assert euclidean_similarity([1.0, 0.0], [0.0, 1.0]) == pytest.approx(1 - math.sqrt(2) / 2)
    assert manhattan_similarity([1.0, 0.0], [0.0, 1.0]) == pytest.approx(1 - 2 / (2 * math.sqrt(2)))


def test_the_angle_is_exact_where_an_arc_cosine_would_be_coarse() -> None:
    angle = 1e-9

    near = angular_similarity([1.0, 0.0], [math.cos(angle), math.sin(angle)])

    assert 1 - near == pytest.approx(angle / math.pi, rel=1e-6)


def test_arrays_of_any_float_are_vectors_too() -> None:
    assert angular_similarity(np.ones(3, np.float32), np.ones(3, np.float64)) == 1.0
