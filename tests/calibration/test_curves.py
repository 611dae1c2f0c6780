"""The numbers behind the pictures: scales, bins and the ROC curve."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.calibration.card import Card, LabelledScores
from sensecheck.calibration.decision import Counts
from sensecheck.calibration.split import Labelled
from sensecheck.calibration.summary import Histogram, Roc, RocPoint, Scale, histogram_of, roc_of
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows, turned

ROWS = normal_rows(1, 200, 200, apart=1.5)
TWO = card_of(ROWS, FPR, FNR)
READINGS = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=40)
FEW = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 1.0]), min_size=1, max_size=40)


def with_scores(good: Sequence[float], bad: Sequence[float], card: Card = TWO) -> Card:
    scores = LabelledScores(tuple(sorted(good)), tuple(sorted(bad)))
    return replace(card, held_out_scores=scores, held_out=Counts(len(good), len(bad)))


def roc(card: Card) -> Roc:
    found = roc_of(card)
    assert found is not None
    return found


def histogram(card: Card) -> Histogram:
    found = histogram_of(card)
    assert found is not None
    return found


@given(FEW, FEW)
def test_the_area_is_the_share_of_pairs_in_order_with_half_of_the_ties(
    good: list[float], bad: list[float]
) -> None:
    pairs = [(g > b) + (g == b) / 2 for g in good for b in bad]

    assert roc(with_scores(good, bad)).auc == pytest.approx(sum(pairs) / len(pairs))


@given(FEW, FEW)
def test_the_curve_climbs_from_nothing_to_everything_and_encloses_its_area(
    good: list[float], bad: list[float]
) -> None:
    found = roc(with_scores(good, bad))
    points = found.points

    assert (points[0], points[-1]) == (RocPoint(0, 0), RocPoint(1, 1))
    steps = list(pairwise(points))
    assert all(a.bad <= b.bad and a.good <= b.good for a, b in steps)
    area = sum((b.bad - a.bad) * (a.good + b.good) / 2 for a, b in steps)
    assert area == pytest.approx(found.auc)


def test_readings_that_are_good_below_their_line_give_the_same_curve() -> None:
    above, below = roc(TWO), roc(card_of(turned(ROWS), FPR, FNR, good="below"))

    assert above.auc == below.auc
    assert above.points == below.points


def test_the_card_s_line_lies_where_its_rates_say() -> None:
    found, rates = roc(TWO), TWO.rates
    assert rates.false_accepts is not None
    assert rates.false_rejects is not None

    assert found.passes.bad == rates.false_accepts.value
    assert found.not_failed is not None
    assert found.not_failed.good == 1 - rates.false_rejects.value
    assert found.passes.good < found.not_failed.good
    assert found.passes.bad < found.not_failed.bad


def test_without_doubt_what_does_not_pass_fails() -> None:
    card = card_of(ROWS, FPR)
    assert card.rates.false_rejects is not None

    assert roc(card).not_failed is None
    assert roc(card).passes.good == 1 - card.rates.false_rejects.value


def test_a_curve_from_a_hundred_readings_of_many_says_so_and_is_nearly_the_same() -> None:
    rows = normal_rows(2, 2000, 2000, apart=1.5)
    many = card_of(rows, FPR)
    aside = 600

    assert roc(TWO).whole
    assert many.held_out == Counts(aside, aside)
    assert not roc(many).whole
    assert roc(many).auc == pytest.approx(roc(TWO).auc, abs=0.05)


@pytest.mark.parametrize("card", [card_of(ROWS, FPR, share_held_out=0)])
def test_where_nothing_was_held_out_there_is_nothing_to_draw(card: Card) -> None:
    assert roc_of(card) is None
    assert histogram_of(card) is None


@given(READINGS, READINGS)
def test_every_reading_is_in_a_bin(good: list[float], bad: list[float]) -> None:
    found = histogram(with_scores(good, bad))

    assert sum(found.good) == pytest.approx(1)
    assert sum(found.bad) == pytest.approx(1)
    assert all(a < b for a, b in pairwise(found.edges))


@pytest.mark.parametrize("side", ["above", "below"])
def test_no_bar_stands_on_both_sides_of_the_line(side: str) -> None:
    rows = ROWS if side == "above" else turned(ROWS)
    card = card_of(rows, FPR, good=side)
    found = histogram(card)

    passing = sum(card.cutoff().side(value) == "pass" for value in card.held_out_scores.good)
    beyond = [
        good
        for low, high, good, _ in found.bins()
        if (low >= card.line - 1e-9 if side == "above" else high <= card.line + 1e-9)
    ]
    assert sum(beyond) == pytest.approx(passing / card.held_out.good)
    assert any(edge == pytest.approx(card.line) for edge in found.edges)


@pytest.mark.parametrize("side", ["above", "below"])
def test_a_reading_on_the_line_stands_on_the_side_that_passes(side: str) -> None:
    rows = [Labelled(i / 10, i % 10 >= 5) for i in range(10)] * 20
    card = card_of(rows if side == "above" else turned(rows), FPR, good=side)
    on_line = with_scores([card.line], [card.line - 1, card.line + 1], card)

    (found,) = (each for each in histogram(on_line).bins() if each[2] > 0)
    assert found[0 if side == "above" else 1] == pytest.approx(card.line)


@given(READINGS)
def test_places_go_from_the_lowest_to_the_highest_reading(values: list[float]) -> None:
    scale = Scale.over(values)
    places = [scale.place(value) for value in sorted(values)]

    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
