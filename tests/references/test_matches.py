"""Matches under the document's names, and under ours."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sensecheck.core.errors import SampleError
from sensecheck.references import SimilarityMatch, TranscriptChunk
from sensecheck.retrieval.match import Match


def test_a_match_comes_back_as_it_was() -> None:
    theirs = SimilarityMatch(TranscriptChunk("text", 7, "a.txt", {"week": 2}), 0.5, 3, "an-encoder")
    ours = Match("text", 0.5, "a.txt", {"participant_id": "p7", "week": 2}, 1.0, "an-encoder")

    assert SimilarityMatch.from_match(theirs.to_match()) == theirs
    assert SimilarityMatch.from_match(ours).to_match() == ours
    assert SimilarityMatch.from_match(ours).chunk.participant_id == "p7"


def test_the_participant_stands_in_the_metadata_only_where_there_is_one() -> None:
    nobody = SimilarityMatch(TranscriptChunk("text"), 0.5)

    assert nobody.to_match().metadata == {}
    assert replace(nobody, chunk=TranscriptChunk("text", 0)).to_match().metadata == {"participant_id": 0}


def test_a_match_can_be_in_a_set() -> None:
    one = SimilarityMatch(TranscriptChunk("text", 7, metadata={"week": 2}), 0.5, 3)

    assert len({one, replace(one)}) == 1


def test_numbers_of_numpy_are_numbers() -> None:
    one = SimilarityMatch(TranscriptChunk("text"), np.float32(0.5), np.int64(2))  # type: ignore[arg-type]

    assert one.to_match().closeness == 0.5


@pytest.mark.parametrize("found", [1.2, -1.2, math.nan, math.inf, True, "0.5", None])
def test_what_is_no_cosine_is_refused(found: Any) -> None:
    with pytest.raises(SampleError):
        SimilarityMatch(TranscriptChunk("text"), found)


@pytest.mark.parametrize("found", [math.nan, True, "high"])
def test_what_is_no_score_is_refused(found: Any) -> None:
    with pytest.raises(SampleError, match="`reference_score` must be a finite number"):
        SimilarityMatch(TranscriptChunk("text"), 0.5, found)


def test_a_chunk_wants_a_text() -> None:
    with pytest.raises(SampleError, match="`text` must be a string; got int"):
        TranscriptChunk(7)  # type: ignore[arg-type]
