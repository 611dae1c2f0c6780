"""What people say of the rows of a run: read by rater, given, changed and taken back."""

from collections.abc import Mapping

import numpy as np

from sensecheck.core.errors import NoSuchRun
from sensecheck.runs.record import Label, Numbers
from sensecheck.runs.scanned_place import label_columns
from sensecheck.runs.suite import item_of
from sensecheck.studio.index import RunIndex, results_at
from sensecheck.studio.library import StudioRun

CORRECT = "correct"
"""Whether an answer is right: 1 or 0."""
FLAG = "flag"
"""1 for a row that somebody should look at."""
SKIPPED = "skipped"
"""1 for a row that a reviewer could not decide."""
OWN = (FLAG, SKIPPED)
"""Labels of the Studio itself, which say nothing of the answer."""
RowLabel = tuple[int, str, str]
"""The row, the name of the label, and who gave it."""
Said = Mapping[RowLabel, float]


def labels_by_rater(found: StudioRun, index: RunIndex) -> dict[RowLabel, float]:
    """What each rater says of the rows now, also what was said after the index was built."""
    later = found.place.later_labels(found.run)
    if later is None:
        stored = list(found.place.labels(found.run))
        places = {name: at for at, name in enumerate(index.ids)} if stored else {}
        return {
            (places[label.question], label.name, label.rater): label.value
            for label in stored
            if label.question in places
        }
    labels: dict[RowLabel, float] = {
        (int(at), name, ""): float(column[at])
        for name, column in index.labels.items()
        for at in np.flatnonzero(~np.isnan(column))
    }
    if later:
        positions = range(len(index)) if found.file is not None else index.tests.tolist()
        rows = {position: at for at, position in enumerate(positions)}
        labels |= {
            (rows[position], name, rater): value
            for (position, name, rater), value in later.items()
            if position in rows
        }
    return labels


def labels_now(found: StudioRun, index: RunIndex) -> dict[str, Numbers]:
    """What people say of the rows; the mean where several do."""
    later = found.place.later_labels(found.run)
    if later is not None and not later:
        return dict(index.labels)
    return label_columns(labels_by_rater(found, index), len(index))


def say(found: StudioRun, index: RunIndex, row: str, name: str, value: float | None, rater: str) -> bool:
    """Store what a person says of a row, or take it back with None; whether anything changed.

    Who has no name cannot change what was said: it may be another person's.
    """
    label = Label(_question(found, index, row), name, 0.0 if value is None else value, rater)
    if rater:
        return found.place.relabel(found.run, label, withdraw=value is None)
    if value is None:
        raise NoSuchRun("only labels of a named reviewer can be taken back")
    return found.place.label(found.run, [label]) == 1


def label_names(said: Said) -> list[str]:
    """The labels that say something of answers, the usual one first."""
    names = {name for _, name, _ in said if name not in OWN}
    return [CORRECT, *sorted(names - {CORRECT})]


def raters_of(said: Said, label: str) -> dict[str, dict[int, float]]:
    """By rater, what they say of which rows under one label."""
    values_by_rater: dict[str, dict[int, float]] = {}
    for (at, name, rater), value in said.items():
        if name == label:
            values_by_rater.setdefault(rater, {})[at] = value
    return dict(sorted(values_by_rater.items()))


def _question(studio_run: StudioRun, index: RunIndex, row: str) -> str:
    """The id under which the place of a run knows a row."""
    if studio_run.file is None:
        return row
    if row not in index.ids:
        raise NoSuchRun(f"there is no row `{row}` in this run")
    outcome = results_at(studio_run.file, int(index.offsets[index.ids.index(row)]))
    return item_of(outcome, studio_run.file.header).name
