"""Heads that are only ever asked about rows of models and prompts that they have not seen."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.checks.train import Rows, joined, some_of, train
from sensecheck.measures.heads.features import HeadRecipe
from sensecheck.measures.heads.model import HeadModel, shares_of

Mask = npt.NDArray[np.bool_]
Shares = npt.NDArray[np.float64]
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Teaching:
    """What every head is trained with, whoever is held out."""

    recipe: HeadRecipe
    strength: float
    always: Sequence[Rows]
    """Rows of other sets."""
    made_from: Callable[[Mask], Sequence[Rows]] = lambda chosen: ()
    """Rows that were made from the chosen ones."""

    def model(self, rows: Rows, chosen: Mask) -> HeadModel:
        """The head that the chosen rows teach."""
        taught = joined([some_of(rows, chosen), *self.always, *self.made_from(chosen)])
        return train(taught, self.recipe, name="held-out", strength=self.strength)


def fold_of(group: str) -> int:
    """The fold that all rows of a prompt are in."""
    return hashlib.blake2b(group.encode(), digest_size=4).digest()[0] % FOLDS


def held_out(rows: Rows, makers: npt.NDArray[np.str_]) -> Iterator[tuple[Mask, Mask]]:
    """For each maker and fold of prompts: the rows asked about, and those of other makers and prompts."""
    folds = np.array([fold_of(str(example.group)) for example in rows.examples])
    for maker in sorted(set(makers)):
        for fold in range(FOLDS):
            yield (makers == maker) & (folds == fold), (makers != maker) & (folds != fold)


def scored_inside(rows: Rows, chosen: Mask, teaching: Teaching) -> Shares:
    """The chosen rows, each scored by a head that has not seen its prompt: what a line can be fitted on."""
    folds = np.array([fold_of(str(example.group)) for example in rows.examples])
    shares = np.full((len(rows.examples), len(teaching.recipe.classes)), np.nan)
    for fold in sorted(set(folds[chosen])):
        asked = chosen & (folds == fold)
        shares[asked] = shares_of(teaching.model(rows, chosen & (folds != fold)).logits(rows.numbers[asked]))
    return shares
