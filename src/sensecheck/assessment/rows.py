"""Rows of answers with what was found of each, as they are judged, and their counts."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, Protocol, TypeVar

from sensecheck.checks.second_opinion import Opinions
from sensecheck.config import Settings
from sensecheck.core.errors import SampleError
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome
from sensecheck.datasets.streams import samples_from

BATCH_SIZE = 64
"""Few enough for progress to be seen; larger batches are hardly faster."""


class JudgedAnswer(Protocol):
    """What is known of one answer that was judged."""

    @property
    def outcome(self) -> Outcome:
        """One of the five outcomes."""
        ...

    @property
    def because(self) -> str:
        """Why, in words."""
        ...


J = TypeVar("J", bound=JudgedAnswer)


class AssessedRow(NamedTuple, Generic[J]):
    """One result."""

    label: str
    """The id of the sample, or its line; empty where one answer was judged."""
    result: J


class AssessedRows(Generic[J]):
    """The results in order, once through; the counts are complete at the end."""

    def __init__(self, results: Iterable[AssessedRow[J]], name: str, opinions: Opinions) -> None:
        self._results = results
        self._name = name
        self.opinions = opinions
        """How often a judge was asked for a second opinion, and what became of it."""
        self.tally: Counter[Outcome] = Counter()

    def __iter__(self) -> Iterator[AssessedRow[J]]:
        for row in self._results:
            self.tally[row.result.outcome] += 1
            yield row
        if not self.tally:
            raise SampleError(f"`{self._name}` holds no sample; nothing was judged")


@dataclass(frozen=True, kw_only=True)
class RowsRequest:
    """The rows of a request, if it has any, and who judges."""

    rows: str | Iterable[Sample] | None = None
    """Many samples: a file with one JSON object per line, `-` for standard input, or the samples."""
    encoder: str | None = None
    """Instead of the encoder of the settings."""
    second_opinion: str | None = None
    """Ask this judge about what stays unsure: `openai:URL#MODEL` or `recorded:FILE`."""
    settings: Settings = field(default_factory=Settings.from_environment)

    @property
    def chosen_settings(self) -> Settings:
        """The settings, with the encoder and the judge that are named instead."""
        encoder = self.settings.encoder if self.encoder is None else self.encoder
        judge = self.settings.judge if self.second_opinion is None else self.second_opinion
        return replace(self.settings, encoder=encoder, judge=judge)


def assess_rows(
    rows: str | Iterable[Sample], judge: Callable[[Iterator[Sample]], Iterable[J]], opinions: Opinions
) -> AssessedRows[J]:
    """Each sample with its result; samples are read as they are judged."""
    waiting: deque[str] = deque()

    def samples() -> Iterator[Sample]:
        for number, sample in samples_from(rows) if isinstance(rows, str) else enumerate(rows, 1):
            unnamed = f"line {number}" if isinstance(rows, str) else f"row {number}"
            waiting.append(unnamed if sample.id is None else sample.id)
            yield sample

    results = (AssessedRow(waiting.popleft(), result) for result in judge(samples()))
    return AssessedRows(results, rows if isinstance(rows, str) else "rows", opinions)
