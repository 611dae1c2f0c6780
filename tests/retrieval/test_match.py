"""A match holds a text and a cosine, and refuses what is neither."""

from typing import Any

import numpy as np
import pytest

from sensecheck.core.errors import SampleError
from sensecheck.retrieval.match import Match


@pytest.mark.parametrize("closeness", [-1, -1.0, -0.0, 0, 0.37, 1, 1.0, np.float64(0.5), np.float32(0.5)])
def test_every_cosine_is_a_closeness(closeness: float) -> None:
    assert Match("text", closeness).closeness == closeness
    assert isinstance(Match("text", closeness).closeness, int | float)  # which JSON can hold


@pytest.mark.parametrize("closeness", [1.2, -1.0001, 1.0000001, float("nan"), float("inf"), -float("inf"), 2])
def test_what_is_no_cosine_is_refused_and_told_where_to_go(closeness: float) -> None:
    with pytest.raises(
        SampleError, match=r"must be a cosine, from -1 to 1; got .*`closeness_from\(score, sc"
    ):
        Match("text", closeness)


@pytest.mark.parametrize("closeness", [True, False, "0.5", None, 0.5j, [0.5]])
def test_what_is_no_number_is_refused_by_its_kind(closeness: Any) -> None:
    with pytest.raises(SampleError, match=f"`closeness` must be a number; got {type(closeness).__name__}"):
        Match("text", closeness)


@pytest.mark.parametrize("text", [None, b"text", 5, ["text"]])
def test_what_is_no_text_is_refused_by_its_kind(text: Any) -> None:
    with pytest.raises(SampleError, match=f"`text` must be a string; got {type(text).__name__}"):
        Match(text, 0.5)


def test_a_text_is_not_told_in_what_is_refused() -> None:
    with pytest.raises(SampleError) as refused:
        Match("a private matter", 7)

    assert "private" not in str(refused.value)


def test_two_matches_are_the_same_whether_or_not_they_brought_their_vectors() -> None:
    assert Match("text", 0.5, vector=np.ones(3, np.float32)) == Match("text", 0.5)
    assert "vector" not in repr(Match("text", 0.5, vector=np.ones(3, np.float32)))


def test_a_list_of_numbers_is_a_vector() -> None:
    vector = Match("text", 0.5, vector=[0.6, 0.8]).vector  # type: ignore[arg-type]

    assert isinstance(vector, np.ndarray)
    assert vector.dtype == np.float32
    assert vector.tolist() == pytest.approx([0.6, 0.8])


@pytest.mark.parametrize("vector", [["a"], [[1.0]], [None, [1]], "0.5", 5])
def test_what_is_no_vector_is_refused(vector: Any) -> None:
    with pytest.raises(SampleError, match="`vector` must be an array of numbers; got"):
        Match("text", 0.5, vector=vector)


def test_matches_do_not_share_their_metadata() -> None:
    assert Match("a", 0.5).metadata is not Match("b", 0.5).metadata
