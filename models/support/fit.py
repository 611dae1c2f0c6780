"""Fitting the model of support: which words and signals speak against a claim, from labels of whole answers.

An answer is unsupported if anything in it is. What speaks against each word is never negative, and what
speaks against the answer is their sum, so that the chance of `supported` is exp(-sum).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from sensecheck.measures.support.words import FEATURES

Numbers = npt.NDArray[np.float64]
PENALTY = 1e-3


@dataclass(frozen=True, slots=True)
class Bag:
    """The answers of one set: their words, their signals, their labels."""

    name: str
    words: Numbers
    """One row a word."""
    home: npt.NDArray[np.intp]
    """The answer of each word."""
    signals: Numbers
    """One row an answer: how many of each kind."""
    unsupported: Numbers


def merged(bag: Bag, size: int, *, count: int = 1500, seed: int = 0) -> Bag:
    """Longer answers, made of `size` answers of a set: all of them supported, or all but one.

    The sets have short answers, of which a few slightly strange words tell something; in a long one they add
    up and tell nothing, and that has to be learned.
    """
    rng = np.random.default_rng(seed)
    order = np.argsort(bag.home, kind="stable")
    starts = np.searchsorted(bag.home[order], np.arange(len(bag.unsupported) + 1))
    good, bad = np.flatnonzero(bag.unsupported == 0), np.flatnonzero(bag.unsupported == 1)
    chosen = [[*rng.choice(good, size - 1), rng.choice(bad if at % 2 else good)] for at in range(count)]
    rows = [[order[starts[one] : starts[one + 1]] for one in each] for each in chosen]
    return Bag(
        bag.name,
        bag.words[np.concatenate([row for each in rows for row in each])],
        np.repeat(np.arange(count), [sum(map(len, each)) for each in rows]),
        np.array([bag.signals[each].sum(axis=0) for each in chosen]),
        (np.arange(count) % 2).astype(np.float64),
    )


def fit(bags: Sequence[Bag], kinds: int) -> tuple[float, Numbers, Numbers]:
    """The bias, a weight a feature and a weight a kind of signal.

    Every set has a shift of its own, for their labels are not equally strict; the mean of them is kept.
    """
    width = len(FEATURES)
    free = [(None, None)] * len(bags)
    signs = [(None, 0.0) if name == "asked" else (0.0, None) for name in FEATURES]
    start = np.concatenate([np.full(len(bags), -5.0), np.full(width, 0.5), np.full(kinds, 0.5)])
    start[len(bags) + FEATURES.index("asked")] = -0.5
    found = minimize(
        _loss,
        start,
        args=(bags,),
        jac=True,
        method="L-BFGS-B",
        bounds=[*free, *signs, *[(0.0, None)] * kinds],
        options={"maxiter": 500},
    )
    shifts, words, signals = np.split(found.x, [len(bags), len(bags) + width])
    return float(shifts.mean()), words, signals


def _loss(given: Numbers, bags: Sequence[Bag]) -> tuple[float, Numbers]:
    """How badly the labels are explained, and where it would be less."""
    count, width = len(bags), len(FEATURES)
    words, signals = given[count : count + width], given[count + width :]
    total, slope = 0.0, np.zeros_like(given)
    for at, bag in enumerate(bags):
        logit = bag.words @ words + given[at]
        size = len(bag.unsupported)
        against = np.bincount(bag.home, np.logaddexp(0, logit), size) + bag.signals @ signals
        against = np.maximum(against, 1e-9)
        share = bag.unsupported.mean()
        weight = np.where(bag.unsupported == 1, 0.5 / share, 0.5 / (1 - share)) / size / count
        chance = -np.expm1(-against)
        total += float(np.sum(weight * np.where(bag.unsupported == 1, -np.log(chance), against)))
        pull = weight * np.where(bag.unsupported == 1, -np.exp(-against) / chance, 1.0)
        word = pull[bag.home] / (1 + np.exp(-logit))
        slope[at] += word.sum()
        slope[count : count + width] += bag.words.T @ word
        slope[count + width :] += bag.signals.T @ pull
    weights = given[count:]
    slope[count:] += 2 * PENALTY * weights
    return total + PENALTY * float(weights @ weights), slope
