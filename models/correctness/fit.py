"""Fitting the model of correctness: how much each thing speaks for an answer, from labels of answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from models.correctness.rows import Row
from models.correctness.table import Mask, Numbers, Table
from scipy.optimize import minimize

from sensecheck.measures.correctness.features import AGAINST, FEATURES

PENALTY = 3e-4
NATURAL = ("evouna", "references")
"""What people and models wrote: the weights of words, letters, meaning, numbers and names come from it."""
CHANGED = "changed"
TOLD = ("number_changed", "negation", "opposite", "quantifier")
"""What hardly occurs in answers to questions: its weights come from sentences in which it was changed."""
_BIAS = "bias"
_START = np.array([0.0 if name in TOLD else -1.0 if name in AGAINST else 1.0 for name in FEATURES])
ROUNDS = 3
"""How often the alternative that an answer gives is chosen again, by the weights of the round before."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A bias, and a weight a feature."""

    bias: float
    weights: Numbers

    def scores(self, numbers: Numbers) -> Numbers:
        """The log odds of `correct`."""
        found: Numbers = numbers @ self.weights + self.bias
        return found


@dataclass(frozen=True, slots=True)
class Taught:
    """The rows of a table that are learned from."""

    table: Table
    chosen: Mask


def taught(tables: Mapping[str, Table], seen: Callable[[Row], bool]) -> dict[str, Taught]:
    """All rows of the tables that a model may see."""
    return {
        name: Taught(table, np.array([seen(row) for row in table.rows])) for name, table in tables.items()
    }


def fit(given: Mapping[str, Taught]) -> Fitted:
    """The weights; none that speaks for an answer is below 0, none that speaks against it above.

    What is told by changed sentences is fitted last, on top of all that speaks for them: their words are the
    expected ones but for the change, and it has to outweigh them.
    """
    natural = _weighed([given[name] for name in NATURAL], Fitted(0.0, _START), free=_others(TOLD))
    return _weighed([given[CHANGED]], natural, free=TOLD)


def _weighed(given: Sequence[Taught], start: Fitted, *, free: Sequence[str]) -> Fitted:
    """The weights, of which only some are free; every set counts the same.

    An answer with alternatives is learned from the one that it comes nearest to.
    """
    found = start
    for _ in range(ROUNDS):
        parts = [_lines(each, found) for each in given]
        numbers, correct, weights = (np.concatenate(each) for each in zip(*parts, strict=True))
        found = _fitted(numbers, correct, weights / weights.sum(), found, free)
    return found


def _lines(given: Taught, found: Fitted) -> tuple[Numbers, Mask, Numbers]:
    table, chosen = given.table, given.chosen
    lines = table.best_lines(found.scores(table.numbers))[chosen]
    correct = table.correct[chosen]
    return table.numbers[lines], correct, np.full(len(lines), 1 / len(lines))


def _fitted(numbers: Numbers, correct: Mask, weights: Numbers, start: Fitted, free: Sequence[str]) -> Fitted:
    held = np.concatenate([[start.bias], start.weights])
    found = minimize(
        _loss,
        held,
        args=(numbers, correct, weights),
        jac=True,
        method="L-BFGS-B",
        bounds=[_bounds(name, value, free) for name, value in zip((_BIAS, *FEATURES), held, strict=True)],
        options={"maxiter": 500},
    )
    return Fitted(float(found.x[0]), found.x[1:])


def _bounds(name: str, value: float, free: Sequence[str]) -> tuple[float | None, float | None]:
    if name not in free:
        return value, value
    if name == _BIAS:
        return None, None
    return (None, 0.0) if name in AGAINST else (0.0, None)


def _others(told: Sequence[str]) -> list[str]:
    return [name for name in (_BIAS, *FEATURES) if name not in told]


def _loss(at: Numbers, numbers: Numbers, correct: Mask, weights: Numbers) -> tuple[float, Numbers]:
    """How badly the labels are explained, and where it would be less."""
    sign = np.where(correct, 1.0, -1.0)
    margin = sign * (numbers @ at[1:] + at[0])
    total = float(weights @ np.logaddexp(0, -margin)) + PENALTY * float(at[1:] @ at[1:])
    pull = -weights * sign / (1 + np.exp(np.clip(margin, -500, 500)))
    slope = np.concatenate([[pull.sum()], numbers.T @ pull + 2 * PENALTY * at[1:]])
    return total, slope
