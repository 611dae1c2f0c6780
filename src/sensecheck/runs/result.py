"""The result of asking one source once: the answer, and the verdict on it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from sensecheck.core.serialization import from_data, to_data
from sensecheck.core.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class AssertionScore:
    """What one assertion of a test was worth."""

    type: str
    """As the battery has it: `contains`, `not-similar`, …"""
    score: float | None
    """From 0 to 1; None when it is unsure or could not be judged."""
    weight: float = 1.0
    metric: str = ""
    wanted: str = ""
    """What the answer was compared with: the expected text, the pattern, the rubric."""
    within: tuple["AssertionScore", ...] = ()
    """Of an `assert-set`, what each of its own assertions was worth."""

    def each(self) -> Iterator["AssertionScore"]:
        """Itself, and all that count towards it."""
        yield self
        for score in self.within:
            yield from score.each()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The score that was written."""
        return from_data(cls, data, at="score")


@dataclass(frozen=True, slots=True)
class Result:
    """One cell of a run: a test, in one wording, asked of one source, one of its repeats."""

    test: int
    """The test's place in the battery, from one."""
    key: str
    """The test, from run to run."""
    description: str
    vars: Mapping[str, Any]
    prompt: str
    wording: str
    """The label of the prompt."""
    source: str
    """The label of the source."""
    verdict: Verdict
    """Its parts are those of the assertions, in their order."""
    scores: tuple[AssertionScore, ...]
    """One an assertion, in the same order; none when there was no answer."""
    answer: str | None = None
    """None when the source gave none; the verdict says why."""
    repeat: int = 1
    runs: int = 1
    passes: int = 1
    """How many of the runs must pass."""
    latency_ms: float | None = None
    cost: float | None = None
    place: str = ""
    """Where the test stands, as `file:line:column`."""
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        """The outcome of this one run of the test."""
        return self.verdict.outcome

    @property
    def score(self) -> float | None:
        """From 0 to 1; None when it could not be judged."""
        return None if self.verdict.reading is None else self.verdict.reading.value

    def each_score(self) -> Iterator[AssertionScore]:
        """What every assertion was worth, also those within others."""
        for score in self.scores:
            yield from score.each()

    @property
    def cell(self) -> tuple[str, str, str]:
        """The test in one wording from one source: what the repeats have in common."""
        return self.key, self.wording, self.source

    def to_data(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The result that `to_data` described."""
        return from_data(cls, data, at="result")
