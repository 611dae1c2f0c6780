"""The card as a file, and as a line."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.summary import roc_of
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
        (changed(lambda data: data.update(line="0.7")), r"`card.line` must be a number; got str"),
        (changed(lambda data: data.update(method="guess")), "`guess` is not a known value"),
        (changed(lambda data: data.update(format=3)), "has the card format 3; expected 2"),
        (changed(lambda data: data["targets"][0].pop("confidence")), "but not how surely"),
        (changed(lambda data: data.update(method="conformal")), "`confidence` is for the method `exact`"),
        (changed(lambda data: data["targets"][0].update(confidence=None)), "`confidence` must be a number"),
        (CARD.to_json().replace("{", '{"line": 0.1, ', 1), "in `card`: the key `line` stands there twice"),
        ("{", "is not JSON"),
        ('{"line": 1' + "0" * 5000 + "}", "is not JSON"),
        ("[" * 100_000, "is not JSON: it is nested too deeply"),
        ("[]", "must be a mapping"),
        ("{}", "`card` is not a card: it has no `format`"),
        (changed(lambda data: data.update(line=float("nan"))), "in `card`: `NaN` is no number of JSON"),
        (changed(lambda data: data["measure"].update(x=float("-inf"))), "`-Infinity` is no number of JSON"),
        (changed(lambda data: data.update(name="../words")), "a card's name must be of small letters"),
        (changed(lambda data: data.update(name="words.json")), "name must have no `.json` at its end"),
        (changed(lambda data: data.update(name="w" * 101)), "must have at most 100 characters; got 101"),
        (changed(lambda data: data.update(targets=[])), "of the method `exact` must have a target"),
        (changed(lambda data: data.update(method="best_f1")), "of the method `best_f1` must have no target"),
        (changed(lambda data: data["targets"].append({"fpr": 0.1, "confidence": 0.9})), "one thing twice"),
        (changed(lambda data: data.update(line=99.0)), "is not inside its unsure band"),
        (changed(lambda data: data["rates"]["false_accepts"].update(value=1.5)), "be a share inside its"),
        (changed(lambda data: data["rates"]["false_rejects"].update(low=0.9)), "be a share inside its"),
        (changed(lambda data: data["reliability"][0]["observed"].update(high=2)), "be a share inside its"),
        (changed(lambda data: data["fitted"].update(bad=-1)), "must be 0 or more; got 140 good and -1 bad"),
    ],
)
def test_a_card_that_is_not_understood_is_an_error(text: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        Card.from_json(text)


def test_a_verdict_under_a_card_says_where_its_line_comes_from() -> None:
    verdict = decide("near", Reading(9.0, "far above"), CARD.cutoff(), "minilm:1")

    assert verdict.outcome == "pass"
    assert "labels.jsonl#000000000000 (words)" in verdict.explain()
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
    with pytest.raises(SpecError, match="calls readings above its cutoff good, not below"):
        CARD.cutoff_for(KeywordOverlap(), "below")


def test_a_key_that_stands_there_twice_among_very_many_is_found_soon() -> None:
    keys = ", ".join(f'"k{i}": 0' for i in range(200_000))

    with pytest.raises(SpecError, match="the key `k199999` stands there twice"):
        Card.from_json(f'{{{keys}, "k199999": 1}}')


def test_a_card_holds_readings_with_all_their_digits() -> None:
    rows = [Labelled(1 - (1 + i) * 1e-9, i < 200) for i in range(400)]
    roc = roc_of(card_of(rows, FPR))

    assert roc is not None
    assert roc.auc == 1.0
