"""Models that have not seen the rows that they are asked about: what the model of correctness is worth."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from models.correctness.fit import Fitted, fit, taught
from models.correctness.rows import FOLDS, Row
from models.correctness.table import Mask, Numbers, Table


@dataclass(frozen=True, slots=True)
class Unseen:
    """A model, and the rows that it may be asked about."""

    model: Fitted
    fold: int
    """It has not seen a question of this fold."""
    system: str | None
    """Nor anything that this system wrote; None: it may have seen every system."""

    def asked(self, table: Table) -> Mask:
        """The rows that it may be asked about."""
        system = self.system
        return np.array([row.fold == self.fold and system in (None, row.kind) for row in table.rows])


def unseen_questions(tables: Mapping[str, Table]) -> list[Unseen]:
    """A model a fold."""
    return [_without(tables, fold, None) for fold in range(FOLDS)]


def unseen_systems(tables: Mapping[str, Table]) -> list[Unseen]:
    """A model a fold and system that answered in it."""
    return list(_by_system(tables))


def scores(models: Iterable[Unseen], table: Table) -> Numbers:
    """What the models say of each row; nan where none of them may be asked."""
    found = np.full(len(table.rows), np.nan)
    for each in models:
        asked = each.asked(table)
        found[asked] = table.best(each.model.scores(table.numbers))[asked]
    return found


def _by_system(tables: Mapping[str, Table]) -> Iterator[Unseen]:
    for fold in range(FOLDS):
        answered = {row.kind for row in tables["evouna"].rows if row.fold == fold}
        yield from (_without(tables, fold, system) for system in sorted(answered))


def _without(tables: Mapping[str, Table], fold: int, system: str | None) -> Unseen:
    def seen(row: Row) -> bool:
        return row.fold != fold and system not in row.makers

    return Unseen(fit(taught(tables, seen)), fold, system)
