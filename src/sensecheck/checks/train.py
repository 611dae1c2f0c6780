"""From labelled answers to a head, a linear model over the parts of an answer, and how well it does.

It is cross-validated: each part of the rows is held out once, and classified by a head that was trained on
the others.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.checks.assess import Staircase
from sensecheck.checks.calibrate import require_read
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.needs import Needs
from sensecheck.core.sample import Sample
from sensecheck.core.unicode import text_key
from sensecheck.measures.heads.features import (
    HeadRecipe,
    Numbers,
    TrainingSource,
    features_of,
    mark_of,
    marks_of,
    part_texts,
)
from sensecheck.measures.heads.model import HeadModel
from sensecheck.stats.binomial import rate

FOLDS = 5
Said = tuple[str, str]
"""The label of an answer, and the class that a head gave it."""
_BATCH_SIZE = 256


@dataclass(frozen=True, slots=True)
class Example:
    """An answer, and what kind of answer it is."""

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


@dataclass(frozen=True, slots=True)
class Table:
    """How often answers of each label were given each class, by heads that had not seen them."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """A row for each label, a column for each class that was said."""

    @classmethod
    def of(cls, classes: Sequence[str], said: Iterable[Said]) -> "Table":
        """The table of what was said."""
        counts = Counter(said)
        return cls(
            tuple(classes),
            tuple(tuple(counts[label, predicted] for predicted in classes) for label in classes),
        )

    @property
    def accuracy(self) -> Rate:
        """The share of answers that were given their own class."""
        right = sum(row[i] for i, row in enumerate(self.counts))
        return rate(right, sum(map(sum, self.counts)))

    def recall(self, label: str) -> Rate:
        """Of the answers with this label, the share that was recognised."""
        index = self.classes.index(label)
        return rate(self.counts[index][index], sum(self.counts[index]))

    def commonest(self) -> tuple[str, float]:
        """The label that most answers have, and how often who always says it would be right."""
        totals = [sum(row) for row in self.counts]
        most = max(totals)
        return self.classes[totals.index(most)], most / sum(totals)


def rows_of(examples: Iterable[Example], recipe: HeadRecipe, answerers: Backends) -> Iterator[Rows]:
    """The examples as numbers, some at a time, so that a bar can move."""
    source = iter(examples)
    while batch := tuple(islice(source, _BATCH_SIZE)):
        yield _read_batch(batch, recipe, answerers)


def joined(parts: Iterable[Rows], *, skip_unreadable: bool = False) -> Rows:
    """Several rows as one; answers that could not be read are an error, unless they may be left out."""
    batches = list(parts)
    nonempty = [part for part in batches if part.examples]
    left_out = tuple(reason for part in batches for reason in part.left_out)
    count = sum(len(part.examples) for part in nonempty)
    require_read(len(left_out), count, next(iter(left_out), ""), skip_unreadable=skip_unreadable)
    if not nonempty:
        raise SpecError("there are no labelled answers to train a head on")
    if len(encoders := {part.encoder for part in nonempty}) > 1:
        raise SpecError(f"the rows were encoded by different encoders: {', '.join(sorted(encoders))}")
    return Rows(
        tuple(example for part in nonempty for example in part.examples),
        np.concatenate([part.numbers for part in nonempty]),
        nonempty[0].encoder,
        left_out,
    )


def train(
    rows: Rows,
    recipe: HeadRecipe,
    *,
    name: str,
    strength: float = 3.0,
    sources: Sequence[TrainingSource] = (),
    date: str = "",
    version: str = "",
) -> HeadModel:
    """The head that these rows teach."""
    validate_strength(strength)
    weights, bias, mean = _fit(rows, recipe, strength)
    return HeadModel(
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


def cross_validate(rows: Rows, recipe: HeadRecipe, *, strength: float = 3.0) -> Iterator[list[Said]]:
    """What is said of each fold by a head that was trained on the others; one at a time, for a bar.

    What is held out together counts once for each label: rows of a group are alike, or even the same.
    """
    folds, counted = np.asarray(folds_of(rows.examples)), _mask_of_counted(rows.examples)
    for fold in sorted(set(folds.tolist())):
        model = train(some_of(rows, folds != fold), recipe, name="held out", strength=strength)
        test_rows = (folds == fold) & counted
        predictions = model.logits(rows.numbers[test_rows]).argmax(axis=1)
        labels = [example.label for example in some_of(rows, test_rows).examples]
        yield [(label, recipe.classes[i]) for label, i in zip(labels, predictions.tolist(), strict=True)]


def folds_of(examples: Sequence[Example]) -> list[int]:
    """To which fold each example belongs: those of a group to one, and each label to as many as it can.

    Hashes decide, and no order of rows. The same answer is never trained on and asked about.
    """
    units: dict[str, list[int]] = {}
    for i, unit in enumerate(_units(examples)):
        units.setdefault(unit, []).append(i)
    commonness = Counter(example.label for example in examples)
    rarest = {
        name: min({examples[i].label for i in unit}, key=lambda label: (commonness[label], label))
        for name, unit in units.items()
    }
    counts_by_fold = [Counter[str]() for _ in range(FOLDS)]
    folds = [0] * len(examples)
    for name in sorted(units, key=lambda name: (commonness[rarest[name]], text_key(name))):
        fold = min(
            range(FOLDS), key=lambda i: (counts_by_fold[i][rarest[name]], counts_by_fold[i].total(), i)
        )
        for i in units[name]:
            folds[i] = fold
            counts_by_fold[fold][examples[i].label] += 1
    _require_some_left(counts_by_fold, commonness)
    return folds


def some_of(rows: Rows, chosen: npt.NDArray[np.bool_]) -> Rows:
    """The chosen rows alone."""
    examples = tuple(example for example, is_chosen in zip(rows.examples, chosen, strict=True) if is_chosen)
    return Rows(examples, rows.numbers[chosen], rows.encoder)


def validate_labels(recipe: HeadRecipe, labels: Sequence[str]) -> None:
    """Raise unless each label is one of the recipe's classes, and each class has answers to learn from."""
    counted = Counter(labels)
    if unknown_labels := sorted(counted.keys() - set(recipe.classes)):
        raise SpecError(f"the label `{unknown_labels[0]}` is none of the head's: {', '.join(recipe.classes)}")
    if missing := [label for label in recipe.classes if counted[label] < 2]:
        raise SpecError(f"the label `{missing[0]}` has {counted[missing[0]]} answers; at least 2 are needed")


def validate_strength(strength: float) -> None:
    """Raise unless weights can be fitted so freely."""
    if not 0 < strength < math.inf:
        raise SpecError(f"`strength` must be a number above 0, such as 3; got {strength}")


def _read_batch(batch: Sequence[Example], recipe: HeadRecipe, answerers: Backends) -> Rows:
    texts: list[str] = []
    for example in batch:
        with suppress(CannotJudge):  # reported below
            texts += part_texts(recipe, example.sample)
    space = Staircase(answerers).answer(Needs(tuple(texts)))
    readable: list[tuple[Example, Numbers]] = []
    left_out: list[str] = []
    for example in batch:
        try:
            readable.append((example, features_of(recipe, example.sample, space).row))
        except CannotJudge as reason:
            left_out.append(str(reason))
    if space.encoder is None and space.failed:  # there is no encoder
        raise CannotJudge(left_out[0])
    numbers = np.stack([row for _, row in readable]) if readable else np.empty((0, 0), np.float32)
    return Rows(tuple(example for example, _ in readable), numbers, space.encoder or "", tuple(left_out))


def _fit(rows: Rows, recipe: HeadRecipe, strength: float) -> tuple[Numbers, tuple[float, ...], Numbers]:
    """Weights, bias and mean, by multinomial logistic regression."""
    with extra("train"):
        from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # only needed for training

    labels = [example.label for example in rows.examples]
    validate_labels(recipe, labels)
    mean = rows.numbers.mean(axis=0)
    model: Any = LogisticRegression(C=strength, max_iter=2000, tol=1e-4)
    model.fit(rows.numbers - mean, labels, sample_weight=[example.weight for example in rows.examples])
    order = [list(model.classes_).index(label) for label in recipe.classes]
    if len(order) == 2:  # one row for both: half of it for each, pulling apart
        half = model.coef_[0] / 2 * (1 if order[1] == 1 else -1)
        shift = float(model.intercept_[0]) / 2 * (1 if order[1] == 1 else -1)
        return np.stack([-half, half]).astype(np.float32), (-shift, shift), mean
    return (
        model.coef_[order].astype(np.float32),
        tuple(float(model.intercept_[index]) for index in order),
        mean,
    )


def _require_some_left(counts_by_fold: Sequence[Counter[str]], totals: Counter[str]) -> None:
    for label, count in sorted(totals.items()):
        if any(count - fold[label] < 2 for fold in counts_by_fold):
            raise SpecError(
                f"the label `{label}` has {count} answers, too few to test a head on some and train it on "
                "the others; needed are at least 3 of each label, which differ and are of different groups"
            )


def _mask_of_counted(examples: Sequence[Example]) -> npt.NDArray[np.bool_]:
    """Which examples are counted: of those that stay together, one of each label; a hash decides which."""
    chosen: dict[tuple[str, str], int] = {}
    for i, (unit, example) in enumerate(zip(_units(examples), examples, strict=True)):
        key = unit, example.label
        rival = chosen.setdefault(key, i)
        if text_key(example.sample.answer) < text_key(examples[rival].sample.answer):
            chosen[key] = i
    mask = np.zeros(len(examples), bool)
    mask[list(chosen.values())] = True
    return mask


def _units(examples: Sequence[Example]) -> list[str]:
    """What each example is held out with: its group; and all copies of an answer with the first by name."""
    groups: dict[bytes, set[str]] = {}
    marks = [mark_of(example.sample.answer) for example in examples]
    for mark, example in zip(marks, examples, strict=True):
        groups.setdefault(mark, set()).update(() if example.group is None else (example.group,))
    return [f"group {min(groups[mark])}" if groups[mark] else f"answer {mark.hex()}" for mark in marks]
