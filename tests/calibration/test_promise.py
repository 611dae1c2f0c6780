"""Fits repeated: the promise is kept as often as it says."""

import math

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.target import Target
from tests.calibration.fitting import FPR, card_of, normal_rows

FITS = 250


def cards(method: str, *targets: Target) -> list[Card]:
    return [
        card_of(normal_rows(seed, 100, 100), *targets, method=method, share_held_out=0, seed=seed)
        for seed in range(FITS)
    ]


def true_rate(card: Card) -> float:
    """The share of all bad answers, which are normal, that passes."""
    return math.erfc(card.line / math.sqrt(2)) / 2


@pytest.mark.slow
def test_an_exact_promise_is_broken_in_no_more_fits_than_it_says() -> None:
    broken = sum(true_rate(card) > 0.05 for card in cards("exact", FPR))

    assert broken <= 0.06 * FITS


def test_a_conformal_promise_is_kept_on_average_only() -> None:
    rates = [true_rate(card) for card in cards("conformal", FPR)]

    assert sum(rates) / FITS == pytest.approx(0.05, abs=0.01)
    assert sum(rate > 0.05 for rate in rates) > 0.3 * FITS


def test_best_f1_keeps_no_promise() -> None:
    assert sum(true_rate(card) > 0.05 for card in cards("best_f1")) > 0.8 * FITS


@pytest.mark.slow
def test_an_exact_promise_holds_on_rows_that_share_their_prompts() -> None:
    """Copies of a row tell nothing new: counted as they lie they would promise what one row cannot keep."""
    broken = 0
    for seed in range(FITS):
        rows = [
            type(row)(row.value, row.good, f"prompt {i}") for i, row in enumerate(normal_rows(seed, 60, 100))
        ]
        card = card_of(rows * 5, FPR, share_held_out=0, seed=seed)
        broken += true_rate(card) > 0.05

    assert broken <= 0.06 * FITS
