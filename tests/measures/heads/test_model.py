"""The file of a head: the same bytes every time, and nothing wrong with it goes unnoticed."""

import base64
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.corpus import each_row
from tests.pace import usual_seconds

from sensecheck.core.errors import SpecError
from sensecheck.measures.heads.features import (
    Cue,
    HeadRecipe,
    SentencePart,
    TrainingSource,
    marks_of,
    packed_numbers,
)
from sensecheck.measures.heads.model import HeadModel, shipped_head, shipped_heads

RECIPE = HeadRecipe(
    ("answer", "refusal"), (SentencePart("first", 16),), (Cue("sorry", "opening", r"\bsorry\b"),)
)


def model(**others: Any) -> HeadModel:
    """A small head with random weights."""
    random = np.random.default_rng(0)
    given: dict[str, Any] = {
        "name": "mine",
        "recipe": RECIPE,
        "encoder": "hashing:8:1",
        "dimension": 8,
        "weights": random.normal(size=(2, 9)).astype(np.float32),
        "mean": random.normal(size=9).astype(np.float32),
        "bias": (-0.1, 0.1),
        "sources": (TrainingSource("rows.jsonl", 2, "CC0"),),
        "date": "2026-01-31",
        "version": "0.1.0",
        "marks": marks_of(["I am sorry.", "It is nine."]),
    }
    return HeadModel(**(given | others))


def changed(key: str, value: object) -> str:
    """The file with something else in one place."""
    return json.dumps({**json.loads(model().to_json()), key: value})


def test_a_file_is_read_and_written_again_byte_for_byte(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(model().to_json(), encoding="utf-8")
    found = HeadModel.from_file(path)

    assert found.to_json() == model().to_json()
    assert found.digest == model().digest
    assert np.array_equal(found.weights, model().weights)
    assert (found.recipe, found.sources, found.bias) == (RECIPE, model().sources, (-0.1, 0.1))


@pytest.mark.parametrize("name", shipped_heads())
def test_a_shipped_head_is_read_and_written_again_byte_for_byte(name: str) -> None:
    found = shipped_head(name)

    assert HeadModel.from_json(found.to_json(), at=name) == found
    assert HeadModel.from_data(name) == HeadModel.from_data(found.to_data()) == found
    assert found.sources


def test_a_check_names_the_file_and_the_digest(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text(model().to_json(), encoding="utf-8")
    found = HeadModel.from_data(str(path))

    assert found.to_data() == f"{path}#{model().digest}"
    assert HeadModel.from_data(found.to_data()) == found
    with pytest.raises(SpecError, match=f"has the digest {model().digest}; expected 0123456789abcdef"):
        HeadModel.from_data(f"{path}#0123456789abcdef")


@pytest.mark.parametrize(
    "other",
    [
        {"bias": (0.0, 0.1)},
        {"encoder": "hashing:8:2"},
        {"mean": np.zeros(9, np.float32)},
        {"weights": np.zeros((2, 9), np.float32)},
        {"recipe": replace(RECIPE, classes=("answer", "silence"))},
        {"recipe": replace(RECIPE, cue_weight=0.25)},
        {"recipe": replace(RECIPE, parts=(SentencePart("first", 15),))},
    ],
)
def test_whatever_changes_a_reading_changes_the_digest(other: dict[str, Any]) -> None:
    assert model(**other).digest != model().digest
    assert model(**other) != model()


@pytest.mark.parametrize("other", [{"name": "yours"}, {"date": ""}, {"sources": ()}, {"strength": 9.0}])
def test_whatever_changes_no_reading_leaves_the_digest(other: dict[str, Any]) -> None:
    assert model(**other).digest == model().digest


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("bias", [0.5, 0.1]),
        ("encoder", "another"),
        ("mean", packed_numbers(np.zeros(9, np.float32))),
        ("weights", packed_numbers(np.ones((2, 9), np.float32))),
        ("recipe", {"classes": ["answer", "refusal"], "parts": [{"name": "last", "words": 16}],
                    "cues": [{"name": "sorry", "where": "opening", "pattern": r"\bsorry\b"}]}),
        ("digest", "0123456789abcdef"),
    ],
)  # fmt: skip
def test_what_was_changed_by_hand_is_refused(key: str, value: object) -> None:
    with pytest.raises(SpecError, match=r"`mine\.json` was changed by hand: its digest is"):
        HeadModel.from_json(changed(key, value), at="mine.json")


@each_row
def test_a_file_that_is_wrong_says_where(text: str, complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        HeadModel.from_json(text, at="mine.json")


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(SpecError, match=r"weights of the shape \(2, 8\); expected \(2, 9\)"):
        model(weights=np.zeros((2, 8), np.float32))


def test_a_file_that_is_not_there_names_the_shipped_heads(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"nowhere.json` cannot be read: .*; shipped are `refusal`"):
        HeadModel.from_data(str(tmp_path / "nowhere.json"))


def test_an_answer_is_known_again_whatever_its_spaces_and_case() -> None:
    found = HeadModel.from_json(model().to_json())

    assert found.was_trained_on("i am\n  SORRY. ")
    assert not found.was_trained_on("I am sorry")
    assert not model(marks=b"").was_trained_on("I am sorry.")


def test_a_file_holds_no_answer() -> None:
    held = json.loads(model().to_json())

    assert len(base64.b64decode(held["marks"])) == 2 * 6
    assert "sorry." not in model().to_json()


def test_marks_of_many_answers_are_looked_up_fast() -> None:
    found = model(marks=marks_of(f"answer {i}" for i in range(20_000)))
    begun = time.thread_time()

    assert all(found.was_trained_on(f"Answer  {i}") for i in range(0, 20_000, 20))
    assert not any(found.was_trained_on(f"another {i}") for i in range(1000))
    assert usual_seconds(begun) < 1
