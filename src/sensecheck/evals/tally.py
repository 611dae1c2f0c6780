"""From single results to tests: how repeats count together, and how many of each there are."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from sensecheck.core.verdict import Outcome
from sensecheck.evals.result import Result


@dataclass(frozen=True, slots=True)
class Tried:
    """A test in one wording from one source, with all of its repeats."""

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


def tried(results: Iterable[Result]) -> Iterator[Tried]:
    """The tests of a run, one by one; repeats lie beside each other in a run."""
    for _, group in groupby(results, key=lambda result: (result.test, result.wording, result.source)):
        yield Tried(tuple(group))


@dataclass(slots=True)
class Tally:
    """How many tests had which outcome."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    inconsistent: int = 0

    def add(self, one: Tried) -> None:
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
