"""The columns of promptfoo's table: a prompt and a source each, with what its results sum up to."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

from sensecheck.evals.result import Result
from sensecheck.evals.run_file import RunFile


@dataclass(slots=True)
class Column:
    """All results of one prompt from one source; promptfoo counts each repeat by itself."""

    index: int
    wording: str
    source: str
    score: float = 0.0
    passed: int = 0
    failed: int = 0
    errors: int = 0
    parts_passed: int = 0
    parts_failed: int = 0
    latency_ms: float = 0.0
    cost: float = 0.0
    named: dict[str, float] = field(default_factory=dict)
    named_counts: dict[str, int] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Promptfoo knows a prompt by the digest of its text; a run knows its label."""
        return hashlib.sha256(self.wording.encode("utf-8", "surrogatepass")).hexdigest()

    def add(self, result: Result) -> None:
        """Count one result."""
        self.score += result.score or 0.0
        self.passed += result.outcome == "pass"
        self.errors += result.outcome == "error"
        self.failed += result.outcome not in ("pass", "error")
        self.latency_ms += result.latency_ms or 0.0
        self.cost += result.cost or 0.0
        for part in result.verdict.parts:
            self.parts_passed += part.outcome == "pass"
            self.parts_failed += part.outcome != "pass"
        for score in result.each_score():
            if score.metric and score.score is not None:
                self.named[score.metric] = self.named.get(score.metric, 0.0) + score.score
                self.named_counts[score.metric] = self.named_counts.get(score.metric, 0) + 1

    def to_data(self) -> dict[str, Any]:
        """The column as promptfoo has it."""
        metrics = {
            "score": self.score,
            "testPassCount": self.passed,
            "testFailCount": self.failed,
            "testErrorCount": self.errors,
            "assertPassCount": self.parts_passed,
            "assertFailCount": self.parts_failed,
            "totalLatencyMs": self.latency_ms,
            "tokenUsage": tokens(self.passed + self.failed + self.errors),
            "namedScores": self.named,
            "namedScoresCount": self.named_counts,
            "namedScoreWeights": self.named_counts,
            "cost": self.cost,
        }
        return {
            "id": self.id,
            "raw": self.wording,
            "label": self.wording,
            "provider": self.source,
            "metrics": metrics,
        }


@dataclass(slots=True)
class Columns:
    """The columns in the order in which a run comes to them, and the names of its variables."""

    held: dict[tuple[str, str], Column] = field(default_factory=dict)
    variables: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, run: RunFile) -> "Columns":
        """The columns of a run, which is read through once."""
        columns = cls()
        for result in run.results():
            place = result.wording, result.source
            column = columns.held.setdefault(place, Column(len(columns.held), *place))
            column.add(result)
            columns.variables.update(dict.fromkeys(result.vars))
        return columns

    def of_result(self, result: Result) -> Column:
        """The column in which a result stands."""
        return self.held[result.wording, result.source]

    def to_data(self) -> list[dict[str, Any]]:
        """The columns as promptfoo has them."""
        return [column.to_data() for column in self.held.values()]

    def stats(self) -> dict[str, Any]:
        """The sums of the whole run as promptfoo has them; how long it took, a report does not know."""
        columns = self.held.values()
        passed, failed = sum(column.passed for column in columns), sum(column.failed for column in columns)
        errors = sum(column.errors for column in columns)
        return {
            "successes": passed,
            "failures": failed,
            "errors": errors,
            "tokenUsage": tokens(passed + failed + errors),
        }


def tokens(requests: int) -> dict[str, int]:
    """The tokens that promptfoo counts and a run does not know."""
    return {"total": 0, "prompt": 0, "completion": 0, "cached": 0, "numRequests": requests}
