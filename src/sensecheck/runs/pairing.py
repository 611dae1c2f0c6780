"""Which question of one run is which of another: by its id and, where the sets differ, by its wording."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, Run, RunBrief, digest_of

if TYPE_CHECKING:
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import RunTable

Positions = npt.NDArray[np.intp]
Wordings = tuple["QuestionWordings", "QuestionWordings"]
"""How the questions of the earlier and of the later run are worded."""
_QuestionTexts = tuple[str, str | None, str | None]
"""A question's id, what it asks, and its reference answer."""


@dataclass(frozen=True, slots=True)
class QuestionWordings:
    """The ids and wordings of the questions of a set, by their position."""

    names: tuple[str, ...]
    wordings: tuple[str, ...]
    """Changes with the words of the question or of its reference answer."""

    @classmethod
    def of(cls, questions: Iterable[Item]) -> "QuestionWordings":
        """How these questions are known; without an id, by their question and reference answer alone."""
        return cls._of_texts((pair.name, pair.question, pair.expected) for pair in questions)

    @classmethod
    def in_run(cls, place: "RunPlace", run: Run) -> "QuestionWordings":
        """The questions of a run's set; what was retrieved for them need not be read."""
        return cls._of_texts(place.wordings(run.set))

    @classmethod
    def _of_texts(cls, texts: Iterable[_QuestionTexts]) -> "QuestionWordings":
        names_and_wordings = [(name, digest_of([question, expected])) for name, question, expected in texts]
        return cls(
            tuple(name for name, _ in names_and_wordings), tuple(wording for _, wording in names_and_wordings)
        )

    def first(self, count: int) -> "QuestionWordings":
        """The first ones: a run need not have come to all of them."""
        return QuestionWordings(self.names[:count], self.wordings[:count])


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


def match_questions(before: "RunTable", after: "RunTable", wordings: Wordings | None = None) -> Matching:
    """The questions of two runs side by side; by their ids alone where their wordings are not given."""
    sides = wordings or (_known_by_id(before), _known_by_id(after))
    old, new = (side.first(len(table.names)) for side, table in zip(sides, (before, after), strict=True))
    _require_own_names(before, old)
    _require_own_names(after, new)
    positions = {name: at for at, name in enumerate(old.names)}
    both = [(positions[name], at, name) for at, name in enumerate(new.names) if name in positions]
    same = [(i, j, name) for i, j, name in both if old.wordings[i] == new.wordings[j]]
    if not same:
        raise SpecError(_nothing_in_common(before, after, len(both)))
    shared, compared = {name for *_, name in both}, {name for *_, name in same}
    return Matching(
        tuple(name for *_, name in same),
        np.array([i for i, _, _ in same], dtype=np.intp),
        np.array([j for _, j, _ in same], dtype=np.intp),
        tuple(name for name in old.names if name not in shared),
        tuple(name for name in new.names if name not in shared),
        tuple(name for *_, name in both if name not in compared),
    )


def _require_own_names(table: "RunTable", side: QuestionWordings) -> None:
    """Raise where an id comes twice: it would not be known which of the two is meant."""
    if len(set(side.names)) < len(side.names):
        twice = next(name for name, count in Counter(side.names).items() if count > 1)
        raise SpecError(
            f"the run {RunBrief.of(table.run).run} has the id `{twice}` more than once; a comparison needs "
            "ids that differ"
        )


def _known_by_id(table: "RunTable") -> QuestionWordings:
    return QuestionWordings(table.names, ("",) * len(table.names))


def _nothing_in_common(before: "RunTable", after: "RunTable", reworded: int) -> str:
    message = f"the runs {before.run.key} and {after.run.key} have no question in common"
    if reworded:
        return f"{message}: the words of all {reworded} with the same id have changed"
    return f"{message}: a question is known by its `id`, or else by its own words and those of its reference"
