"""What kind of answer a mark stands for: whether it is wrong decides before the place where it lies."""

import numpy as np
import numpy.typing as npt

from sensecheck.evals.qa.report.axes import OTHERWISE, Axes
from sensecheck.store.run_reading import Numbers, RunTable

KINDS = ("both good", "paraphrase", "close, but wrong", "copied with a changed fact", "both bad", "n/a")
GOOD, PARAPHRASE, CLOSE, CHANGED, BAD, NOT_READ = range(6)
LABEL = "correct"
"""The label that says whether an answer is correct; of a run that has only one label, it is that one."""
Kinds = npt.NDArray[np.int64]


def kinds_of(table: RunTable, axes: Axes) -> Kinds:
    """What kind each answer is, as a place in `KINDS`."""
    x, y = table.values[:, axes.across], table.values[:, axes.upwards]
    return kinds_at(x, y, wrong_of(table, axes), axes.lines)


def wrong_of(table: RunTable, axes: Axes) -> Numbers:
    """1 where an answer of the run is wrong, 0 where it is not, NaN where that is not known."""
    return wrong_by(_label(table), _column(table, axes.correct), _column(table, axes.facts))


def kinds_at(x: Numbers, y: Numbers, wrong: Numbers, lines: tuple[float, float]) -> Kinds:
    """The kind of answers that lie there.

    A text that is copied with one fact changed keeps nearly all of its meaning for an encoder; so where it is
    known whether an answer is wrong (1, or 0), that decides, and the closeness only where it is not (NaN).
    """
    close, alike = x >= lines[0], y >= lines[1]
    changed = alike & np.where(np.isnan(wrong), ~close, wrong == 1)
    conditions = [np.isnan(x) | np.isnan(y), changed, alike, close & (wrong == 1), close]
    return np.select(conditions, [NOT_READ, CHANGED, GOOD, CLOSE, PARAPHRASE], BAD)


def wrong_by(label: Numbers, correct: Numbers, facts: Numbers) -> Numbers:
    """1 where an answer is wrong, 0 where it is not: as people said, else by correctness, else by its facts.

    NaN where nothing is known; a label of 0.5 says that people do not agree.
    """
    undecided = np.isnan(label) | (label == OTHERWISE)
    by_metrics = np.where(np.isnan(correct), _less(facts, 1), _less(correct, OTHERWISE))
    decided: Numbers = np.where(undecided, by_metrics, _less(label, OTHERWISE))
    return decided


def _less(numbers: Numbers, line: float) -> Numbers:
    below: Numbers = np.where(np.isnan(numbers), np.nan, numbers < line)
    return below


def _column(table: RunTable, at: int | None) -> Numbers:
    return np.full(len(table.names), np.nan) if at is None else table.values[:, at]


def _label(table: RunTable) -> Numbers:
    """What people said of each answer; nothing, where it is a grade and not a share from 0 to 1."""
    only = next(iter(table.labels)) if len(table.labels) == 1 else None
    said = table.labels.get(LABEL if only is None else only)
    if said is None or np.nanmin(said, initial=0) < 0 or np.nanmax(said, initial=1) > 1:
        return np.full(len(table.names), np.nan)
    return said
