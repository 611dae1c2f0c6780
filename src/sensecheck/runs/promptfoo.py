"""A run as promptfoo's results, so that its viewer opens it: `promptfoo import FILE`, `promptfoo view`.

A column of its table is a prompt and a source, with what their results sum up to.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.serialization import encode
from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import RunFile, compact_json
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.runs.tally import Mean, by_metric

VERSION = 3
WHEN = "2000-01-01T00:00:00.000Z"
"""A report has the same bytes each time it is written, so it bears no date; promptfoo wants one."""
_REASONS = {"pass": 0, "error": 2}
"""By `failureReason`, promptfoo tells what was found wanting (1) from what could not be judged."""


def promptfoo_pieces(run: RunFile) -> Iterator[str]:
    """The object that promptfoo writes; the run is gone through once before, for the columns' sums."""
    table, digest = PromptfooTable.of(run), _digest_of(run)
    head = {
        "version": VERSION,
        "timestamp": WHEN,
        "prompts": [column.to_data() for column in table.columns.values()],
    }
    yield f'{{"evalId":{compact_json(f"eval-sensecheck-{digest}")},'
    yield f'"results":{compact_json(head).removesuffix("}")},"results":['
    for number, (row, result) in enumerate(_numbered_rows(run)):
        column = table.columns[result.wording, result.source]
        yield (",\n" if number else "\n") + compact_json(_result_data(result, row, column, digest))
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
    results: Counter[str] = field(default_factory=Counter)
    """By whether they are a `pass`, an `error`, or a `fail`, which all others are."""
    parts: Counter[bool] = field(default_factory=Counter)
    """By whether they passed."""
    latency_ms: float = 0.0
    cost: float = 0.0
    named: dict[str, Mean] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Promptfoo knows a prompt by the digest of its text; a run knows its label."""
        return hashlib.sha256(self.wording.encode("utf-8", "surrogatepass")).hexdigest()

    def add(self, result: Result) -> None:
        """Count one result."""
        self.score += result.score or 0.0
        self.results[result.outcome if result.outcome in ("pass", "error") else "fail"] += 1
        self.latency_ms += result.latency_ms or 0.0
        self.cost += result.cost or 0.0
        self.parts.update(part.outcome == "pass" for part in result.verdict.parts)
        for score in result.each_score():
            if score.metric and score.score is not None:
                self.named.setdefault(score.metric, Mean()).add(score.score)

    def to_data(self) -> dict[str, Any]:
        """The column as promptfoo has it."""
        counts = {name: mean.n for name, mean in self.named.items()}
        metrics = {
            "score": self.score,
            "testPassCount": self.results["pass"],
            "testFailCount": self.results["fail"],
            "testErrorCount": self.results["error"],
            "assertPassCount": self.parts[True],
            "assertFailCount": self.parts[False],
            "totalLatencyMs": self.latency_ms,
            "tokenUsage": _token_usage(self.results.total()),
            "namedScores": {name: mean.total for name, mean in self.named.items()},
            "namedScoresCount": counts,
            "namedScoreWeights": counts,
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

    def stats(self) -> dict[str, Any]:
        """The sums of the whole run as promptfoo has them; how long it took, a report does not know."""
        results: Counter[str] = Counter()
        for column in self.columns.values():
            results.update(column.results)
        return {
            "successes": results["pass"],
            "failures": results["fail"],
            "errors": results["error"],
            "tokenUsage": _token_usage(results.total()),
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
        "testCase": {
            "description": result.description,
            "vars": encode(result.vars),
            "assert": [_assertion(score) for score in result.scores],
        },
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


def _grading(result: Result) -> dict[str, Any]:
    pairs = zip(result.scores, result.verdict.parts, strict=False)
    return {
        "pass": result.outcome == "pass",
        "score": result.score or 0.0,
        "reason": _reason(result.verdict),
        "namedScores": by_metric(result),
        "tokensUsed": _token_usage(0),
        "componentResults": [
            {
                "pass": part.outcome in ("pass", "measured"),
                "score": score.score or 0.0,
                "reason": _reason(part),
                "assertion": _assertion(score),
            }
            for score, part in pairs
        ],
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
