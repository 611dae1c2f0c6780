"""The page of a card: what it is given to show, whatever strangers wrote into the card."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from sensecheck.calibration.card import Card, DataMark, LabelledScores
from sensecheck.calibration.decision import Counts
from sensecheck.calibration.page import FORMAT, page_data, page_of
from sensecheck.calibration.summary import in_full, percent, roc_of
from sensecheck.core.cutoff import Rate
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows, turned
from tests.runs.page_read import packed_in

ROWS = normal_rows(1, 200, 200, apart=1.5)
SLICED = [replace(row, slices={"model": f"m{i % 3}"}) for i, row in enumerate(ROWS)]
TWO = card_of(SLICED, FPR, FNR, encoder="minilm:1", licence="CC BY 4.0", warnings=("few",))
HOSTILE = "<img src=x onerror=alert(1)>\"'&</style></title></script>]]>\x00\x1b[5m\u202e\ud800"


def hostile() -> Card:
    """A card in which every text is an attack."""
    return replace(
        TWO,
        measure={"kind": HOSTILE, HOSTILE: [HOSTILE]},
        encoder=HOSTILE,
        promise=HOSTILE,
        slices={HOSTILE: {HOSTILE: TWO.slices["model"]["m0"]}},
        data=DataMark(HOSTILE, HOSTILE, 3, HOSTILE, HOSTILE),
        date=HOSTILE,
        version=HOSTILE,
        warnings=(HOSTILE,),
        licence=HOSTILE,
    )


CARDS: Mapping[str, Card] = {
    "two promises": TWO,
    "one promise, below": card_of(turned(ROWS), FPR, good="below"),
    "no promise": card_of(ROWS, method="best_f1"),
    "many rows": card_of(normal_rows(3, 900, 900), FPR, method="conformal"),
    "nothing held out": card_of(ROWS, FPR, share_held_out=0),
    "hostile": hostile(),
    "one label": replace(
        TWO,
        held_out_scores=LabelledScores((0.5,), ()),
        held_out=Counts(1, 0),
        rates=replace(TWO.rates, false_accepts=None),
    ),
    "all the same": replace(TWO, held_out_scores=LabelledScores((TWO.line,) * 9, (TWO.line,) * 9)),
    "far apart": replace(TWO, held_out_scores=LabelledScores((1e300,), (-1e300,))),
}


@pytest.fixture(params=CARDS.values(), ids=list(CARDS))
def card(request: Any) -> Card:
    return request.param  # type: ignore[no-any-return]  # pytest does not say what a parameter is


def test_the_page_holds_the_data_and_allows_nothing_but_its_own_script_and_style(card: Card) -> None:
    page = page_of(card)

    assert packed_in(page) == {"card": [json.loads(json.dumps(page_data(card)))]}
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    page.encode()


def test_the_same_card_gives_the_same_bytes(card: Card) -> None:
    assert page_of(card) == page_of(card)


def test_what_strangers_wrote_is_data_without_characters_that_cannot_be_seen() -> None:
    data = page_data(CARDS["hostile"])

    said = json.dumps(data, ensure_ascii=False)
    assert said.count("<img src=x onerror=alert(1)>") > 8
    assert not {"\x00", "\x1b", "\u202e", "\ud800"} & set(said)
    assert "onerror" not in page_of(CARDS["hostile"])


def test_figures_stand_in_the_data_as_they_stand_in_the_card() -> None:
    data = page_data(TWO)
    rates, roc = TWO.rates, roc_of(TWO)
    assert rates.false_accepts is not None
    assert roc is not None

    assert data["format"] == FORMAT == 1
    assert (data["threshold"], data["unsure"]) == (TWO.line, list(TWO.doubt or ()))
    assert data["targets"] == {"false_accepts": 0.05, "false_rejects": 0.1}
    assert [one["what"] for one in data["rates"]] == [
        "bad answers that pass",
        "good answers that fail",
        "answers left unsure",
    ]
    found = rates.false_accepts
    wanted = {"value": found.value, "low": found.low, "high": found.high, "n": found.n}
    assert data["rates"][0]["rate"] == wanted
    assert data["roc"]["auc"] == roc.auc
    assert data["roc"]["points"][0] == [0, 0]
    assert data["roc"]["points"][-1] == [1, 1]
    assert len(data["histogram"]["edges"]) == len(data["histogram"]["good"]) + 1
    assert len(data["reliability"]) == len(TWO.reliability)
    (model,) = data["slices"]
    assert [row["value"] for row in model["rows"]] == ["m0", "m1", "m2"]


def test_it_says_what_a_reviewer_asks() -> None:
    facts = dict(page_data(TWO)["facts"])

    assert facts["measure"] == "keyword_overlap"
    assert facts["encoder"] == "minilm:1"
    assert facts["data"] == "labels.jsonl, 300 rows"
    assert facts["SHA-256 of the data"] == "0" * 64
    assert facts["licence of the data"] == "CC BY 4.0"
    assert facts["fitted"] == "2026-01-31, with sensecheck 0.1.0"
    assert facts["held out"] == "60 good and 60 bad answers (30%, chosen with the seed 0)"


def test_what_was_not_held_out_is_not_drawn() -> None:
    bare, lone = page_data(CARDS["nothing held out"]), page_data(CARDS["one label"])

    assert (bare["histogram"], bare["roc"], bare["reliability"]) == (None, None, [])
    assert [one["rate"] for one in bare["rates"]] == [None, None]
    assert lone["roc"] is None
    assert lone["rates"][0]["rate"] is None


def test_a_card_without_a_band_knows_no_rate_of_unsure_answers() -> None:
    data = page_data(CARDS["no promise"])

    assert data["unsure"] is None
    assert data["targets"] == {}
    assert [one["kind"] for one in data["rates"]] == ["false_accepts", "false_rejects"]


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.05, "5%"),
        (0.0312, "3.1%"),
        (0.0004, "0.04%"),
        (0.99996, "99.996%"),
        (0.5, "50%"),
    ],
)
def test_only_none_is_none_and_only_all_is_all(share: float, shown: str) -> None:
    assert percent(share) == shown


def test_a_rate_is_told_with_its_interval_and_its_rows() -> None:
    assert in_full(Rate(4 / 128, 0.0086, 0.0781, 128)) == "3.1% (4 of 128; 95% interval 0.9% to 7.8%)"
    assert in_full(None) == "no such answers were held out"
