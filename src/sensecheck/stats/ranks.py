"""AUROC, Spearman's rank correlation and Cohen's kappa, each with an interval.

AUROC is how often a metric scores a good answer higher than a bad one; the rank correlation is how well two
orders of the same answers agree. Each comes with the share that every answer has in it, from which the
interval follows.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from sensecheck.stats.binomial import clopper_pearson

Numbers = npt.NDArray[np.float64]
Groups = npt.NDArray[np.intp]
"""The number of the question that each answer belongs to, counted from 0."""
Good = npt.NDArray[np.bool_]
"""Whether each answer is good."""

MIN_PER_CLASS = 5
"""Of fewer good answers, or fewer bad ones, nothing is reported."""
MIN_QUESTIONS = 10
"""From fewer questions no interval follows."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and the interval in which that of all such answers lies; None where it cannot be told."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Influenced:
    """A statistic, and by how much each answer draws it up or down."""

    value: float
    shares: Numbers
    """They add up to nothing; the more they differ, the less sure the value is."""

    def error(self, groups: Groups) -> float:
        """The standard error; answers to one question are no independent news, and count together."""
        together = np.bincount(groups, weights=self.shares)
        return math.sqrt(float((together**2).sum()))


def auroc_with_interval(
    scores: Numbers, good: Good, groups: Groups, *, confidence: float = 0.95
) -> Estimate | None:
    """The area with its interval (DeLong, by question, on the scale of log odds).

    None where `why_none` says why.
    """
    if why_none(scores, good):
        return None
    area = influenced_auroc(scores, good)
    if len(np.unique(groups)) < MIN_QUESTIONS:
        return Estimate(area.value, None, None)
    if area.value in (0.0, 1.0):
        return Estimate(area.value, *_auroc_of_perfect(area.value, good, groups, confidence))
    middle = math.log(area.value / (1 - area.value))
    reach = width(confidence) * area.error(groups) / (area.value * (1 - area.value))
    low, high = (1 / (1 + math.exp(-odds)) for odds in (middle - reach, middle + reach))
    return Estimate(area.value, low, high)


def why_none(scores: Numbers, good: Good) -> str:
    """Why there is no area, in words: too few of a kind, or one number for all; nothing where there is."""
    for kind, count in (("good", good.sum()), ("bad", (~good).sum())):
        if count < MIN_PER_CLASS:
            return f"{count} of the answers that it read are {kind}; wanted at least {MIN_PER_CLASS}"
    return "it reads the same off all answers" if np.ptp(scores) == 0 else ""


def influenced_auroc(scores: Numbers, good: Good) -> Influenced:
    """The area with the share of each answer in it, as DeLong takes it apart."""
    high, low = scores[good], scores[~good]
    of_good, of_bad = (
        _share_of_sorted_below(np.sort(low), high),
        1 - _share_of_sorted_below(np.sort(high), low),
    )
    value, shares = float(of_good.mean()), np.empty(len(scores))
    shares[good] = (of_good - value) / math.sqrt(len(high) * (len(high) - 1))
    shares[~good] = (of_bad - value) / math.sqrt(len(low) * (len(low) - 1))
    return Influenced(value, shares)


def auroc(scores: Numbers, good: Good) -> float:
    """The area under the ROC curve; half of the ties count."""
    bad, well = np.sort(scores[~good]), scores[good]
    return float(_share_of_sorted_below(bad, well).mean())


def spearman_with_interval(
    one: Numbers, other: Numbers, groups: Groups, *, confidence: float = 0.95
) -> Estimate | None:
    """The rank correlation with its interval (by question, on Fisher's scale); None where one is constant."""
    if len(one) < 2 or np.ptp(one) == 0 or np.ptp(other) == 0:
        return None
    correlation, questions = influenced_spearman(one, other), len(np.unique(groups))
    if questions < MIN_QUESTIONS:
        return Estimate(correlation.value, None, None)
    if abs(correlation.value) > 1 - 1e-12:
        return _spearman_of_perfect(correlation.value, questions, confidence)
    error = correlation.error(groups) * math.sqrt(questions / (questions - 3))
    middle, reach = math.atanh(correlation.value), width(confidence) * error / (1 - correlation.value**2)
    return Estimate(correlation.value, math.tanh(middle - reach), math.tanh(middle + reach))


def influenced_spearman(one: Numbers, other: Numbers) -> Influenced:
    """The rank correlation with the share of each answer in it: by its own ranks, and by shifting others'."""
    x, y = share_below(one), share_below(other)
    both, mine, theirs = (_spread(*pair) for pair in ((x, y), (x, x), (y, y)))
    value = _correlation(both, mine, theirs)
    of_both = x * y + _mean_from(one, y) + _mean_from(other, x) - 3 * (both + 0.25)
    of_mine = x * x + 2 * _mean_from(one, x) - 3 * (mine + 0.25)
    of_theirs = y * y + 2 * _mean_from(other, y) - 3 * (theirs + 0.25)
    shares = of_both / math.sqrt(mine * theirs) - value / 2 * (of_mine / mine + of_theirs / theirs)
    return Influenced(value, shares / len(one))


def spearman(one: Numbers, other: Numbers) -> float:
    """The rank correlation; equals share their rank."""
    x, y = share_below(one), share_below(other)
    return _correlation(*(_spread(*pair) for pair in ((x, y), (x, x), (y, y))))


def share_below(values: Numbers) -> Numbers:
    """The share of values below each one; half of its equals count, itself among them."""
    inverse, counts = places_of(values)
    below: Numbers = ((np.cumsum(counts) - counts / 2) / len(values))[inverse]
    return below


def places_of(values: Numbers) -> tuple[Groups, Numbers]:
    """Which distinct value each one is, from the lowest up, and how many there are of each."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return inverse.astype(np.intp), counts.astype(np.float64)


def width(confidence: float) -> float:
    """How many standard errors an interval reaches to each side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def _auroc_of_perfect(value: float, good: Good, groups: Groups, confidence: float) -> tuple[float, float]:
    """Where all pairs are in order, at least these many are so that have no answer in common."""
    pairs = min(len(np.unique(groups[good])), len(np.unique(groups[~good])))
    return clopper_pearson(int(value) * pairs, pairs, confidence=confidence)


def _share_of_sorted_below(sorted_values: Numbers, values: Numbers) -> Numbers:
    """The share of the sorted values below each of the others; half of the ties count."""
    below = np.searchsorted(sorted_values, values, side="left")
    not_above = np.searchsorted(sorted_values, values, side="right")
    shares: Numbers = (below + not_above) / (2 * len(sorted_values))
    return shares


def _spearman_of_perfect(value: float, questions: int, confidence: float) -> Estimate:
    """Where all pairs are in order, the share of such pairs is high, and with it the correlation."""
    pairs = questions // 2
    share, _ = clopper_pearson(pairs, pairs, confidence=confidence)
    least = max(-1.0, (3 * (2 * share - 1) - 1) / 2)
    return Estimate(1.0, least, 1.0) if value > 0 else Estimate(-1.0, -1.0, -least)


def _correlation(both: float, mine: float, theirs: float) -> float:
    return max(-1.0, min(1.0, both / math.sqrt(mine * theirs)))


def _spread(x: Numbers, y: Numbers) -> float:
    """How the shares below go together; their mean is one half, always."""
    return float((x * y).mean()) - 0.25


def _mean_from(values: Numbers, weights: Numbers) -> Numbers:
    """The sum of the weights from each value upwards, as a share of all; of its equals, half."""
    inverse, _ = places_of(values)
    sums = np.bincount(inverse, weights=weights)
    from_here: Numbers = ((sums[::-1].cumsum()[::-1] - sums / 2) / len(values))[inverse]
    return from_here


@dataclass(frozen=True, slots=True)
class Kappa:
    """The agreement of two raters on the same rows; what cannot be computed is None."""

    n: int
    """Rows that both have judged."""
    agreed: int
    value: float | None
    """1 where they always agree, 0 where chance would do as well; None where both always said the same."""
    low: float | None
    high: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable], *, confidence: float = 0.95) -> Kappa:
    """The kappa of two raters, with its interval by the normal approximation."""
    pairs = list(zip(first, second, strict=True))
    n, agreed = len(pairs), sum(one == other for one, other in pairs)
    if not n:
        return Kappa(0, 0, None, None, None)
    values = {value for pair in pairs for value in pair}
    chance = sum(first.count(value) * second.count(value) for value in values) / n**2
    if chance == 1:
        return Kappa(n, agreed, None, None, None)
    share = agreed / n
    value = (share - chance) / (1 - chance)
    spread = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(share * (1 - share) / n) / (1 - chance)
    return Kappa(n, agreed, value, max(value - spread, -1.0), min(value + spread, 1.0))
