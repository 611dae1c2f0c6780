"""A card in words, as pages and terminals show it."""

from dataclasses import replace

import pytest

from sensecheck.calibration.card import LabelledScores
from sensecheck.calibration.decision import (
    ClaimsFit,
    ClaimsRange,
    Counts,
    Decision,
    ErrorRates,
    validate_rate,
)
from sensecheck.calibration.library import shipped_card
from sensecheck.calibration.page import page_data
from sensecheck.calibration.summary import (
    Histogram,
    NamedRate,
    RocPoint,
    Scale,
    cutoff_in_words,
    describe_cutoff,
    hits,
    in_full,
    interval,
    measure_in_full,
    measured,
    named_rates,
    number,
    percent,
    precision,
    promise_in_words,
    roc_of,
)
from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows, turned

ROWS = normal_rows(1, 200, 200, apart=1.5)
CARD = card_of(ROWS, FPR)
BAND = card_of(ROWS, FPR, FNR)
RATE = Rate(0.03125, 0.01, 0.0714, 128)


def test_rates_are_named_with_what_was_promised_of_them() -> None:
    rates = ErrorRates(RATE, None, RATE)

    assert list(named_rates(CARD, rates)) == [
        NamedRate("bad answers that pass", RATE, "promised: at most 5%"),
        NamedRate("good answers that fail", None, ""),
    ]
    assert list(named_rates(BAND, rates)) == [
        NamedRate("bad answers that pass", RATE, "promised: at most 5%"),
        NamedRate("good answers that fail", None, "promised: at most 10%"),
        NamedRate("answers left unsure", RATE),
    ]
    unsure = replace(CARD, rates=replace(CARD.rates, unsure=RATE))
    assert [one.what for one in named_rates(unsure, rates)][-1] == "answers left unsure"


def test_a_rate_in_words() -> None:
    assert in_full(RATE) == "3.1% (4 of 128; 95% interval 1% to 7.1%)"
    assert in_full(None) == "no such answers were held out"
    assert (hits(RATE), interval(RATE)) == ("4 of 128", "1% to 7.1%")


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.05, "5%"),
        (0.125, "12.5%"),
        (0.0004, "0.04%"),
        (0.00004, "0.004%"),
        (0.000004, "0.0004%"),
        (0.0000001, "0.00001%"),
        (0.9996, "99.96%"),
        (0.999996, "99.9996%"),
        (0.00000000001, "0%"),  # so little that eight places are not enough
    ],
)
def test_only_none_is_0_and_only_all_is_100_as_far_as_eight_places_show_it(share: float, shown: str) -> None:
    assert percent(share) == shown


def test_a_cutoff_in_words() -> None:
    assert describe_cutoff("above", 0.5, None) == "at least 0.5"
    assert describe_cutoff("below", 0.1 + 0.2, (0.25, 0.5)) == "at most 0.3, unsure from 0.25 to 0.5"
    assert cutoff_in_words(replace(CARD, line=0.25)) == "at least 0.25"
    assert cutoff_in_words(replace(CARD, line=0.25, good="below")) == "at most 0.25"
    few, many = ClaimsRange(0, 1), ClaimsRange(2, None)
    counts, rates = Counts(9, 9), ErrorRates(RATE, RATE)
    fits = tuple(
        ClaimsFit(claims, claims, line, None, True, "x", counts, counts, rates)
        for claims, line in ((few, 0.4), (many, 0.3))
    )
    assert cutoff_in_words(replace(CARD, claims=fits)) == "at least 0.3 to 0.4"
    assert cutoff_in_words(replace(CARD, claims=fits, good="below")) == "at most 0.3 to 0.4"
    assert number(1 / 3) == "0.333333333333333"


def test_a_card_says_its_promise_its_measure_and_its_precision() -> None:
    assert promise_in_words(replace(CARD, promise="at most <= 5% pass")) == "At most ≤ 5% pass."
    assert measured(CARD) == "keyword_overlap"
    assert measured(replace(CARD, measure={})) == "reading"
    assert measure_in_full(CARD) == '{\n  "kind": "keyword_overlap"\n}'
    assert measure_in_full(replace(CARD, measure={"kind": "ä"})) == '{\n  "kind": "ä"\n}'


@pytest.mark.parametrize(
    ("encoder", "words"),
    [
        (None, "decided in float32"),
        ("hashing:256:1", "decided in float32"),
        ("minilm:onnx-fp32:abc", "computed in fp32, decided in float32"),
        ("minilm:onnx-bf16:abc:float16", "computed in bf16, rounded to float16, decided in float32"),
        ("minilm:float16:abc", "decided in float32"),
    ],
)
def test_the_precision_is_that_of_the_encoders_fingerprint(encoder: str | None, words: str) -> None:
    assert precision(replace(CARD, encoder=encoder)) == words


def test_the_curve_of_a_card_that_speaks_of_a_check_is_that_of_its_reading() -> None:
    card = replace(
        BAND,
        line=0.5,
        doubt=(0.4, 0.6),
        decides=Decision("means", {"kind": "means"}, "threshold", {"kind": "gate"}),
        held_out_scores=LabelledScores((0.5, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.65, 0.45)),
        held_out=Counts(4, 5),
    )
    roc = roc_of(card)

    assert roc is not None
    assert roc.passes == RocPoint(1 / 5, 3 / 4)
    assert roc.not_failed == RocPoint(1 - 3 / 5, 1.0)
    assert roc.whole
    assert roc.auc == pytest.approx(19 / 20)
    without = roc_of(replace(card, doubt=None))
    assert without is not None
    assert (without.passes, without.not_failed) == (RocPoint(1 / 5, 1.0), None)


def test_the_curve_of_readings_that_are_good_below() -> None:
    card = card_of(turned(ROWS), FPR, good="below")
    small = replace(
        card, line=0.5, held_out_scores=LabelledScores((0.1, 0.2), (0.2, 0.9)), held_out=Counts(3, 2)
    )
    roc = roc_of(small)

    assert roc is not None
    assert roc.points == (RocPoint(0, 0), RocPoint(0, 0.5), RocPoint(0.5, 1), RocPoint(1, 1))
    assert (roc.auc, roc.whole) == (3.5 / 4, False)


def test_a_scale_has_some_width_even_where_all_numbers_are_one() -> None:
    assert Scale.over([0.0, 0.0]) == Scale(-1.0, 1.0)
    assert Scale.over([5.0]) == Scale(5 - 5e-6, 5 + 5e-6)
    assert Scale.over([1.0, 3.0]) == Scale(1.0, 3.0)
    assert [Scale(1.0, 3.0).place(value) for value in (0, 1, 1.5, 3, 9)] == [0, 0, 0.25, 1, 1]
    assert Scale(1.0, 3.0).half == 1.0


def test_bins_have_edges_and_shares() -> None:
    histogram = Histogram((0.0, 1.0, 2.0), (0.25, 0.75), (1.0, 0.0))

    assert list(histogram.bins()) == [(0.0, 1.0, 0.25, 1.0), (1.0, 2.0, 0.75, 0.0)]


@pytest.mark.parametrize(
    "rate",
    [
        Rate(0.5, 0.6, 0.7, 1),
        Rate(0.5, 0.1, 0.4, 1),
        Rate(0.5, -0.1, 0.6, 1),
        Rate(0.5, 0.1, 1.1, 1),
        Rate(0.5, 0.1, 0.6, -1),
    ],
)
def test_a_rate_outside_its_interval_is_refused(rate: Rate) -> None:
    with pytest.raises(SpecError) as refused:
        validate_rate(rate)
    assert str(refused.value) == (
        "a rate of a card must be a share inside its interval, from 0 to 1; got 0.5 in "
        f"{rate.low:g} to {rate.high:g}, of {rate.n}"
    )
    validate_rate(Rate(0.0, 0.0, 1.0, 0))
    validate_rate(Rate(1.0, 0.0, 1.0, 3))


def test_the_shipped_cards_say_what_they_promise() -> None:
    card = shipped_card("refusal")
    assert promise_in_words(card).endswith(".")
    assert cutoff_in_words(card).startswith("at ")


def test_what_passes_or_is_unsure_is_drawn_where_the_card_has_a_band() -> None:
    card = replace(
        BAND,
        line=0.5,
        doubt=(0.4, 0.6),
        held_out_scores=LabelledScores((0.5, 0.7, 0.8, 0.9), (0.1, 0.2, 0.3, 0.65, 0.45)),
        held_out=Counts(4, 5),
        rates=ErrorRates(Rate(0.2, 0.0, 0.5, 5), Rate(0.0, 0.0, 0.5, 4)),
    )
    roc = roc_of(card)

    assert roc is not None
    assert roc.passes == RocPoint(0.2, 3 / 4)
    assert roc.not_failed == RocPoint(1 - 3 / 5, 1.0)
    drawn = page_data(card)["roc"]
    assert (drawn["passes"], drawn["not_failed"]) == ([0.2, 0.75], [1 - 3 / 5, 1.0])
    assert set(drawn) == {"points", "auc", "passes", "not_failed", "whole"}
