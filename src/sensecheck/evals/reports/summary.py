"""What a run came to: counted test by test, without holding the run."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.verdict import Outcome
from sensecheck.evals.result import Result
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import Tally, Tried, tried

OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "unsure", "measured", "error")


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


def by_metric(result: Result) -> dict[str, float]:
    """The mean score of one result under each metric's name; what could not be scored is left out."""
    means: dict[str, Mean] = {}
    for score in result.each_score():
        if score.metric and score.score is not None:
            means.setdefault(score.metric, Mean()).add(score.score)
    return {name: mean.total / mean.n for name, mean in means.items()}


@dataclass(slots=True)
class Summary:
    """How tests came out, and the mean score under each metric."""

    tally: Tally = field(default_factory=Tally)
    metrics: dict[str, Mean] = field(default_factory=dict)
    score: Mean = field(default_factory=Mean)
    latency_ms: Mean = field(default_factory=Mean)
    cost: Mean = field(default_factory=Mean)

    def add(self, one: Tried) -> None:
        """Count one test with its repeats."""
        self.tally.add(one)
        for result in one.results:
            for mean, value in self._told(result):
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

    def _told(self, result: Result) -> Iterator[tuple[Mean, float | None]]:
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
        for one in tried(run.results()):
            summed.results += len(one.results)
            summed.wordings[one.first.wording] += 1
            summed.whole.add(one)
            summed.sources.setdefault(one.first.source, Summary()).add(one)
        return summed

    @property
    def interrupted(self) -> str:
        """Empty for a run that is whole; else what is missing, in words."""
        if self.results == self.cells:
            return ""
        return f"the run was interrupted: {self.results} of its {self.cells} results are there"
