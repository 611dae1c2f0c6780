"""What is told of a run when it ends: counts, the first tests that did not pass, sources side by side."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sensecheck.core.verdict import Outcome
from sensecheck.evals.result import Result
from sensecheck.evals.tally import Tally, Tried, tried

MOST = 20
"""Tests of each outcome that are held, and rows of the grid: the run itself has them all."""


@dataclass(frozen=True, slots=True)
class Row:
    """One test, and how it came out in each column."""

    first: Result
    outcomes: dict[str, Outcome]

    @property
    def differs(self) -> bool:
        """Whether it did not come out the same everywhere."""
        return len(set(self.outcomes.values())) > 1


@dataclass(slots=True)
class Overview:
    """Grows with the run, but not with its length."""

    tally: Tally = field(default_factory=Tally)
    columns: dict[str, Tally] = field(default_factory=dict)
    """By source, or by source and prompt."""
    worst: dict[Outcome, list[Tried]] = field(default_factory=dict)
    """The first tests that did not pass, by their outcome."""
    by_wording: bool = False
    """Whether a column is a source in one prompt, rather than in all of them."""
    _first: list[Row] = field(default_factory=list)
    _differing: list[Row] = field(default_factory=list)

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results, counted as they pass by."""
        row: Row | None = None
        for one in tried(results):
            if row is None or row.first.test != one.first.test:
                self._end(row)
                row = Row(one.first, {})
            self._count(one, row)
            yield from one.results
        self._end(row)

    def _count(self, one: Tried, row: Row) -> None:
        column = self._column(one.first)
        self.tally.add(one)
        self.columns.setdefault(column, Tally()).add(one)
        row.outcomes[column] = one.outcome
        if one.outcome != "pass":
            held = self.worst.setdefault(one.outcome, [])
            if len(held) < MOST:
                held.append(one)

    def _column(self, result: Result) -> str:
        return f"{result.source}, {result.wording}" if self.by_wording else result.source

    def _end(self, row: Row | None) -> None:
        if row is None:
            return
        if len(self._first) <= MOST:
            self._first.append(row)
        if row.differs and len(self._differing) < MOST:
            self._differing.append(row)

    @property
    def grid(self) -> tuple[Row, ...]:
        """All tests when they are few, else the first on which columns differ."""
        return tuple(self._first if len(self._first) <= MOST else self._differing)
