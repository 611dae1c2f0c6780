"""Labelled answers to a head: what a linear model over an answer's parts can learn from them."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.checks.gate import Gate
from sensecheck.checks.staircase import Staircase
from sensecheck.checks.unread import must_be_read
from sensecheck.core.encoder import Answerers
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.heads.features import features_of, part_texts
from sensecheck.measures.heads.marks import marks_of
from sensecheck.measures.heads.model import Model
from sensecheck.measures.heads.packing import Numbers
from sensecheck.measures.heads.recipe import Recipe, Source

_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Example:
    """An answer, and what kind of answer somebody says it is."""

    sample: Sample
    label: str
    weight: float = 1.0
    group: str | None = None
    """Rows of one prompt or document: they are held out together. None for a row of its own."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Examples as numbers, ready to be fitted."""

    examples: tuple[Example, ...]
    numbers: Numbers
    encoder: str
    left_out: tuple[str, ...] = field(default=())
    """Why some answers could not be read; they are in none of the other fields."""


def rows_of(examples: Iterable[Example], recipe: Recipe, answerers: Answerers) -> Iterator[Rows]:
    """The examples as numbers, some at a time, so that a bar can move."""
    source = iter(examples)
    while batch := tuple(islice(source, _AT_ONCE)):
        yield _read(batch, recipe, answerers)


def joined(parts: Iterable[Rows], *, leave_out_unread: bool = False) -> Rows:
    """Several rows as one; answers that could not be read are an error, unless they may be left out."""
    held = list(parts)
    read = [part for part in held if part.examples]
    left_out = tuple(reason for part in held for reason in part.left_out)
    count = sum(len(part.examples) for part in read)
    must_be_read(len(left_out), count, next(iter(left_out), ""), leave_out_unread=leave_out_unread)
    if not read:
        raise SpecError("there are no labelled answers to train a head on")
    if len(encoders := {part.encoder for part in read}) > 1:
        raise SpecError(f"the rows were placed by different encoders: {', '.join(sorted(encoders))}")
    return Rows(
        tuple(example for part in read for example in part.examples),
        np.concatenate([part.numbers for part in read]),
        read[0].encoder,
        left_out,
    )


def train(
    rows: Rows,
    recipe: Recipe,
    *,
    name: str,
    strength: float = 3.0,
    sources: Sequence[Source] = (),
    date: str = "",
    version: str = "",
) -> Model:
    """The head that these rows teach."""
    must_be_a_strength(strength)
    weights, bias, mean = _fitted(rows, recipe, strength)
    return Model(
        name=name,
        recipe=recipe,
        encoder=rows.encoder,
        dimension=(rows.numbers.shape[1] - recipe.width(0)) // len(recipe.parts),
        weights=weights,
        mean=mean,
        bias=bias,
        sources=tuple(sources),
        strength=strength,
        date=date,
        version=version,
        marks=marks_of(example.sample.answer for example in rows.examples),
    )


def some_of(rows: Rows, chosen: npt.NDArray[np.bool_]) -> Rows:
    """The chosen rows alone."""
    examples = tuple(example for example, is_chosen in zip(rows.examples, chosen, strict=True) if is_chosen)
    return Rows(examples, rows.numbers[chosen], rows.encoder)


def must_be_of(recipe: Recipe, labels: Sequence[str]) -> None:
    """Raise unless each label is one of the recipe's classes, and each class has answers to learn from."""
    counted = Counter(labels)
    if strange := sorted(counted.keys() - set(recipe.classes)):
        raise SpecError(f"the label `{strange[0]}` is none of the head's: {', '.join(recipe.classes)}")
    if missing := [label for label in recipe.classes if counted[label] < 2]:
        raise SpecError(f"the label `{missing[0]}` has {counted[missing[0]]} answers; wanted at least 2")


def must_be_a_strength(strength: float) -> None:
    """Raise unless weights can be fitted so freely."""
    if not 0 < strength < math.inf:
        raise SpecError(f"`strength` wants a number above 0, such as 3; found {strength}")


def _fitted(rows: Rows, recipe: Recipe, strength: float) -> tuple[Numbers, tuple[float, ...], Numbers]:
    """Weights, bias and mean, by multinomial logistic regression."""
    with extra("train"):
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # only who trains needs it

    labels = [example.label for example in rows.examples]
    must_be_of(recipe, labels)
    mean = rows.numbers.mean(axis=0)
    fitted: Any = LogisticRegression(C=strength, max_iter=2000, tol=1e-4)
    fitted.fit(rows.numbers - mean, labels, sample_weight=[example.weight for example in rows.examples])
    order = [list(fitted.classes_).index(label) for label in recipe.classes]
    if len(order) == 2:  # one row for both: half of it for each, pulling apart
        half = fitted.coef_[0] / 2 * (1 if order[1] == 1 else -1)
        shift = float(fitted.intercept_[0]) / 2 * (1 if order[1] == 1 else -1)
        return np.stack([-half, half]).astype(np.float32), (-shift, shift), mean
    return (
        fitted.coef_[order].astype(np.float32),
        tuple(float(fitted.intercept_[place]) for place in order),
        mean,
    )


def _read(batch: Sequence[Example], recipe: Recipe, answerers: Answerers) -> Rows:
    space = Staircase(answerers).climb([(example.sample, Gate(_Parts(recipe))) for example in batch])
    read: list[tuple[Example, Numbers]] = []
    left_out: list[str] = []
    for example in batch:
        try:
            read.append((example, features_of(recipe, example.sample, space).row))
        except CannotJudge as reason:
            left_out.append(str(reason))
    if space.encoder is None and space.failed:  # nobody is there to place texts
        raise CannotJudge(left_out[0])
    numbers = np.stack([row for _, row in read]) if read else np.empty((0, 0), np.float32)
    return Rows(tuple(example for example, _ in read), numbers, space.encoder or "", tuple(left_out))


@dataclass(frozen=True, slots=True)
class _Parts:
    """Asks for what a recipe looks at; what it reads is not a number but the row, which others take."""

    recipe: Recipe
    name: str = "parts"

    def needs(self, sample: Sample) -> Needs:
        return Needs(texts=part_texts(self.recipe, sample))

    def read(self, sample: Sample, space: Space) -> Reading:
        raise CannotJudge("a recipe alone has nothing to say about an answer")
