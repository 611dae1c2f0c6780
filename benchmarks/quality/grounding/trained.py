"""A small model that is taught some labels of a set, and asked only about groups that it has not seen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchmarks.quality.grounding.answer_features import answer_features, names_for
from benchmarks.quality.grounding.ranks import Mask, best_line, f1, parts_of, splits
from benchmarks.quality.grounding.readings import Numbers, RowRead
from benchmarks.quality.grounding.scores import Scored
from benchmarks.quality.grounding.word_features import added_up, word_features

FOLDS = 5
STRENGTH = 0.1
"""How freely both models are fitted; not tuned on any of these sets."""


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """What the models say of answers of groups that they have not seen."""

    values: Numbers
    said: Mask
    """What lies above a line that was placed on the groups that they have seen."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The numbers of all answers and all their words."""

    answers: Numbers
    unsupported: Mask
    words: Numbers
    marked: Mask
    home: npt.NDArray[np.intp]
    """The answer of each word."""

    @classmethod
    def of(cls, rows: Sequence[RowRead]) -> "Table":
        """The rows as numbers."""
        answers = answer_features(rows, names_for(rows))
        return cls(answers, np.array([row.unsupported for row in rows], bool), *word_features(rows))


def taught(found: Scored, *, words: bool) -> Taught:
    """Answers of each fifth of the groups, by models taught the others; with or without one of words."""
    table = Table.of(found.read)
    parts = parts_of(found.groups, FOLDS)
    values, said = np.zeros(len(parts)), np.zeros(len(parts), bool)
    for asked, seen in splits(parts):
        values[asked] = _values(table, seen, parts, words=words)[asked]
        inside = np.zeros(len(parts))
        for part in np.unique(parts[seen]):
            inner, rest = seen & (parts == part), seen & (parts != part)
            inside[inner] = _values(table, rest, parts, words=words)[inner]
        said[asked] = values[asked] > best_line(inside[seen], table.unsupported[seen], f1)
    return Taught(values, said)


def _values(table: Table, seen: Mask, parts: npt.NDArray[np.intp], *, words: bool) -> Numbers:
    """What the model of answers says of all rows when it was taught those that it has seen."""
    numbers = table.answers
    if words:
        numbers = np.hstack([numbers, _words_say(table, seen, parts)])
    return _fitted(numbers, table.unsupported, seen)


def _words_say(table: Table, seen: Mask, parts: npt.NDArray[np.intp]) -> Numbers:
    """What the words add up to, each by a model that has not seen its group: also for the seen rows."""
    odds = _fitted(table.words, table.marked, seen[table.home])
    for part in np.unique(parts[seen]):
        mine = (seen & (parts == part))[table.home]
        rest = (seen & (parts != part))[table.home]
        odds[mine] = _fitted(table.words, table.marked, rest)[mine]
    return added_up(odds, table.home, len(table.answers))


def _fitted(numbers: Numbers, bad: Mask, seen: Mask) -> Numbers:
    from sklearn.linear_model import LogisticRegression  # more than a second: here, where it is needed
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model = make_pipeline(
        StandardScaler(), LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=500)
    )
    found: Numbers = model.fit(numbers[seen], bad[seen]).decision_function(numbers)
    return found
