"""A run as promptfoo's results, so that its viewer opens it: `promptfoo import FILE`, `promptfoo view`.

A column of its table is a prompt and a source, with what their results sum up to.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.serialization import encode
from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import RunFile, compact_json
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.runs.tally import by_metric

VERSION = 3
WHEN = "2000-01-01T00:00:00.000Z"
"""A report has the same bytes each time it is written, so it bears no date; promptfoo wants one."""
_REASONS = {"pass": 0, "error": 2}
"""By `failureReason`, promptfoo tells what was found wanting (1) from what could not be judged."""


def promptfoo_pieces(run: RunFile) -> Iterator[str]:
    """The object that promptfoo writes; the run is gone through once before, for the columns' sums."""
    table, digest = PromptfooTable.of(run), _digest_of(run)
    head = {"version": VERSION, "timestamp": WHEN, "prompts": table.to_data()}
    yield f'{{"evalId":{compact_json(f"eval-sensecheck-{digest}")},'
    yield f'"results":{compact_json(head).removesuffix("}")},"results":['
    for number, (row, result) in enumerate(_numbered_rows(run)):
        yield (",\n" if number else "\n") + compact_json(
            _result_data(result, row, table.of_result(result), digest)
        )
    tail = {
        "config": {"description": run.header.description or run.header.battery},
        "shareableUrl": None,
        "metadata": {"evaluationCreatedAt": WHEN, "exportedAt": WHEN, "sensecheck": run.header.sensecheck},
        "vars": list(table.variables),
    }
    yield f'\n],"stats":{compact_json(table.stats())}}},{compact_json(tail).removeprefix("{")}\n'


@dataclass(slots=True)
class PromptfooColumn:
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
            "tokenUsage": _token_usage(self.passed + self.failed + self.errors),
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
class PromptfooTable:
    """The columns in the order in which a run comes to them, and the names of its variables."""

    columns: dict[tuple[str, str], PromptfooColumn] = field(default_factory=dict)
    variables: dict[str, None] = field(default_factory=dict)

    @classmethod
    def of(cls, run: RunFile) -> "PromptfooTable":
        """The table of a run, which is read through once."""
        table = cls()
        for result in run.results():
            key = result.wording, result.source
            column = table.columns.setdefault(key, PromptfooColumn(len(table.columns), *key))
            column.add(result)
            table.variables.update(dict.fromkeys(result.vars))
        return table

    def of_result(self, result: Result) -> PromptfooColumn:
        """The column in which a result stands."""
        return self.columns[result.wording, result.source]

    def to_data(self) -> list[dict[str, Any]]:
        """The columns as promptfoo has them."""
        return [column.to_data() for column in self.columns.values()]

    def stats(self) -> dict[str, Any]:
        """The sums of the whole run as promptfoo has them; how long it took, a report does not know."""
        columns = self.columns.values()
        passed, failed = sum(column.passed for column in columns), sum(column.failed for column in columns)
        errors = sum(column.errors for column in columns)
        return {
            "successes": passed,
            "failures": failed,
            "errors": errors,
            "tokenUsage": _token_usage(passed + failed + errors),
        }


def _token_usage(requests: int) -> dict[str, int]:
    """The tokens that promptfoo counts and a run does not know."""
    return {"total": 0, "prompt": 0, "completion": 0, "cached": 0, "numRequests": requests}


def _numbered_rows(run: RunFile) -> Iterator[tuple[int, Result]]:
    """Each result with its row: one a test and repeat, since promptfoo knows a repeat as a further test."""
    start, height, test = 0, 0, 0
    for result in run.results():
        if result.test != test:
            start, height, test = start + height, 0, result.test
        height = max(height, result.repeat)
        yield start + result.repeat - 1, result


def _result_data(result: Result, row: int, column: PromptfooColumn, digest: str) -> dict[str, Any]:
    grading, passed = _grading(result), result.outcome == "pass"
    return {
        "id": f"{digest}-{column.index}-{row}",
        "promptIdx": column.index,
        "testIdx": row,
        "promptId": column.id,
        "prompt": {"raw": result.prompt, "label": result.wording},
        "provider": {"id": result.source, "label": result.source},
        "vars": encode(result.vars),
        "testCase": _test_case(result),
        "response": {"output": result.answer or "", "tokenUsage": _token_usage(1)},
        "success": passed,
        "score": result.score or 0.0,
        "namedScores": grading["namedScores"],
        "gradingResult": grading,
        "failureReason": _REASONS.get(result.outcome, 1),
        "latencyMs": result.latency_ms or 0,
        "cost": result.cost or 0,
        "tokenUsage": _token_usage(1),
        "metadata": encode(result.metadata),
        **({} if passed else {"error": grading["reason"]}),
    }


def _test_case(result: Result) -> dict[str, Any]:
    assertions = [_assertion(score) for score in result.scores]
    return {"description": result.description, "vars": encode(result.vars), "assert": assertions}


def _grading(result: Result) -> dict[str, Any]:
    pairs = zip(result.scores, result.verdict.parts, strict=False)
    return {
        "pass": result.outcome == "pass",
        "score": result.score or 0.0,
        "reason": _reason(result.verdict),
        "namedScores": by_metric(result),
        "tokensUsed": _token_usage(0),
        "componentResults": [_component(score, part) for score, part in pairs],
    }


def _component(score: AssertionScore, part: Verdict) -> dict[str, Any]:
    return {
        "pass": part.outcome in ("pass", "measured"),
        "score": score.score or 0.0,
        "reason": _reason(part),
        "assertion": _assertion(score),
    }


def _assertion(score: AssertionScore) -> dict[str, Any]:
    named = {"metric": score.metric} if score.metric else {}
    return {"type": score.type, "weight": score.weight, **named}


def _reason(verdict: Verdict) -> str:
    """The reason; promptfoo has no word for what is unsure or could not be judged, so it is said here."""
    plain = verdict.outcome in ("pass", "fail")
    return verdict.because if plain else f"{verdict.outcome}: {verdict.because}"


def _digest_of(run: RunFile) -> str:
    """Names the run: the same run is the same evaluation, and promptfoo does not take it in twice."""
    digest = hashlib.sha256(run.header.to_line().encode())
    with run.path.open("rb") as file:
        while block := file.read(1 << 16):
            digest.update(block)
    return digest.hexdigest()[:12]
