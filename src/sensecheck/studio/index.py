"""The index of a run: its rows as columns, so that filters, counts and charts read no text.

A test of a suite in one prompt from one source is a row, and so is a question of an evaluation. The index is
built in one pass, stored, and never changed; texts to search are stored beside it.
"""

import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Reading
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.record import AnsweredItem, Numbers
from sensecheck.runs.result import AssertionScore, Result
from sensecheck.runs.tally import OUTCOMES, TestOutcome, by_metric, title
from sensecheck.text.escaping import cut

FORMAT = 2
"""Changes with what an index holds; an index of another format is built again."""
MAX_TITLE_CHARS = 160
MAX_SEARCHED_CHARS = 2_000
"""Of each text of a row, so much is searched."""
_SUITE_COLUMNS = ("score", "latency_ms", "cost")
_OUTCOME_CODES = {outcome: code for code, outcome in enumerate(OUTCOMES)}
Codes = npt.NDArray[np.int32]


class MetricName(NamedTuple):
    """A column of numbers: a metric, by the encoder that it was read with, if any."""

    name: str
    encoder: str = ""
    fingerprint: str = ""


class SliceColumn(NamedTuple):
    """What kind each row is of: the values, and for each row which of them it has; -1 for none."""

    values: list[str]
    codes: Codes


@dataclass(frozen=True, slots=True)
class RunIndex:
    """The rows of a run, by their positions."""

    ids: list[str]
    """What a row is known by from run to run."""
    titles: list[str]
    outcomes: npt.NDArray[np.uint8]
    """Places in `OUTCOMES`."""
    metrics: tuple[MetricName, ...]
    values: Numbers
    """A column a metric; NaN where there is no number."""
    slices: dict[str, SliceColumn]
    labels: dict[str, Numbers]
    """What people said, by the name of the label; NaN where no one did."""
    offsets: npt.NDArray[np.int64]
    """Of a suite, where the results of a row begin in its file."""
    tests: Codes
    """Of a suite, the number of the test; otherwise the position."""

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have which outcome."""
        return outcome_counts(self.outcomes)

    def to_bytes(self) -> bytes:
        """As it is stored."""
        head = {
            "format": FORMAT,
            "ids": self.ids,
            "titles": self.titles,
            "metrics": self.metrics,
            "slices": {key: column.values for key, column in self.slices.items()},
            "labels": list(self.labels),
        }
        arrays: dict[str, Any] = {
            "outcomes": self.outcomes,
            "values": self.values,
            "offsets": self.offsets,
            "tests": self.tests,
            **{f"slice{at}": column.codes for at, column in enumerate(self.slices.values())},
            **{f"label{at}": column for at, column in enumerate(self.labels.values())},
        }
        packed = zlib.compress(json.dumps(head).encode(), 1)
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, head=np.frombuffer(packed, np.uint8), **arrays)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> "RunIndex | None":
        """The index that `to_bytes` wrote; None for one of another format."""
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            head = json.loads(zlib.decompress(arrays["head"].tobytes()))
            if head["format"] != FORMAT:
                return None
            slices = {
                key: SliceColumn(values, arrays[f"slice{at}"])
                for at, (key, values) in enumerate(head["slices"].items())
            }
            labels = {name: arrays[f"label{at}"] for at, name in enumerate(head["labels"])}
            return cls(
                head["ids"],
                head["titles"],
                arrays["outcomes"],
                tuple(MetricName(*metric) for metric in head["metrics"]),
                arrays["values"],
                slices,
                labels,
                arrays["offsets"],
                arrays["tests"],
            )


def outcome_counts(outcomes: npt.NDArray[np.uint8]) -> dict[str, int]:
    """How many of these are of which outcome."""
    counts = np.bincount(outcomes, minlength=len(OUTCOMES))
    return {outcome: int(counts[code]) for outcome, code in _OUTCOME_CODES.items()}


@dataclass(slots=True)
class IndexRow:
    """One row, before it stands in columns."""

    id: str
    title: str
    text: str
    """What is searched."""
    outcome: Outcome
    values: Mapping[MetricName, float | None]
    slices: Mapping[str, str]
    labels: Mapping[str, float] = field(default_factory=dict)
    offset: int = 0
    test: int = 0


def build_index(rows: Iterable[IndexRow]) -> tuple[RunIndex, list[str]]:
    """The index of these rows, and the texts that are searched, row by row."""
    ids: list[str] = []
    titles: list[str] = []
    texts: list[str] = []
    outcomes = bytearray()
    offsets: list[int] = []
    tests: list[int] = []
    values: dict[MetricName, _Sparse] = {}
    labels: dict[str, _Sparse] = {}
    slices: dict[str, _SliceBuilder] = {}
    for at, row in enumerate(rows):
        ids.append(row.id)
        titles.append(row.title)
        texts.append(row.text)
        outcomes.append(_OUTCOME_CODES[row.outcome])
        offsets.append(row.offset)
        tests.append(row.test)
        for name, value in row.values.items():
            values.setdefault(name, _Sparse()).add(at, value)
        for label, label_value in row.labels.items():
            labels.setdefault(label, _Sparse()).add(at, label_value)
        for key, kind in row.slices.items():
            slices.setdefault(key, _SliceBuilder()).add(at, kind)
    size = len(ids)
    columns = [column.numbers(size) for column in values.values()]
    index = RunIndex(
        ids,
        titles,
        np.frombuffer(bytes(outcomes), np.uint8),
        tuple(values),
        np.stack(columns, axis=1) if columns else np.empty((size, 0)),
        {key: column.column(size) for key, column in sorted(slices.items())},
        {name: column.numbers(size) for name, column in sorted(labels.items())},
        np.array(offsets, np.int64),
        np.array(tests, np.int32),
    )
    return index, texts


def suite_rows(run: RunFile, *, first: int | None = None) -> Iterator[IndexRow]:
    """The rows of a suite, or the first of them; of each result only what the index needs is read."""
    lines = _lines_of(run) if first is None else islice(_lines_of(run), first)
    for _, group in groupby(lines, key=lambda placed: _cell(placed[1])):
        results = list(group)
        outcome = TestOutcome(tuple(_light_result(data) for _, data in results))
        yield _suite_row(outcome, results[0][0])


def results_at(run: RunFile, offset: int) -> TestOutcome:
    """The results of the row that begins at this place of the file, in full."""
    results: list[Result] = []
    with run.path.open("rb") as file:
        file.seek(offset)
        for line in file:
            if not line.endswith(b"\n"):
                break
            result = Result.from_data(json.loads(line))
            if results and result.cell != results[0].cell:
                break
            results.append(result)
    if not results:
        raise SpecError(f"the run `{run.path}` has changed since it was read; load the page again")
    return TestOutcome(tuple(results))


def answer_rows(answers: Iterable[AnsweredItem]) -> Iterator[IndexRow]:
    """The rows of an evaluation, wherever it is stored."""
    for answered in answers:
        item, scored = answered.item, answered.scored
        headline = item.question or item.expected or scored.answer or ""
        texts = (item.id, item.question, item.expected, scored.answer, scored.error, *item.passages)
        values = {
            MetricName(score.metric, score.encoder, score.fingerprint): score.value
            for score in scored.readings
        }
        yield IndexRow(
            item.name,
            _one_line(headline),
            _searched(texts),
            _outcome_of(answered),
            values,
            item.slices,
            scored.labels,
            test=answered.position,
        )


def _outcome_of(answered: AnsweredItem) -> Outcome:
    """What the checks of an answer say; without any, it is measured, or an error where nothing was read."""
    scored = answered.scored
    if scored.answer is None or (scored.readings and all(reading.error for reading in scored.readings)):
        return "error"
    checks = [reading for reading in scored.readings if reading.metric not in KNOWN]
    verdicts = [reading for reading in checks if reading.value in (None, 0.0, 1.0)]
    if not checks or len(verdicts) < len(checks):
        return "measured"
    if any(reading.error for reading in verdicts):
        return "error"
    if any(reading.value == 0 for reading in verdicts):
        return "fail"
    return "unsure" if any(reading.value is None for reading in verdicts) else "pass"


def _lines_of(run: RunFile) -> Iterator[tuple[int, dict[str, Any]]]:
    """The place of each result in the file, and its data; half a line at the end is none."""
    with run.path.open("rb") as file:
        offset = len(file.readline())
        for number, line in enumerate(file, 2):
            if not line.endswith(b"\n"):
                return
            try:
                data = json.loads(line)
                _cell(data)
            except (ValueError, KeyError, TypeError) as error:
                raise SpecError(f"`{run.path}`, line {number}, is no result of a run: {error}") from error
            yield offset, data
            offset += len(line)


def _cell(data: Mapping[str, Any]) -> tuple[Any, Any, Any]:
    return data["test"], data["wording"], data["source"]


def _light_result(data: Mapping[str, Any]) -> Result:
    """A result without the parts of its verdict."""
    verdict_data = data["verdict"]
    value = (verdict_data.get("reading") or {}).get("value")
    verdict = Verdict(
        verdict_data["check"],
        verdict_data["outcome"],
        verdict_data["because"],
        None if value is None else Reading(value, ""),
    )
    return Result(
        data["test"],
        data["key"],
        data.get("description", ""),
        data.get("vars", {}),
        data.get("prompt", ""),
        data["wording"],
        data["source"],
        verdict,
        tuple(_light_score(score) for score in data.get("scores", ())),
        data.get("answer"),
        data.get("repeat", 1),
        data.get("runs", 1),
        data.get("passes", 1),
        data.get("latency_ms"),
        data.get("cost"),
        metadata=data.get("metadata", {}),
    )


def _light_score(data: Mapping[str, Any]) -> AssertionScore:
    within = tuple(_light_score(part) for part in data.get("within", ()))
    return AssertionScore(
        data["type"], data.get("score"), data.get("weight", 1.0), data.get("metric", ""), within=within
    )


def _suite_row(outcome: TestOutcome, offset: int) -> IndexRow:
    first, deciding = outcome.first, outcome.deciding
    values: dict[MetricName, float | None] = {
        MetricName(name): getattr(deciding, name)
        for name in _SUITE_COLUMNS
        if getattr(deciding, name) is not None
    }
    values |= {MetricName(name): value for name, value in by_metric(deciding).items()}
    kinds = {key: str(value) for key, value in first.metadata.items() if isinstance(value, str | int | float)}
    answers = (result.answer for result in outcome.results)
    texts = (first.key, first.description, first.prompt, deciding.verdict.because, *answers)
    return IndexRow(
        " / ".join((first.key, first.wording, first.source)),
        title(first),
        _searched(texts),
        outcome.outcome,
        values,
        {**kinds, "source": first.source, "prompt": first.wording},
        offset=offset,
        test=first.test,
    )


def _searched(texts: Iterable[str | None]) -> str:
    return "\n".join(text[:MAX_SEARCHED_CHARS] for text in texts if text)


def _one_line(text: str) -> str:
    return cut(" ".join(text[: 4 * MAX_TITLE_CHARS].split()), MAX_TITLE_CHARS)


@dataclass(slots=True)
class _Sparse:
    """Numbers by position, some of which are missing."""

    at: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def add(self, position: int, value: float | None) -> None:
        if value is not None:
            self.at.append(position)
            self.values.append(value)

    def numbers(self, size: int) -> Numbers:
        numbers = np.full(size, np.nan)
        numbers[self.at] = self.values
        return numbers


@dataclass(slots=True)
class _SliceBuilder:
    """The values of one slice, by position."""

    values: dict[str, int] = field(default_factory=dict)
    at: list[int] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def add(self, position: int, value: str) -> None:
        self.at.append(position)
        self.codes.append(self.values.setdefault(value, len(self.values)))

    def column(self, size: int) -> SliceColumn:
        codes = np.full(size, -1, np.int32)
        codes[self.at] = self.codes
        return SliceColumn(list(self.values), codes)
