"""A run as one JSON object, written test by test."""

import json
from collections.abc import Iterator
from typing import Any

from sensecheck.core.serialization import encode, to_data
from sensecheck.evals.reports.summary import Mean, Summed
from sensecheck.evals.result import Result
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import Tried, tried


def json_pieces(run: RunFile) -> Iterator[str]:
    """What was run, what it came to, and every test with its repeats."""
    summed = Summed.of(run)
    head = {
        "run": to_data(run.header),
        "whole": not summed.interrupted,
        "summary": summed.whole.to_data(),
        "sources": {source: summary.to_data() for source, summary in summed.sources.items()},
    }
    yield _json(head).removesuffix("}") + ',"tests":['
    for number, one in enumerate(tried(run.results())):
        yield (",\n" if number else "\n") + _json(_test(one))
    yield "\n]}\n"


def _test(one: Tried) -> dict[str, Any]:
    first, score = one.first, Mean()
    for result in one.results:
        if result.score is not None:
            score.add(result.score)
    return {
        "test": first.test,
        "key": first.key,
        "place": first.place or None,
        "description": first.description,
        "wording": first.wording,
        "source": first.source,
        "outcome": one.outcome,
        "because": one.deciding.verdict.because,
        "score": score.value,
        "consistency": one.consistency or None,
        "passed": one.passed,
        "runs": first.runs,
        "passes": first.passes,
        "vars": encode(first.vars),
        "prompt": first.prompt,
        "metadata": encode(first.metadata),
        "repeats": [_repeat(result) for result in one.results],
    }


def _repeat(result: Result) -> dict[str, Any]:
    return {
        "repeat": result.repeat,
        "outcome": result.outcome,
        "score": result.score,
        "answer": result.answer,
        "latency_ms": result.latency_ms,
        "cost": result.cost,
        "scores": encode(result.scores),
        "verdict": result.verdict.to_data(),
    }


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
