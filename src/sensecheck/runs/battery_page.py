"""The page of a battery run: one file, which wants a browser and fetches nothing.

An index of all tests is read at once; behind it lie the texts and the details, in packs that are opened when
somebody looks at a test of theirs.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.unicode import Offsets
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.io.atomic import whole_file
from sensecheck.io.pages import blob, built_page, json_bytes
from sensecheck.runs.jsonl import RunFile, RunHeader
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.runs.tally import OUTCOMES, Tally, TestOutcome, outcomes_by_test, title
from sensecheck.text.escaping import cut

T = TypeVar("T", bound=Hashable)
REASON = 240
"""As much of a reason as fits into a list; the details hold the whole of it."""
_ROW_COLUMNS = (
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
_OPPOSITE: Mapping[Outcome, Outcome] = {"pass": "fail", "fail": "pass"}
_WANTED = ("expected", "wanted")
"""What checks call the text that the answer is compared with."""
_MOST_TESTS, _MOST_BYTES = 100, 2_000_000
"""A pack of details is opened as a whole, so it is closed when it holds so much."""


def write_html(run: RunFile, path: Path) -> None:
    """Write the page; its file is there in whole or not at all, and the same for the same run."""
    before, after = built_page("sensecheck.runs", "report_page.html")
    with whole_file(path) as file:
        file.write(before)
        for element in _elements(run):
            file.write(element)
        file.write(after)


@dataclass(frozen=True, slots=True)
class Counted:
    """A text whose places are counted as a browser counts them."""

    text: str
    places: Offsets

    @classmethod
    def of(cls, text: str) -> "Counted":
        """Counts the text once; any number of places can then be given."""
        return cls(text, Offsets.of(text, "utf16"))

    def place(self, span: Span) -> list[int] | None:
        """Where the span stands; None when it is one of another text."""
        if span.end > len(self.text) or self.text[span.start : span.end] != span.text:
            return None
        return list(self.places.encoded([(span.start, span.end)])[0])


@dataclass(slots=True)
class ValueIndex(Generic[T]):
    """Values that are written once, and named by their number after that."""

    numbers: dict[T, int] = field(default_factory=dict)

    def number(self, value: T) -> int:
        """The number of a value, in the order of first sight."""
        return self.numbers.setdefault(value, len(self.numbers))


@dataclass(frozen=True, slots=True)
class Shown:
    """What the verdicts on one answer are shown with: the texts they are about, and the run's thresholds."""

    answer: Counted
    wanted: Counted
    """What the assertion at hand compares the answer with."""
    lines: ValueIndex[Cutoff]

    @classmethod
    def of(cls, answer: str | None, expected: str, lines: ValueIndex[Cutoff]) -> "Shown":
        """An assertion that says nothing else compares the answer with the test's expected one."""
        return cls(Counted.of(answer or ""), Counted.of(expected), lines)

    def verdict(self, verdict: Verdict, scores: Sequence[AssertionScore] = ()) -> dict[str, Any]:
        """A verdict and all below it; the scores are those of its parts, if these are assertions."""
        reading, cutoff = verdict.reading, verdict.cutoff
        return _without_nothing(
            check=verdict.check,
            outcome=verdict.outcome,
            because=verdict.because,
            value=None if reading is None else reading.value,
            read=reading.because if reading is not None and reading.because != verdict.because else None,
            unread=None if reading is None else reading.unread_chars or None,
            cutoff=None if cutoff is None else self.lines.number(cutoff),
            evidence=None if reading is None else [self._evidence(item) for item in reading.evidence] or None,
            turned=True if is_turned(verdict) else None,
            parts=self._parts(verdict, scores) or None,
        )

    def _parts(self, verdict: Verdict, scores: Sequence[AssertionScore]) -> list[dict[str, Any]]:
        if not scores:
            return [self.verdict(part) for part in verdict.parts]
        each = zip(verdict.parts, scores, strict=True)
        return [self._against(score.wanted).verdict(part, score.within) for part, score in each]

    def _against(self, text: str) -> "Shown":
        return replace(self, wanted=Counted.of(text)) if text else self

    def _evidence(self, item: Evidence) -> dict[str, Any]:
        span = item.answer
        at = None if span is None or span.where != "answer" else self.answer.place(span)
        return _without_nothing(
            kind=item.kind,
            at=at,
            said=None if span is None or at is not None else span.text,
            source=None if item.source is None else self._source(item.source),
            closeness=item.closeness,
            note=item.note or None,
        )

    def _source(self, span: Span) -> dict[str, Any]:
        at = self.wanted.place(span) if span.where in _WANTED else None
        return _without_nothing(where=span.where, text=span.text, at=at)


@dataclass(slots=True)
class BatteryPageData:
    """Gathers the index while the tests are read; of their details it keeps nothing."""

    header: RunHeader
    results: int = 0
    tally: Tally = field(default_factory=Tally)
    sources: ValueIndex[str] = field(default_factory=ValueIndex)
    wordings: ValueIndex[str] = field(default_factory=ValueIndex)
    encoders: ValueIndex[str] = field(default_factory=ValueIndex)
    lines: ValueIndex[Cutoff] = field(default_factory=ValueIndex)
    assertions: ValueIndex[tuple[str, str]] = field(default_factory=ValueIndex)
    """Their type in the battery, and their metric."""
    measures: ValueIndex[str] = field(default_factory=ValueIndex)
    """What was read, under the name of the assertion that asked for it."""
    columns: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in _ROW_COLUMNS})

    def add(self, one: TestOutcome) -> dict[str, Any]:
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
        """The index, once all tests have been read."""
        header = self.header
        return {
            "battery": header.battery,
            "description": header.description,
            "digest": header.digest,
            "version": header.sensecheck,
            "encoder": header.encoder,
            "encoders": list(self.encoders.numbers),
            "chosen": dict(header.chosen),
            "tests": header.tests,
            "cells": header.cells,
            "results": self.results,
            "outcomes": {name: self.tally.outcomes[name] for name in OUTCOMES},
            "inconsistent": self.tally.inconsistent,
            "passRate": self.tally.pass_rate,
            "sources": list(self.sources.numbers),
            "wordings": list(self.wordings.numbers),
            "lines": [line_data(cutoff) for cutoff in self.lines.numbers],
            "assertions": [{"type": kind, "metric": metric} for kind, metric in self.assertions.numbers],
            "measures": list(self.measures.numbers),
            "rows": self.columns,
        }

    def _row(self, test: TestOutcome) -> dict[str, Any]:
        first, deciding = test.first, test.deciding
        return {
            "test": first.test,
            "title": title(first),
            "source": self.sources.number(first.source),
            "wording": self.wordings.number(first.wording),
            "outcome": test.outcome,
            "score": deciding.score,
            "consistency": test.consistency,
            "reason": cut(plain_reason(deciding.verdict), REASON),
            "assertions": [item for result in test.results for item in self._assertions(result)],
            "readings": [item for result in test.results for item in self._readings(result)],
        }

    def _assertions(self, result: Result) -> Iterator[tuple[int, str, float | None]]:
        """Each assertion, its outcome and what it was worth."""
        for score, part in zip(result.scores, _assertion_verdicts(result), strict=True):
            yield self.assertions.number((score.type, score.metric)), part.outcome, score.score

    def _readings(self, result: Result) -> Iterator[tuple[int, float, str, int]]:
        """Each number that was compared with a threshold, its outcome and the threshold."""
        for score, part in zip(result.scores, _assertion_verdicts(result), strict=True):
            for name, verdict, outcome in _first_readings(part, score.type):
                if verdict.reading is not None and verdict.cutoff is not None:
                    cutoff_number = self.lines.number(verdict.cutoff)
                    yield self.measures.number(name), verdict.reading.value, outcome, cutoff_number

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


def texts_of(one: TestOutcome) -> dict[str, Any]:
    """What was asked and answered: what a test is searched by, besides its row in the index."""
    first = one.first
    return {
        "description": first.description,
        "prompt": first.prompt,
        "vars": dict(first.vars),
        "answers": [result.answer for result in one.results],
    }


def is_turned(verdict: Verdict) -> bool:
    """Whether a verdict is the opposite of its only part: what speaks for the part speaks against it."""
    if len(verdict.parts) != 1:
        return False
    (part,) = verdict.parts
    opposite = {verdict.outcome, part.outcome} == {"pass", "fail"}
    return opposite and verdict.because == f"{part.check}: {part.because}"


def score_data(score: AssertionScore) -> dict[str, Any]:
    """What an assertion was worth, and, of a set of them, each of its own."""
    return _without_nothing(
        type=score.type,
        weight=score.weight,
        metric=score.metric,
        wanted=score.wanted or None,
        within=[score_data(one) for one in score.within] or None,
    ) | {"score": score.score}


def plain_reason(verdict: Verdict) -> str:
    """The reason without the names of the checks that it came through, for where there is little space."""
    reason = verdict.because
    for part in verdict.parts:
        reason = reason.replace(f"{part.check}: {part.because}", plain_reason(part), 1)
    return reason


def line_data(cutoff: Cutoff) -> Mapping[str, Any]:
    """A threshold with all that is known of it; its own words need no second wording in the page."""
    certificate = cutoff.certificate
    return _without_nothing(
        line=cutoff.value,
        good=cutoff.good,
        doubt=None if cutoff.doubt is None else list(cutoff.doubt),
        words=cutoff.describe(),
        calibrated=cutoff.calibrated,
        promise=_promise(certificate),
    )


def _promise(certificate: Certificate | None) -> str | None:
    """What is promised and for which verdicts; None for a threshold that stands in another check."""
    if certificate is None or not certificate.kept_by or not certificate.promise:
        return None
    return f"for the verdicts of `{certificate.kept_by}`: {certificate.promise}"


def _without_nothing(**entries: Any) -> dict[str, Any]:
    return {key: item for key, item in entries.items() if item is not None}


def _assertion_verdicts(result: Result) -> tuple[Verdict, ...]:
    """The verdicts on the assertions; there are none when there was no answer."""
    if not result.scores:
        return ()
    if len(result.scores) != len(result.verdict.parts):
        raise SpecError(
            f"the result of test {result.test} has {len(result.scores)} scores "
            f"for {len(result.verdict.parts)} verdicts; wanted one each"
        )
    return result.verdict.parts


def _first_readings(verdict: Verdict, name: str) -> Iterator[tuple[str, Verdict, Outcome]]:
    """The first readings on the way down, with their outcomes; those below only explain them."""
    if verdict.reading is not None:
        yield name, verdict, verdict.outcome
        return
    turned = is_turned(verdict)
    for part in verdict.parts:
        for below, read, outcome in _first_readings(part, f"{name} › {part.check}"):
            yield below, read, _OPPOSITE.get(outcome, outcome) if turned else outcome


def _elements(run: RunFile) -> Iterator[str]:
    """The details first, pack by pack, so that no more than one is in memory; the index last."""
    page = BatteryPageData(run.header)
    sizes = []
    for texts, details in _packs(run, page):
        sizes.append(len(texts))
        yield blob("texts", _json_list(texts))
        yield blob("details", _json_list(details))
    yield blob("index", json_bytes(page.index() | {"packs": sizes}))


def _packs(run: RunFile, page: BatteryPageData) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Some tests, one after the other: their texts, which are searched, and all their details."""
    texts: list[bytes] = []
    details: list[bytes] = []
    for test in outcomes_by_test(run.results()):
        texts.append(json_bytes(texts_of(test)))
        details.append(json_bytes(page.add(test)))
        if len(texts) >= _MOST_TESTS or sum(map(len, (*texts, *details))) >= _MOST_BYTES:
            yield texts, details
            texts, details = [], []
    if texts:
        yield texts, details


def _json_list(items: list[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
