"""Cards as a notebook makes, finds and checks them: no command line."""

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck import Settings
from sensecheck.calibration.card import Card
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.training import (
    CalibrationRequest,
    CardCheckRequest,
    calibrate,
    check_card,
    find_card,
    list_cards,
)


def rows(good: int, bad: int, *, first: int = 0) -> list[dict[str, Any]]:
    """Answers that use the words of their passage, and others."""
    return [
        {
            "answer": f"Locker {i} opens daily." if i < first + good else f"Penguins number {i} swim.",
            "passages": [f"The locker {i} opens daily at noon."],
            "label": i < first + good,
        }
        for i in range(first, first + good + bad)
    ]


def written(path: Path, found: Iterable[object]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in found), encoding="utf-8")
    return path


@pytest.fixture
def request_(tmp_path: Path) -> CalibrationRequest:
    (tmp_path / "cards").mkdir()
    return CalibrationRequest(
        data=written(tmp_path / "labelled.jsonl", rows(90, 90)),
        name="words",
        measure="keyword_overlap",
        fpr=0.05,
        settings=Settings(encoder="hashing", cache="off", cards=str(tmp_path / "cards")),
    )


def test_a_request_becomes_a_card_that_is_found_listed_and_checked(
    request_: CalibrationRequest, tmp_path: Path
) -> None:
    seen: list[tuple[str, int, int]] = []

    found = calibrate(request_, on_progress=lambda *step: seen.append(step))

    assert found.card is not None
    assert found.path == tmp_path / "cards" / "words.json"
    assert found.card == Card.from_json(found.path.read_text())
    assert found.check == {"kind": "gate", "measure": {"kind": "keyword_overlap"}, "cutoff": "words"}
    assert (seen[0], seen[-1]) == (("reading", 1, 180), ("reading", 180, 180))
    assert find_card("words", request_.settings) == find_card(found.path) == found.card
    assert {card.name for card in list_cards(request_.settings)} > {"words", "refusal"}
    for card in ("words", found.path, found.card):
        new = written(tmp_path / "new.jsonl", rows(70, 70, first=500))
        checked = check_card(CardCheckRequest(card=card, data=new, settings=request_.settings))
        assert checked.outcome == "holds", checked.verdict


@pytest.mark.parametrize("measure", [{"kind": "keyword_overlap"}, KeywordOverlap()])
def test_a_measure_is_a_name_data_or_the_measure_itself(
    request_: CalibrationRequest, measure: Any, tmp_path: Path
) -> None:
    turned = [{**row, "label": not row["label"]} for row in rows(90, 90)]
    data = written(tmp_path / "turned.jsonl", turned)

    found = calibrate(replace(request_, measure=measure, higher_is_better=False, data=data))

    assert found.card is not None
    assert (found.card.measure, found.card.good) == ({"kind": "keyword_overlap"}, "below")


def test_too_few_labels_are_counted_and_nothing_is_written(
    request_: CalibrationRequest, tmp_path: Path
) -> None:
    found = calibrate(replace(request_, data=written(tmp_path / "few.jsonl", rows(20, 20))))

    assert (found.card, found.path) == (None, None)
    assert found.not_certifiable is not None
    assert found.not_certifiable.missing == {"bad": 64}
    assert list((tmp_path / "cards").iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"preset": "means"}, "either `preset` or `measure`"),
        ({"measure": None}, "either `preset` or `measure`"),
        (
            {"measure": None, "preset": "means", "higher_is_better": True},
            "`higher_is_better` is for `measure`",
        ),
        ({"policy": "strict"}, "`policy` is for the presets `grounded` and `means`; got `keyword_overlap`"),
        ({"fpr": None, "confidence": 0.9}, "`confidence` is that of `fpr` and `fnr`"),
        ({"holdout": 1.0}, "`holdout` must be a share from 0 to less than 1; got 1.0"),
        ({"name": "refusal"}, "a card `refusal` comes with sensecheck"),
        ({"group": "label"}, "the column `label` was named for two things"),
    ],
)
def test_what_does_not_go_together_is_known_before_the_file_is_read(
    request_: CalibrationRequest, changes: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(SpecError) as wrong:
        calibrate(replace(request_, data="nowhere.jsonl", **changes))

    assert complaint in str(wrong.value)


def test_a_card_is_not_checked_against_its_own_rows(request_: CalibrationRequest) -> None:
    calibrate(request_)

    with pytest.raises(SampleError, match="is the file that the card `words` was made from"):
        check_card(CardCheckRequest(card="words", data=request_.data, settings=request_.settings))
