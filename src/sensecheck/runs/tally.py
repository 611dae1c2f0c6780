"""Results counted together: repeats into tests, tests into outcomes and mean scores.

Nothing here holds a whole run: an overview grows while the run goes on, and a summary is made in one pass.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, ClassVar

from sensecheck.core.verdict import Outcome
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.result import Result
from sensecheck.text.escaping import cut

LONGEST = 120
MOST = 20
"""Tests of each outcome that an overview has, and rows of its grid: the run itself has them all."""
OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "unsure", "measured", "error")


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """A test in one wording from one source, with all of its repeats."""

    __test__: ClassVar[bool] = False

    results: tuple[Result, ...]

    @property
    def first(self) -> Result:
        """Any of the repeats tells what they have in common."""
        return self.results[0]

    @property
    def passed(self) -> int:
        """How many repeats passed."""
        return sum(result.outcome == "pass" for result in self.results)

    @property
    def outcome(self) -> Outcome:
        """Decided once the repeats that are open, unsure or not judged, could no longer tip it."""
        outcomes = [result.outcome for result in self.results]
        if self.passed >= self.first.passes:
            return "pass"
        if self.first.runs - outcomes.count("fail") < self.first.passes:
            return "fail"
        return "error" if "error" in outcomes else "unsure"

    @property
    def consistency(self) -> str:
        """Empty for a single run; else whether all runs came out the same."""
        if len(self.results) == 1:
            return ""
        outcomes = {result.outcome for result in self.results}
        if len(outcomes) == 1:
            return f"consistent {outcomes.pop()}"
        return f"inconsistent {self.passed}/{len(self.results)}"

    @property
    def deciding(self) -> Result:
        """The first repeat with the outcome of the test, or else the first that did not pass."""
        same = [result for result in self.results if result.outcome == self.outcome]
        other = [result for result in self.results if result.outcome != "pass"]
        return (same or other or self.results)[0]


def outcomes_by_test(results: Iterable[Result]) -> Iterator[TestOutcome]:
    """The tests of a run, one by one; repeats lie beside each other in a run."""
    for _, group in groupby(results, key=lambda result: (result.test, result.wording, result.source)):
        yield TestOutcome(tuple(group))


@dataclass(slots=True)
class Tally:
    """How many tests had which outcome."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    inconsistent: int = 0

    def add(self, one: TestOutcome) -> None:
        """Count one test."""
        self.outcomes[one.outcome] += 1
        self.inconsistent += one.consistency.startswith("inconsistent")

    @property
    def total(self) -> int:
        """How many tests there were."""
        return self.outcomes.total()

    @property
    def pass_rate(self) -> float:
        """The share of tests that passed; 0 when there were none."""
        return self.outcomes["pass"] / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """One test, and how it came out in each column."""

    first: Result
    outcomes: dict[str, Outcome]

    @property
    def differs(self) -> bool:
        """Whether it did not come out the same everywhere."""
        return len(set(self.outcomes.values())) > 1


@dataclass(slots=True)
class Overview:
    """Counts, the first tests that did not pass, and sources side by side, in bounded size."""

    tally: Tally = field(default_factory=Tally)
    columns: dict[str, Tally] = field(default_factory=dict)
    """By source, or by source and prompt."""
    worst: dict[Outcome, list[TestOutcome]] = field(default_factory=dict)
    """The first tests that did not pass, by their outcome."""
    by_wording: bool = False
    """Whether a column is a source in one prompt, rather than in all of them."""
    _first: list[OverviewRow] = field(default_factory=list)
    _differing: list[OverviewRow] = field(default_factory=list)

    def watch(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results, counted as they pass by."""
        row: OverviewRow | None = None
        for test in outcomes_by_test(results):
            if row is None or row.first.test != test.first.test:
                self._end(row)
                row = OverviewRow(test.first, {})
            self._count(test, row)
            yield from test.results
        self._end(row)

    def _count(self, test: TestOutcome, row: OverviewRow) -> None:
        first = test.first
        column = f"{first.source}, {first.wording}" if self.by_wording else first.source
        self.tally.add(test)
        self.columns.setdefault(column, Tally()).add(test)
        row.outcomes[column] = test.outcome
        if test.outcome != "pass":
            worst = self.worst.setdefault(test.outcome, [])
            if len(worst) < MOST:
                worst.append(test)

    def _end(self, row: OverviewRow | None) -> None:
        if row is None:
            return
        if len(self._first) <= MOST:
            self._first.append(row)
        if row.differs and len(self._differing) < MOST:
            self._differing.append(row)

    @property
    def grid(self) -> tuple[OverviewRow, ...]:
        """All tests when they are few, else the first on which columns differ."""
        return tuple(self._first if len(self._first) <= MOST else self._differing)


@dataclass(slots=True)
class Mean:
    """A mean that grows."""

    total: float = 0.0
    n: int = 0

    def add(self, value: float) -> None:
        """Count one more value."""
        self.total += value
        self.n += 1

    @property
    def value(self) -> float | None:
        """None when there was nothing to take it of."""
        return self.total / self.n if self.n else None


@dataclass(slots=True)
class Summary:
    """How tests came out, and the mean score under each metric."""

    tally: Tally = field(default_factory=Tally)
    metrics: dict[str, Mean] = field(default_factory=dict)
    score: Mean = field(default_factory=Mean)
    latency_ms: Mean = field(default_factory=Mean)
    cost: Mean = field(default_factory=Mean)

    def add(self, one: TestOutcome) -> None:
        """Count one test with its repeats."""
        self.tally.add(one)
        for result in one.results:
            for mean, value in self._values(result):
                if value is not None:
                    mean.add(value)

    def to_data(self) -> dict[str, Any]:
        """The summary as plain data, ready for JSON."""
        outcomes: dict[str, int] = {word: self.tally.outcomes[word] for word in OUTCOMES}
        return {
            "tests": self.tally.total,
            **outcomes,
            "inconsistent": self.tally.inconsistent,
            "pass_rate": self.tally.pass_rate,
            "mean_score": self.score.value,
            "mean_latency_ms": self.latency_ms.value,
            "cost": self.cost.total if self.cost.n else None,
            "metrics": {name: {"mean": mean.value, "n": mean.n} for name, mean in self.metrics.items()},
        }

    def _values(self, result: Result) -> Iterator[tuple[Mean, float | None]]:
        yield self.score, result.score
        yield self.latency_ms, result.latency_ms
        yield self.cost, result.cost
        for score in result.each_score():
            if score.metric:
                yield self.metrics.setdefault(score.metric, Mean()), score.score


@dataclass(slots=True)
class Summed:
    """A run in numbers: as a whole, and source by source."""

    cells: int
    """How many results there should be."""
    results: int = 0
    whole: Summary = field(default_factory=Summary)
    sources: dict[str, Summary] = field(default_factory=dict)
    wordings: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, run: RunFile) -> "Summed":
        """The run, read through once."""
        summed = cls(run.header.cells)
        for test in outcomes_by_test(run.results()):
            summed.results += len(test.results)
            summed.wordings[test.first.wording] += 1
            summed.whole.add(test)
            summed.sources.setdefault(test.first.source, Summary()).add(test)
        return summed

    @property
    def interrupted(self) -> str:
        """Empty for a run that is whole; else what is missing, in words."""
        if self.results == self.cells:
            return ""
        return f"the run was interrupted: {self.results} of its {self.cells} results are there"


def title(result: Result) -> str:
    """The test's description; without one, its variables; without these, its number."""
    variables = (f"{name}={cut(as_text(value), LONGEST)}" for name, value in result.vars.items())
    words = result.description or ", ".join(variables) or f"test {result.test}"
    return cut(" ".join(words.split()) or f"test {result.test}", LONGEST)


def as_text(value: Any) -> str:
    """A variable's value in one cell: a text as it is, all else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def by_metric(result: Result) -> dict[str, float]:
    """The mean score of one result under each metric's name; what could not be scored is left out."""
    means: dict[str, Mean] = {}
    for score in result.each_score():
        if score.metric and score.score is not None:
            means.setdefault(score.metric, Mean()).add(score.score)
    return {name: mean.total / mean.n for name, mean in means.items()}


def mean_of(values: Iterable[float | None]) -> float | None:
    """The mean of those that are there; None of none."""
    mean = Mean()
    for value in values:
        if value is not None:
            mean.add(value)
    return mean.value
