"""How often a metric reads more off a good answer than off a bad one."""

import math

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.intervals import clopper_pearson
from sensecheck.evals.qa.agreement.estimate import Estimate, Groups, Influenced, Numbers, width

Good = npt.NDArray[np.bool_]
FEWEST = 5
"""Of fewer good answers, or fewer bad ones, nothing is told."""
FEWEST_QUESTIONS = 10
"""From fewer questions no interval follows."""


def auroc(scores: Numbers, good: Good) -> float:
    """The area under the ROC curve; half of the ties count."""
    bad, well = np.sort(scores[~good]), scores[good]
    return float(_shares_below(bad, well).mean())


def influenced_auroc(scores: Numbers, good: Good) -> Influenced:
    """The area with the share of each answer in it, as DeLong takes it apart."""
    high, low = scores[good], scores[~good]
    of_good, of_bad = _shares_below(np.sort(low), high), 1 - _shares_below(np.sort(high), low)
    value, shares = float(of_good.mean()), np.empty(len(scores))
    shares[good] = (of_good - value) / math.sqrt(len(high) * (len(high) - 1))
    shares[~good] = (of_bad - value) / math.sqrt(len(low) * (len(low) - 1))
    return Influenced(value, shares)


def why_none(scores: Numbers, good: Good) -> str:
    """Why there is no area, in words: too few of a kind, or one number for all; nothing where there is."""
    for kind, count in (("good", good.sum()), ("bad", (~good).sum())):
        if count < FEWEST:
            return f"{count} of the answers that it read are {kind}; wanted at least {FEWEST}"
    return "it reads the same off all answers" if np.ptp(scores) == 0 else ""


def auroc_with_interval(
    scores: Numbers, good: Good, groups: Groups, *, confidence: float = 0.95
) -> Estimate | None:
    """The area with its interval (DeLong, by question, on the scale of log odds).

    None where `why_none` says why.
    """
    if why_none(scores, good):
        return None
    found = influenced_auroc(scores, good)
    if len(np.unique(groups)) < FEWEST_QUESTIONS:
        return Estimate(found.value, None, None)
    if found.value in (0.0, 1.0):
        return Estimate(found.value, *_of_perfect(found.value, good, groups, confidence))
    middle = math.log(found.value / (1 - found.value))
    reach = width(confidence) * found.error(groups) / (found.value * (1 - found.value))
    low, high = (1 / (1 + math.exp(-odds)) for odds in (middle - reach, middle + reach))
    return Estimate(found.value, low, high)


def _of_perfect(value: float, good: Good, groups: Groups, confidence: float) -> tuple[float, float]:
    """Where all pairs are in order, at least these many are so that have no answer in common."""
    pairs = min(len(np.unique(groups[good])), len(np.unique(groups[~good])))
    return clopper_pearson(int(value) * pairs, pairs, confidence=confidence)


def _shares_below(sorted_values: Numbers, asked: Numbers) -> Numbers:
    """The share of the sorted values below each one asked for; half of the ties count."""
    below = np.searchsorted(sorted_values, asked, side="left")
    not_above = np.searchsorted(sorted_values, asked, side="right")
    shares: Numbers = (below + not_above) / (2 * len(sorted_values))
    return shares
