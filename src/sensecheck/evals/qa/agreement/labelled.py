"""The labelled answers of one or several runs, as columns."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.stats.ranks import Groups, Numbers
from sensecheck.store.run_reading import RunTable

Chosen = npt.NDArray[np.bool_]
_EVEN = 0.5
"""The mean of as many 1 as 0; above it, most said yes."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """Answers that people have labelled; those of several runs one after the other."""

    label: str
    said: Numbers
    """What people said of each; the mean where several did."""
    is_yes_or_no: bool
    """Whether every single label is 0 or 1."""
    groups: Groups
    """The question of each: answers of several systems to one question are no independent news."""
    columns: dict[tuple[str, str], Numbers]
    """What each metric read, by its name and fingerprint; NaN where it could not."""
    encoders: dict[tuple[str, str], str]

    @property
    def split(self) -> Chosen:
        """Where as many raters said yes as no, so that nobody knows which it is."""
        even: Chosen = (self.said == _EVEN) & self.is_yes_or_no
        return even

    @classmethod
    def of(cls, tables: Sequence[RunTable], label: str, *, yes_or_no: bool | None = None) -> "Labelled":
        """The answers of these runs that have the label.

        `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
        """
        held = [(table, np.flatnonzero(~np.isnan(said))) for table, said in _said(tables, label)]
        names = [table.names[at] for table, places in held for at in places]
        keys = {(one.name, one.fingerprint): one.encoder for table, _ in held for one in table.metrics}
        said = np.concatenate([table.labels[label][places] for table, places in held])
        return cls(
            label,
            said,
            bool(np.isin(said, (0.0, 1.0)).all()) if yes_or_no is None else yes_or_no,
            np.unique(np.array(names), return_inverse=True)[1].astype(np.intp),
            {key: np.concatenate([_column(table, key)[places] for table, places in held]) for key in keys},
            keys,
        )


def most_said_yes(said: Numbers) -> Chosen:
    """Of labels that are 0 or 1, or means of such: what most raters said."""
    yes: Chosen = said > _EVEN
    return yes


def labels_of(tables: Sequence[RunTable]) -> tuple[str, ...]:
    """The names of all labels that some of these runs have."""
    return tuple(sorted({name for table in tables for name in table.labels}))


def _said(tables: Sequence[RunTable], label: str) -> list[tuple[RunTable, Numbers]]:
    known = labels_of(tables)
    if not known:
        runs = ", ".join(str(table.run.key) for table in tables)
        raise SpecError(
            f"nobody has labelled an answer of the runs {runs}; add labels with "
            f"`sensecheck history label {tables[-1].run.key} FILE`"
        )
    if label not in known:
        raise SpecError(unknown("label of these runs", label, known))
    return [(table, table.labels[label]) for table in tables if label in table.labels]


def _column(table: RunTable, key: tuple[str, str]) -> Numbers:
    found = table.column(*key)
    return np.full(len(table.names), np.nan) if found is None else found
