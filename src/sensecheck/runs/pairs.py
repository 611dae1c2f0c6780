"""The items that two runs have in common, column by column: what a comparison is computed from.

A question of one run is that of another by its id and, where the sets differ, by its wording. `RunPairs` is
what a comparison asks of the pairs; `TablePairs` answers from columns in memory, and large runs do from sums
that a database counts.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, Run, RunBrief, digest_of
from sensecheck.core.serialization import did_you_mean
from sensecheck.runs.shift import (
    ENOUGH_TO_COMPARE,
    MOST_MOVED,
    MOST_NAMED,
    MOST_SLICES,
    MetricShift,
    Moved,
    PairColumn,
    PairedColumns,
    SliceShift,
    metric_shift_of,
)
from sensecheck.stats.paired_tests import Numbers, steps_between

if TYPE_CHECKING:
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import RunTable

Positions = npt.NDArray[np.intp]
Wordings = tuple["QuestionWordings", "QuestionWordings"]
"""How the questions of the earlier and of the later run are worded."""
_QuestionTexts = tuple[str, str | None, str | None]
"""A question's id, what it asks, and its reference answer."""


class Flips(NamedTuple):
    """The items that a check or a label says pass of in one run and fail in the other."""

    regressions: tuple[str, ...]
    """Their ids; of very many, the first."""
    fixes: tuple[str, ...]


class RunPairs(Protocol):
    """The pairs of two runs."""

    @property
    def n(self) -> int:
        """How many items both runs have."""
        ...

    @property
    def columns(self) -> Sequence[PairColumn]:
        """What people said, the metrics and the checks that both runs have."""
        ...

    def shifts(self, at: Sequence[int], *, alpha: float) -> list[MetricShift]:
        """By how much these columns have shifted; nothing is claimed yet."""
        ...

    def slices(
        self, at: Sequence[int], by: Sequence[str] | None, *, alpha: float
    ) -> tuple[list[SliceShift], "Omitted"]:
        """The shifts of these columns by slice, in order of their names; all known slices unless named."""
        ...

    def moved(self, at: int) -> tuple[Moved, ...]:
        """The items that fell most by a column, and then those that rose most."""
        ...

    def lost(self, at: int) -> tuple[str, ...]:
        """The first items that have a number before and none now."""
        ...

    def flips(self, at: int) -> Flips | None:
        """The items that flipped; None of a column that does not say pass or fail."""
        ...


class Omitted(NamedTuple):
    """The slices that are not compared, being too small, or not among the most frequent."""

    names: tuple[str, ...]
    """The first of them."""
    total: int


@dataclass(frozen=True, slots=True)
class TablePairs:
    """Pairs in memory, in the order of their ids: the same items give the same numbers in any order."""

    names: tuple[str, ...]
    slices_of: Sequence[Mapping[str, str]]
    """What kind of item each of them is."""
    paired: tuple[PairedColumns, ...]
    units: tuple[str, ...] | None = None
    """Items of one unit are not independent, and count once; None where each is its own."""

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        slices: Sequence[Mapping[str, str]],
        paired: Iterable[PairedColumns],
        units: Sequence[str] | None = None,
    ) -> "TablePairs":
        """These pairs, put in order."""
        order = sorted(range(len(names)), key=names.__getitem__)
        return cls(
            tuple(names[at] for at in order),
            [slices[at] for at in order],
            tuple(
                columns._replace(before=columns.before[order], after=columns.after[order])
                for columns in paired
            ),
            None if units is None else tuple(units[at] for at in order),
        )

    @property
    def n(self) -> int:
        """How many items both runs have."""
        return len(self.names)

    @property
    def columns(self) -> Sequence[PairColumn]:
        """What both runs have."""
        return [one.column for one in self.paired]

    def shifts(self, at: Sequence[int], *, alpha: float) -> list[MetricShift]:
        """By how much these columns have shifted."""
        return [metric_shift_of(self.paired[index], alpha=alpha, units=self.units) for index in at]

    def slices(
        self, at: Sequence[int], by: Sequence[str] | None, *, alpha: float
    ) -> tuple[list[SliceShift], Omitted]:
        """The shifts by slice; of each kind of slice, those with items enough, the most frequent."""
        every = self._positions(by)
        large: list[str] = []
        for kinds in every.values():
            enough = [name for name, places in kinds.items() if len(places) >= ENOUGH_TO_COMPARE]
            large += sorted(enough, key=lambda name, kinds=kinds: (-len(kinds[name]), name))[:MOST_SLICES]  # type: ignore[misc]
        places = {name: rows for kinds in every.values() for name, rows in kinds.items()}
        small = sorted(places.keys() - set(large))
        shifts = [SliceShift(name, tuple(self._within(places[name], at, alpha))) for name in sorted(large)]
        return shifts, Omitted(tuple(small[:MOST_NAMED]), len(small))

    def moved(self, at: int) -> tuple[Moved, ...]:
        """Those that fell most and those that rose most, the largest change first."""
        column, before, after = self.paired[at]
        steps = steps_between(before, after)
        fell, rose = (
            [row for row in np.argsort(keys, kind="stable")[:MOST_MOVED] if keys[row] < 0]
            for keys in (_without_na(steps), _without_na(-steps))
        )
        return Moved.largest_first(
            Moved(self.names[row], column.metric, float(before[row]), float(after[row]))
            for row in (*fell, *rose)
        )

    def lost(self, at: int) -> tuple[str, ...]:
        """The first items that have a number before and none now."""
        _, before, after = self.paired[at]
        return self._named(~np.isnan(before) & np.isnan(after))

    def flips(self, at: int) -> Flips | None:
        """The items that flipped, by a label or a check whose numbers are all 0 or 1."""
        column, before, after = self.paired[at]
        values = np.concatenate((before[~np.isnan(before)], after[~np.isnan(after)]))
        if not column.is_verdict or not len(values) or not np.isin(values, (0.0, 1.0)).all():
            return None
        return Flips(self._named((before == 1) & (after == 0)), self._named((before == 0) & (after == 1)))

    def _named(self, mask: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> tuple[str, ...]:
        return tuple(self.names[row] for row in np.flatnonzero(mask)[:MOST_NAMED])

    def _within(self, places: list[int], at: Sequence[int], alpha: float) -> Iterable[MetricShift]:
        units = None if self.units is None else [self.units[one] for one in places]
        for one in at:
            column, before, after = self.paired[one]
            part = PairedColumns(column, before[places], after[places])
            yield metric_shift_of(part, alpha=alpha, units=units)

    def _positions(self, by: Sequence[str] | None) -> dict[str, dict[str, list[int]]]:
        """Where the items of each slice stand, by its key; there may be as many slices as items."""
        positions: dict[str, dict[str, list[int]]] = {}
        for at, kinds in enumerate(self.slices_of):
            for key, value in kinds.items():
                positions.setdefault(key, {}).setdefault(f"{key}={value}", []).append(at)
        if by is None:
            return positions
        for key in by:
            if key not in positions:
                raise SpecError(did_you_mean("slice of these runs", key, positions))
        return {key: positions[key] for key in dict.fromkeys(by)}


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


def _without_na(steps: Numbers) -> Numbers:
    return np.where(np.isnan(steps), np.inf, steps)
