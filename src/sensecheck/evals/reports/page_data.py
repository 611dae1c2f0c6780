"""What the page of a run holds: an index of all tests, and behind it the details, a test at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.evals.reports.page_verdict import (
    Numbered,
    Shown,
    is_turned,
    line_data,
    plain_reason,
    score_data,
)
from sensecheck.evals.reports.summary import OUTCOMES
from sensecheck.evals.result import Result
from sensecheck.evals.run_file import RunHeader
from sensecheck.evals.tally import Tally, Tried
from sensecheck.evals.titles import title
from sensecheck.text.escaping import cut

REASON = 240
"""As much of a reason as a list has room for; the details hold the whole of it."""
_OPPOSITE: Mapping[Outcome, Outcome] = {"pass": "fail", "fail": "pass"}
_COLUMNS = (
    "test",
    "title",
    "source",
    "wording",
    "outcome",
    "score",
    "consistency",
    "reason",
    "assertions",
    "readings",
)


@dataclass(slots=True)
class PageData:
    """Gathers the index while the tests go by; of their details it keeps nothing."""

    header: RunHeader
    results: int = 0
    tally: Tally = field(default_factory=Tally)
    sources: Numbered[str] = field(default_factory=Numbered)
    wordings: Numbered[str] = field(default_factory=Numbered)
    encoders: Numbered[str] = field(default_factory=Numbered)
    lines: Numbered[Cutoff] = field(default_factory=Numbered)
    assertions: Numbered[tuple[str, str]] = field(default_factory=Numbered)
    """Their type in the battery, and their metric."""
    measures: Numbered[str] = field(default_factory=Numbered)
    """What was read, under the name of the assertion that asked for it."""
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _COLUMNS})

    def add(self, one: Tried) -> dict[str, Any]:
        """Put a test into the index; what is shown of it when it is opened."""
        self.tally.add(one)
        self.results += len(one.results)
        for name, item in self._row(one).items():
            self.columns[name].append(item)
        first = one.first
        return {
            "key": first.key,
            "place": first.place,
            "metadata": dict(first.metadata),
            "passes": first.passes,
            "runs": [self._run(result) for result in one.results],
        }

    def index(self) -> dict[str, Any]:
        """The index, once all tests have gone by."""
        header = self.header
        return {
            "battery": header.battery,
            "description": header.description,
            "digest": header.digest,
            "version": header.sensecheck,
            "encoder": header.encoder,
            "encoders": list(self.encoders.held),
            "chosen": dict(header.chosen),
            "tests": header.tests,
            "cells": header.cells,
            "results": self.results,
            "outcomes": {name: self.tally.outcomes[name] for name in OUTCOMES},
            "inconsistent": self.tally.inconsistent,
            "passRate": self.tally.pass_rate,
            "sources": list(self.sources.held),
            "wordings": list(self.wordings.held),
            "lines": [line_data(cutoff) for cutoff in self.lines.held],
            "assertions": [{"type": kind, "metric": metric} for kind, metric in self.assertions.held],
            "measures": list(self.measures.held),
            "rows": self.columns,
        }

    def _row(self, one: Tried) -> dict[str, Any]:
        first, deciding = one.first, one.deciding
        return {
            "test": first.test,
            "title": title(first),
            "source": self.sources.number(first.source),
            "wording": self.wordings.number(first.wording),
            "outcome": one.outcome,
            "score": deciding.score,
            "consistency": one.consistency,
            "reason": cut(plain_reason(deciding.verdict), REASON),
            "assertions": [item for result in one.results for item in self._assertions(result)],
            "readings": [item for result in one.results for item in self._readings(result)],
        }

    def _assertions(self, result: Result) -> Iterator[tuple[int, str, float | None]]:
        """Each assertion, its outcome and what it was worth."""
        for score, part in zip(result.scores, _judged(result), strict=True):
            yield self.assertions.number((score.type, score.metric)), part.outcome, score.score

    def _readings(self, result: Result) -> Iterator[tuple[int, float, str, int]]:
        """Each number that was held against a line, its outcome and the line."""
        for score, part in zip(result.scores, _judged(result), strict=True):
            for name, verdict, outcome in _measured(part, score.type):
                if verdict.reading is not None and verdict.cutoff is not None:
                    line = self.lines.number(verdict.cutoff)
                    yield self.measures.number(name), verdict.reading.value, outcome, line

    def _run(self, result: Result) -> dict[str, Any]:
        self._note_encoders(result.verdict)
        expected = result.vars.get("expected")
        shown = Shown.of(result.answer, expected if isinstance(expected, str) else "", self.lines)
        return {
            "outcome": result.outcome,
            "score": result.score,
            "latency": result.latency_ms,
            "cost": result.cost,
            "scores": [score_data(score) for score in result.scores],
            "verdict": shown.verdict(result.verdict, result.scores),
        }

    def _note_encoders(self, verdict: Verdict) -> None:
        for name in (verdict.fingerprint or "").split("+"):
            if name:
                self.encoders.number(name)


def texts_of(one: Tried) -> dict[str, Any]:
    """What was asked and answered: what a test is searched by, besides its row in the index."""
    first = one.first
    return {
        "description": first.description,
        "prompt": first.prompt,
        "vars": dict(first.vars),
        "answers": [result.answer for result in one.results],
    }


def _judged(result: Result) -> tuple[Verdict, ...]:
    """The verdicts on the assertions; there are none when there was no answer."""
    if not result.scores:
        return ()
    if len(result.scores) != len(result.verdict.parts):
        raise SpecError(
            f"the result of test {result.test} has {len(result.scores)} scores "
            f"for {len(result.verdict.parts)} verdicts; wanted one each"
        )
    return result.verdict.parts


def _measured(verdict: Verdict, name: str) -> Iterator[tuple[str, Verdict, Outcome]]:
    """The first readings on the way down, with what was made of them; what lies below only explains them."""
    if verdict.reading is not None:
        yield name, verdict, verdict.outcome
        return
    turned = is_turned(verdict)
    for part in verdict.parts:
        for below, read, outcome in _measured(part, f"{name} › {part.check}"):
            yield below, read, _OPPOSITE.get(outcome, outcome) if turned else outcome
