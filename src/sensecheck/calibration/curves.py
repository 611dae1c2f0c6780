"""How well readings tell good answers from bad ones: the ROC curve of the held-out rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Card, Scores
from sensecheck.core.cutoff import Side

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Point:
    """What a line would do: the share of bad answers that pass, and of good ones."""

    bad: float
    good: float


@dataclass(frozen=True, slots=True)
class Roc:
    """Every line that could be drawn, from the one that nothing passes to the one that everything does."""

    points: tuple[Point, ...]
    auc: float
    """How often a good answer reads better than a bad one; half of the ties count."""
    passes: Point
    """What passes the card's line."""
    not_failed: Point | None
    """What passes it or is in doubt; None where nothing is ever in doubt."""
    whole: bool
    """Whether the card holds every reading; of many it holds a hundred, and the curve is nearly the same."""


def roc_of(card: Card) -> Roc | None:
    """The curve; None unless answers of both labels were held out."""
    scores, rates = card.held_out_scores, card.rates
    if not scores.good or not scores.bad or rates.false_accepts is None or rates.false_rejects is None:
        return None
    good, bad = (_the_more_the_better(values, card) for values in (scores.good, scores.bad))
    if card.decides is not None:  # the curve is that of the reading, and other parts of the check decide too
        return _of_reading(card, good, bad)
    kept = 1 - rates.false_rejects.value
    sure = Point(rates.false_accepts.value, kept)
    band = None
    if card.doubt is not None:
        sure = Point(sure.bad, _share("pass", scores.good, card))
        band = Point(1 - _share("fail", scores.bad, card), kept)
    return Roc(_points(good, bad), _auc(good, bad), sure, band, _is_whole(card, scores))


def _of_reading(card: Card, good: Values, bad: Values) -> Roc:
    """The curve, with what the card's line alone would do."""
    scores = card.held_out_scores
    sure = Point(_share("pass", scores.bad, card), _share("pass", scores.good, card))
    band = Point(1 - _share("fail", scores.bad, card), 1 - _share("fail", scores.good, card))
    doubtful = band if card.doubt is not None else None
    return Roc(_points(good, bad), _auc(good, bad), sure, doubtful, _is_whole(card, scores))


def _the_more_the_better(values: Sequence[float], card: Card) -> Values:
    return np.sort(np.array(values) * (1 if card.good == "above" else -1))


def _share(side: Side, values: Sequence[float], card: Card) -> float:
    cutoff = card.cutoff()
    return sum(cutoff.side(value) == side for value in values) / len(values)


def _points(good: Values, bad: Values) -> tuple[Point, ...]:
    """From the highest line down; equal readings pass together."""
    lines = np.unique(np.concatenate((good, bad)))[::-1]
    passing = (1 - np.searchsorted(values, lines, side="left") / len(values) for values in (bad, good))
    return (Point(0.0, 0.0), *(Point(float(b), float(g)) for b, g in zip(*passing, strict=True)))


def _auc(good: Values, bad: Values) -> float:
    below = np.searchsorted(bad, good, side="left").sum()
    not_above = np.searchsorted(bad, good, side="right").sum()
    return float(below + not_above) / (2 * len(good) * len(bad))


def _is_whole(card: Card, scores: Scores) -> bool:
    return len(scores.good) == card.held_out.good and len(scores.bad) == card.held_out.bad
