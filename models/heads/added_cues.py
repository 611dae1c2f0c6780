"""Cues that are added to a fitted head: their weights alone are fitted, and all others stay.

A card stands on a few rows near its line, and a head that is fitted anew with some rows more moves all of
them a little. Here a text without these cues reads exactly as before.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from sensecheck.checks.train import Example, joined, rows_of
from sensecheck.core.backends import Backends
from sensecheck.measures.heads.features import HeadRecipe, Numbers, TrainingSource, mark_of
from sensecheck.measures.heads.model import HeadModel, shares_of

Weights = npt.NDArray[np.float64]
_MARK_SIZE = len(mark_of(""))


def with_added_cues(
    model: HeadModel,
    recipe: HeadRecipe,
    examples: Sequence[Example],
    answerers: Backends,
    *,
    strength: float,
    sources: Sequence[TrainingSource],
) -> HeadModel:
    """The head under a recipe that has more cues behind those it had; `examples` teach their weights."""
    place = len(recipe.parts) * model.dimension + len(model.recipe.cues)
    count = len(recipe.cues) - len(model.recipe.cues)
    started = replace(
        model,
        recipe=recipe,
        weights=np.insert(model.weights, [place] * count, np.float32(0), axis=1),
        mean=np.insert(model.mean, [place] * count, np.float32(0)),
    )
    numbers = joined(rows_of(examples, recipe, answerers)).numbers
    labels = np.array([recipe.classes.index(example.label) for example in examples])
    added = fitted(started.logits(numbers), numbers[:, place : place + count], labels, strength)
    weights = started.weights.copy()
    weights[:, place : place + count] = added
    known = {model.marks[i : i + _MARK_SIZE] for i in range(0, len(model.marks), _MARK_SIZE)}
    new = {mark_of(example.sample.answer) for example in examples}
    return replace(started, weights=weights, marks=b"".join(sorted(known | new)), sources=tuple(sources))


def fitted(log_odds: Weights, cues: Numbers, labels: npt.NDArray[np.int_], strength: float) -> Weights:
    """The weights of some cues beside log odds that stand, by multinomial logistic regression."""
    rows, shape = np.arange(len(labels)), (log_odds.shape[1], cues.shape[1])

    def loss(flat: Weights) -> tuple[float, Weights]:
        weights = flat.reshape(shape)
        shares = shares_of(log_odds + cues @ weights.T)
        size = -strength * float(np.log(shares[rows, labels]).sum()) + float((flat**2).sum()) / 2
        shares[rows, labels] -= 1
        return size, (strength * shares.T @ cues + weights).ravel()

    found: Weights = minimize(loss, np.zeros(shape).ravel(), jac=True, method="L-BFGS-B").x
    return found.reshape(shape)
