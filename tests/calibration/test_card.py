"""The card as a file, and as a line."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from sensecheck.calibration.card import Card
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Reading
from sensecheck.core.verdict import decide
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows

ROWS = normal_rows(1, 200, 200, apart=1.5)
CARD = card_of(ROWS, FPR, FNR, encoder="minilm:1", licence="CC BY 4.0", warnings=("few",))


@pytest.mark.parametrize(
    "card",
    [
        CARD,
        card_of(ROWS, method="best_f1"),
        card_of(ROWS, FPR, method="conformal"),
        card_of(ROWS, FPR, share_held_out=0),
    ],
    ids=["two targets", "best_f1", "conformal", "nothing held out"],
)
def test_a_card_goes_to_a_file_and_back_byte_for_byte(card: Card) -> None:
    text = card.to_json()

    assert Card.from_json(text) == card
    assert Card.from_json(text).to_json() == text


def test_the_same_labels_give_the_same_bytes() -> None:
    assert card_of(list(ROWS), FPR).to_json() == card_of(ROWS, FPR).to_json()


def changed(change: Callable[[Any], object]) -> str:
    data = json.loads(CARD.to_json())
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (changed(lambda data: data.update(colour="red")), "`colour` is not a known key"),
        (changed(lambda data: data["rates"].update(luck=1)), "`luck` is not a known key"),
        (changed(lambda data: data["targets"][0].update(fprr=1)), "did you mean `fpr`"),
        (changed(lambda data: data.pop("line")), "lacks the key `line`"),
        (changed(lambda data: data.update(line="0.7")), r"`card.line` wants a number; found str"),
        (changed(lambda data: data.update(method="guess")), "`guess` is not a known value"),
        (changed(lambda data: data.update(format=2)), "has the card format 2; wanted 1"),
        (changed(lambda data: data["targets"][0].pop("confidence")), "but not how surely"),
        (changed(lambda data: data.update(method="conformal")), "`confidence` is for the method `exact`"),
        (changed(lambda data: data["targets"][0].update(confidence=None)), "`confidence` wants a number"),
        (CARD.to_json().replace("{", '{"line": 0.1, ', 1), "in `card`: the key `line` stands there twice"),
        ("{", "is not JSON"),
        ('{"line": 1' + "0" * 5000 + "}", "is not JSON"),
        ("[" * 100_000, "is not JSON: it is nested too deeply"),
        ("[]", "wants a mapping"),
    ],
)
def test_a_card_that_is_not_understood_is_an_error(text: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Card.from_json(text)


def test_a_verdict_under_a_card_says_where_its_line_comes_from() -> None:
    verdict = decide("near", Reading(9.0, "far above"), CARD.cutoff(), "minilm:1")

    assert verdict.outcome == "pass"
    assert "labels.jsonl (words)" in verdict.explain()
    assert verdict.cutoff is not None
    assert verdict.cutoff.certificate is not None
    assert verdict.cutoff.certificate.promise == CARD.promise


@pytest.mark.parametrize("fingerprint", ["other:2", None])
def test_a_card_for_another_encoder_judges_nothing(fingerprint: str | None) -> None:
    verdict = decide("near", Reading(9.0, "far above"), CARD.cutoff(), fingerprint)

    assert verdict.outcome == "error"
    assert "fitted for the encoder `minilm:1`" in verdict.because


def test_a_card_is_a_line_for_its_own_measure_and_side_alone() -> None:
    assert CARD.cutoff_for(KeywordOverlap(), "above") == CARD.cutoff()
    with pytest.raises(SpecError, match="the card `words` is for"):
        CARD.cutoff_for(Similarity(), "above")
    with pytest.raises(SpecError, match="calls readings above its line good, not below"):
        CARD.cutoff_for(KeywordOverlap(), "below")
