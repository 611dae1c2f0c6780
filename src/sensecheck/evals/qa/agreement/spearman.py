"""How well two orders of the same answers agree."""

import math

import numpy as np

from sensecheck.calibration.intervals import clopper_pearson
from sensecheck.evals.qa.agreement.estimate import (
    Estimate,
    Groups,
    Influenced,
    Numbers,
    places_of,
    share_below,
    width,
)

FEWEST = 10
"""From fewer questions no interval follows."""


def spearman(one: Numbers, other: Numbers) -> float:
    """The rank correlation; equals share their rank."""
    x, y = share_below(one), share_below(other)
    return _value(*(_spread(*pair) for pair in ((x, y), (x, x), (y, y))))


def influenced_spearman(one: Numbers, other: Numbers) -> Influenced:
    """The rank correlation with the share of each answer in it: by its own ranks, and by shifting others'."""
    x, y = share_below(one), share_below(other)
    both, mine, theirs = (_spread(*pair) for pair in ((x, y), (x, x), (y, y)))
    value = _value(both, mine, theirs)
    of_both = x * y + _mean_from(one, y) + _mean_from(other, x) - 3 * (both + 0.25)
    of_mine = x * x + 2 * _mean_from(one, x) - 3 * (mine + 0.25)
    of_theirs = y * y + 2 * _mean_from(other, y) - 3 * (theirs + 0.25)
    shares = of_both / math.sqrt(mine * theirs) - value / 2 * (of_mine / mine + of_theirs / theirs)
    return Influenced(value, shares / len(one))


def spearman_with_interval(
    one: Numbers, other: Numbers, groups: Groups, *, confidence: float = 0.95
) -> Estimate | None:
    """The rank correlation with its interval (by question, on Fisher's scale); None where one is constant."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    found, questions = influenced_spearman(one, other), len(np.unique(groups))
    if questions < FEWEST:
        return Estimate(found.value, None, None)
    if abs(found.value) > 1 - 1e-12:
        return _of_perfect(found.value, questions, confidence)
    error = found.error(groups) * math.sqrt(questions / (questions - 3))
    middle, reach = math.atanh(found.value), width(confidence) * error / (1 - found.value**2)
    return Estimate(found.value, math.tanh(middle - reach), math.tanh(middle + reach))


def _spread(x: Numbers, y: Numbers) -> float:
    """How the shares below go together; their mean is one half, always."""
    return float((x * y).mean()) - 0.25


def _value(both: float, mine: float, theirs: float) -> float:
    return max(-1.0, min(1.0, both / math.sqrt(mine * theirs)))


def _mean_from(values: Numbers, weights: Numbers) -> Numbers:
    """The sum of the weights from each value upwards, as a share of all; of its equals, half."""
    inverse, _ = places_of(values)
    sums = np.bincount(inverse, weights=weights)
    from_here: Numbers = ((sums[::-1].cumsum()[::-1] - sums / 2) / len(values))[inverse]
    return from_here


def _of_perfect(value: float, questions: int, confidence: float) -> Estimate:
    """Where all pairs are in order, the share of such pairs is high, and with it the correlation."""
    pairs = questions // 2
    share, _ = clopper_pearson(pairs, pairs, confidence=confidence)
    least = max(-1.0, (3 * (2 * share - 1) - 1) / 2)
    return Estimate(1.0, least, 1.0) if value > 0 else Estimate(-1.0, -1.0, -least)
