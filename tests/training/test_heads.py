"""Heads as a notebook trains them: no command line."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck import Settings
from sensecheck.core.errors import SpecError
from sensecheck.measures.heads.features import Cue, SentencePart
from sensecheck.measures.heads.model import HeadModel
from sensecheck.training import TrainingRequest, train_head
from tests.walks.labelled import HELPS, REFUSES, answers, lines


@pytest.fixture
def request_(tmp_path: Path) -> TrainingRequest:
    helpful = [{"answer": text, "label": "answer"} for text in answers(HELPS, 20)]
    refusing = [{"answer": text, "label": "refusal"} for text in answers(REFUSES, 20)]
    return TrainingRequest(
        data=lines(tmp_path / "labelled.jsonl", [*helpful, *refusing]),
        name="mine",
        path=tmp_path / "mine.json",
        settings=Settings(encoder="hashing", cache="off"),
    )


def test_a_request_becomes_a_head_and_its_figures(request_: TrainingRequest) -> None:
    seen: list[tuple[str, int, int]] = []

    found = train_head(request_, on_progress=lambda *step: seen.append(step))

    assert found.model == replace(HeadModel.from_file(found.path), file="")
    assert (found.rows, found.left_out, found.table.accuracy.n) == (40, (), 40)
    assert found.measure == {"kind": "head", "model": str(request_.path), "of": ["answer"]}
    assert [step for step in seen if step[1] == step[2]] == [
        ("encoding", 40, 40),
        ("cross-validating", 5, 5),
    ]
    with pytest.raises(SpecError, match="is already there"):
        train_head(request_)


def test_sentences_and_patterns_are_texts_or_values(request_: TrainingRequest) -> None:
    as_texts = replace(request_, sentences=["first:8", "last"], patterns=["sorry:opening:sorry"])
    as_values = replace(
        request_,
        sentences=[SentencePart("first", 8), SentencePart("last", 16)],
        patterns=[Cue("sorry", "opening", "sorry")],
        force=True,
    )

    assert train_head(as_texts).model.recipe == train_head(as_values).model.recipe


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"name": "Mine!"}, "a head's name must be of small letters"),
        ({"inverse_regularization": 0.0}, "`inverse_regularization` must be a number above 0"),
        ({"base": "refusal", "recipe": {}}, "`recipe` and `base` are two ways to say the same"),
        ({"recipe": []}, "`recipe` must be a mapping such as {…}; got list"),
        ({"sentences": ["first:many"]}, "as in first:16; got `first:many`"),
    ],
)
def test_what_cannot_be_trained_is_known_before_the_file_is_read(
    request_: TrainingRequest, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SpecError) as wrong:
        train_head(replace(request_, data="nowhere.jsonl", **changes))

    assert complaint in str(wrong.value)
