"""Which question of one run is which of another."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.evals.qa.compare.asked import Asked
from sensecheck.store.run_reading import RunTable

Positions = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Matching:
    """The questions that two runs have in common, and those that they have not."""

    names: tuple[str, ...]
    before: Positions
    """Where each of them stands in the earlier run."""
    after: Positions
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    reworded: tuple[str, ...]
    """In both, but with another question or reference answer under the same id: not compared."""


def match_questions(before: RunTable, after: RunTable, asked: tuple[Asked, Asked] | None = None) -> Matching:
    """The questions of two runs side by side; by their ids alone where nobody says how they are asked."""
    known = asked or (_by_name(before), _by_name(after))
    old, new = (one.first(len(table.names)) for one, table in zip(known, (before, after), strict=True))
    places = {name: at for at, name in enumerate(old.names)}
    both = [(places[name], at, name) for at, name in enumerate(new.names) if name in places]
    same = [(i, j, name) for i, j, name in both if old.wordings[i] == new.wordings[j]]
    if not same:
        raise SpecError(_nothing_in_common(before, after, len(both)))
    met, kept = {name for *_, name in both}, {name for *_, name in same}
    return Matching(
        tuple(name for *_, name in same),
        np.array([i for i, _, _ in same], dtype=np.intp),
        np.array([j for _, j, _ in same], dtype=np.intp),
        tuple(name for name in old.names if name not in met),
        tuple(name for name in new.names if name not in met),
        tuple(name for *_, name in both if name not in kept),
    )


def _by_name(table: RunTable) -> Asked:
    return Asked(table.names, ("",) * len(table.names))


def _nothing_in_common(before: RunTable, after: RunTable, reworded: int) -> str:
    told = f"the runs {before.run.key} and {after.run.key} have no question in common"
    if reworded:
        return f"{told}: the words of all {reworded} with the same id have changed"
    return f"{told}: a question is known by its `id`, or else by its own words and those of its reference"
