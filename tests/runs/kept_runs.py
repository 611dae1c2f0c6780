"""Runs made by hand: a few results in a file, as a run leaves them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sensecheck.core.cutoff import at_least
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.jsonl import RunFile, RunHeader, result_line
from sensecheck.runs.result import AssertionScore, Result

HOSTILE = (
    "=cmd|' /C calc'!A0 </system-out>]]><script>alert(1)</script> **a** | b\n@all \x00\x1b[31m \ud800 \ufffe"
)


def result(test: int = 1, outcome: Outcome = "pass", score: float | None = None, **more: Any) -> Result:
    """One result; its verdict has a part that passes and one that has the outcome."""
    worth = {"pass": 1.0, "fail": 0.5}.get(outcome) if score is None else score
    because = more.pop("because", f"it is a {outcome}")
    answer = more.pop("answer", f"The answer {test}.")
    evidence = Evidence("nearest", Span.of("answer", str(answer)), None, 0.8)
    near = Verdict("near", "pass", "it is near", Reading(0.8, "it is near", (evidence,)), at_least(0.7))
    parts = (near, Verdict("says", outcome, because))
    reading = None if worth is None else Reading(worth, f"the score is {worth}")
    given: dict[str, Any] = {
        "test": test,
        "key": f"key{test}",
        "description": f"test {test}",
        "vars": {"user": f"Question {test}?"},
        "prompt": f"Question {test}?",
        "wording": "plain",
        "source": "model",
        "answer": answer,
        "scores": (
            AssertionScore("similar", 0.8, metric="near"),
            AssertionScore("contains", _whole(outcome), 2.0),
        ),
        "latency_ms": 12.5,
    }
    return Result(**{**given, **more}, verdict=Verdict("test", outcome, because, reading, parts=parts))


def no_answer(test: int = 1, **more: Any) -> Result:
    """A result for which the source gave no answer."""
    gone = Verdict("test", "error", "the source did not answer: 503")
    return Result(
        test, f"key{test}", f"test {test}", {}, "", "plain", more.pop("source", "model"), gone, (), **more
    )


def kept(path: Path, results: Iterable[Result], *, cells: int | None = None, **header: Any) -> RunFile:
    """A run with these results, in a file."""
    held = tuple(results)
    named: Mapping[str, Any] = {
        "battery": "bot.battery.yaml",
        "digest": "d1",
        "sensecheck": "0.1.0",
        "encoder": "minilm",
        "sources": tuple(dict.fromkeys(one.source for one in held)),
        "wordings": tuple(dict.fromkeys(one.wording for one in held)),
        "tests": len({one.test for one in held}),
        "cells": len(held) if cells is None else cells,
    }
    written = RunHeader(**{**named, **header}).to_line() + "".join(map(result_line, held))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(written, encoding="utf-8", newline="\n")
    return RunFile.open(path)


def _whole(outcome: Outcome) -> float | None:
    return {"pass": 1.0, "fail": 0.0}.get(outcome)
