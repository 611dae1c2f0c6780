"""What is read of labelled answers, as a table of numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from models.correctness.rows import Row

from sensecheck.core.backends import Encoder
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.correctness.features import FEATURES, compared

Numbers = npt.NDArray[np.float64]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
_AT_ONCE = 256
"""Rows whose texts are in memory at one time."""


@dataclass(frozen=True, slots=True)
class Table:
    """One line a pair of answer and expected one; several for an answer with alternatives."""

    rows: Sequence[Row]
    numbers: Numbers
    home: Places
    """The row of each line, in order."""

    @property
    def correct(self) -> Mask:
        """The label of each row."""
        return np.array([row.correct for row in self.rows])

    @property
    def folds(self) -> Places:
        """The fold of each row."""
        return np.array([row.fold for row in self.rows], np.intp)

    def best(self, scores: Numbers) -> Numbers:
        """The best score of each row."""
        return scores[self.best_lines(scores)]

    def best_lines(self, scores: Numbers) -> Places:
        """The line of each row that scores best."""
        order = np.lexsort((scores, self.home))
        last = np.append(np.flatnonzero(np.diff(self.home[order])), len(order) - 1)
        lines: Places = order[last]
        return lines


def table_of(rows: Sequence[Row], encoder: Encoder) -> Table:
    """Reads every row; those with a text that the encoder cannot read are left out."""
    kept: list[Row] = []
    lines: list[list[float]] = []
    for at in range(0, len(rows), _AT_ONCE):
        for row, read in _read(rows[at : at + _AT_ONCE], encoder):
            kept.append(row)
            lines += read
    home = np.repeat(np.arange(len(kept)), [len(row.expected) for row in kept])
    return Table(kept, np.array(lines).reshape(-1, len(FEATURES)), home)


def _read(rows: Sequence[Row], encoder: Encoder) -> Iterator[tuple[Row, list[list[float]]]]:
    texts = [text for row in rows for text in (row.answer, *row.expected)]
    space = Space.of(sorted(texts, key=len), encoder)
    for row in rows:
        if space.failed.keys().isdisjoint((row.answer, *row.expected)):
            sample = Sample(row.answer, question=row.question)
            yield row, [[*each.features.values()] for each in compared(sample, row.expected, space)]
