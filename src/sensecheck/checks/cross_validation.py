"""How well a head does on answers that it was not trained on: each part of the rows is held out once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sensecheck.calibration.intervals import rate
from sensecheck.checks.training import Example, Rows, some_of, train
from sensecheck.core.canonical import text_key
from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError
from sensecheck.measures.heads.marks import mark_of
from sensecheck.measures.heads.recipe import Recipe

FOLDS = 5
Said = tuple[str, str]
"""The label of an answer, and the class that a head gave it."""


@dataclass(frozen=True, slots=True)
class Table:
    """How often answers of each label were given each class, by heads that had not seen them."""

    classes: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]
    """A row for each label, a column for each class that was said."""

    @classmethod
    def of(cls, classes: Sequence[str], said: Iterable[Said]) -> "Table":
        """The table of what was said."""
        counted = Counter(said)
        return cls(tuple(classes), tuple(tuple(counted[label, one] for one in classes) for label in classes))

    @property
    def accuracy(self) -> Rate:
        """The share of answers that were given their own class."""
        right = sum(row[i] for i, row in enumerate(self.counts))
        return rate(right, sum(map(sum, self.counts)))

    def recall(self, label: str) -> Rate:
        """Of the answers with this label, the share that was recognised."""
        place = self.classes.index(label)
        return rate(self.counts[place][place], sum(self.counts[place]))

    def commonest(self) -> tuple[str, float]:
        """The label that most answers have, and how often who always says it would be right."""
        totals = [sum(row) for row in self.counts]
        most = max(totals)
        return self.classes[totals.index(most)], most / sum(totals)


def cross_validate(rows: Rows, recipe: Recipe, *, strength: float = 3.0) -> Iterator[list[Said]]:
    """What is said of each fold by a head that was trained on the others; one at a time, for a bar.

    What is held out together counts once for each label: rows of a group are alike, or even the same.
    """
    folds, counted = np.asarray(folds_of(rows.examples)), _counted(rows.examples)
    for fold in sorted(set(folds.tolist())):
        model = train(some_of(rows, folds != fold), recipe, name="held out", strength=strength)
        asked = (folds == fold) & counted
        given = model.logits(rows.numbers[asked]).argmax(axis=1)
        labels = [example.label for example in some_of(rows, asked).examples]
        yield [(label, recipe.classes[i]) for label, i in zip(labels, given.tolist(), strict=True)]


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
    held = [Counter[str]() for _ in range(FOLDS)]
    found = [0] * len(examples)
    for name in sorted(units, key=lambda name: (commonness[rarest[name]], text_key(name))):
        fold = min(range(FOLDS), key=lambda i: (held[i][rarest[name]], held[i].total(), i))
        for i in units[name]:
            found[i] = fold
            held[fold][examples[i].label] += 1
    _must_leave_some(held, commonness)
    return found


def _must_leave_some(held: Sequence[Counter[str]], all_of: Counter[str]) -> None:
    for label, count in sorted(all_of.items()):
        if any(count - fold[label] < 2 for fold in held):
            raise SpecError(
                f"the label `{label}` has {count} answers, too few to test a head on some and train it on "
                "the others; wanted at least 3 of each label, which differ and are of different groups"
            )


def _counted(examples: Sequence[Example]) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which examples are counted: of those that stay together, one of each label; a hash decides which."""
    chosen: dict[tuple[str, str], int] = {}
    for i, (unit, example) in enumerate(zip(_units(examples), examples, strict=True)):
        key = unit, example.label
        rival = chosen.setdefault(key, i)
        if text_key(example.sample.answer) < text_key(examples[rival].sample.answer):
            chosen[key] = i
    found = np.zeros(len(examples), bool)
    found[list(chosen.values())] = True
    return found


def _units(examples: Sequence[Example]) -> list[str]:
    """What each example is held out with: its group; and all copies of an answer with the first by name."""
    groups: dict[bytes, set[str]] = {}
    marks = [mark_of(example.sample.answer) for example in examples]
    for mark, example in zip(marks, examples, strict=True):
        groups.setdefault(mark, set()).update(() if example.group is None else (example.group,))
    return [f"group {min(groups[mark])}" if groups[mark] else f"answer {mark.hex()}" for mark in marks]
