"""How well numbers follow what people say of answers, with intervals over draws of whole groups."""

import numpy as np
import numpy.typing as npt
from benchmarks.quality.grounding.ranks import Figure, Texts, interval

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]


def spearman(values: Numbers, scores: Numbers, weights: Numbers) -> float:
    """The correlation of the ranks of weighted rows; ties share a rank. Nan where one side never varies."""
    return _correlation(_ties(values), _ties(scores), weights)


def correlated(values: Numbers, scores: Numbers, groups: Texts) -> Figure:
    """The rank correlation with its 95% interval."""
    mine, theirs = _ties(values), _ties(scores)  # once: sorting anew for every draw takes most of the time
    return interval(groups, lambda weights: _correlation(mine, theirs, weights))


def _ties(values: Numbers) -> Places:
    """The place of each value among the different ones."""
    return np.unique(values, return_inverse=True)[1]


def _correlation(mine: Places, theirs: Places, weights: Numbers) -> float:
    one, other = _ranks(mine, weights), _ranks(theirs, weights)
    one, other = one - np.average(one, weights=weights), other - np.average(other, weights=weights)
    spread = np.sqrt((weights @ one**2) * (weights @ other**2))
    return float((weights * one) @ other / spread) if spread else float("nan")


def _ranks(ties: Places, weights: Numbers) -> Numbers:
    """The middle of the ranks that equal values have together, each row standing `weights` times."""
    held = np.bincount(ties, weights, ties.max() + 1)
    ranks: Numbers = (np.cumsum(held) - held / 2)[ties]
    return ranks
