"""A run read back, wherever it is stored: its numbers, its answers, its labels, and what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from sensecheck.core.run import Item, Run, ScoredAnswer

Numbers = npt.NDArray[np.float64]
NO_REASON = "no reason was stored"


@dataclass(frozen=True, slots=True)
class RunMetric:
    """A metric of a run, by the encoder that it was read with, if any."""

    key: int
    name: str
    encoder: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class RunTable:
    """All numbers of a run: a row a question, by its position; what could not be read is NaN."""

    run: Run
    names: tuple[str, ...]
    """The id of the question at each position."""
    slices: tuple[dict[str, str], ...]
    metrics: tuple[RunMetric, ...]
    values: Numbers
    """A column a metric."""
    unread: tuple[int, ...]
    """How many readings of each metric are errors."""
    labels: dict[str, Numbers]
    """What people said, by the name of the label; the mean where several did."""
    unanswered: int
    """How many questions nobody answered."""
    nothing: tuple[int, ...] = ()
    """How many readings of each metric have neither a number nor an error: there was nothing to read."""
    first: int = 0
    """The position of the first row, where these are some rows of a run."""

    def column(self, metric: str, fingerprint: str | None = None) -> Numbers | None:
        """The numbers of one metric, by the run's own encoder unless another is named; None without it."""
        fingerprints = (self.run.encoder, "") if fingerprint is None else (fingerprint,)
        for index, candidate in enumerate(self.metrics):
            if candidate.name == metric and candidate.fingerprint in fingerprints:
                column: Numbers = self.values[:, index]
                return column
        return None


@dataclass(frozen=True, slots=True)
class AnsweredItem:
    """A question of a run, with its answer and all that was read off it."""

    position: int
    item: Item
    scored: ScoredAnswer


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says of the answer to one question of a run."""

    question: str
    """The question's id."""
    name: str
    """What is said of it, as `correct`."""
    value: float
    rater: str = ""
    """Who says so; several may speak of one answer, each with one opinion at a time."""


@dataclass(frozen=True, slots=True)
class MetricGaps:
    """What was found where a metric has no number, or one that says little."""

    failed: int = 0
    nothing: int = 0
    """Readings without a number that are no failures: there was nothing to read."""
    beside: int = 0
    """Readings of questions that have no answer, as another database may have stored them."""
    wordless: int = 0
    """Numbers that are 0 since there were no words to compare, though the answer is not empty."""
    error: str | None = None
    """The most frequent reason of failures; None where none failed."""
    because: str | None = None
    """The most frequent reason why there was nothing to read; None where there always was something."""


@dataclass(frozen=True, slots=True)
class RunReasons:
    """How far a run has come, and why numbers and answers are missing."""

    questions: int
    """Positions up to the last one that was reached."""
    answered: int
    unanswered_because: str | None
    """The most frequent reason."""
    gaps: Mapping[RunMetric, MetricGaps]
    """Of every metric that has readings, by its key."""
    notes: tuple[str, ...] = ()
    """What else is missing, in words: parts of the inputs that could not be read."""

    @property
    def unanswered(self) -> int:
        """Questions without an answer; those that were passed over are not answered yet."""
        return self.questions - self.answered


@dataclass(frozen=True, slots=True)
class RunOutline:
    """Which columns a run has; its numbers need not be read for that."""

    metrics: tuple[RunMetric, ...]
    labels: tuple[str, ...]
    slices: tuple[str, ...]


def means_of(run: Run, columns: Iterable[tuple[RunMetric, Numbers]]) -> dict[str, float]:
    """The mean of each metric that was read by the run's own encoder, or by none."""
    own_columns = (
        (metric, numbers) for metric, numbers in columns if metric.fingerprint in ("", run.encoder)
    )
    return {metric.name: float(numbers.mean()) for metric, numbers in own_columns if len(numbers)}


def joined(parts: Sequence[RunTable]) -> RunTable:
    """Some rows of a run and those that follow them, as one table."""
    first = parts[0]
    labels = sorted({name for part in parts for name in part.labels})
    return replace(
        first,
        names=tuple(name for part in parts for name in part.names),
        slices=tuple(kinds for part in parts for kinds in part.slices),
        values=np.concatenate([part.values for part in parts]),
        unread=tuple(map(sum, zip(*(part.unread for part in parts), strict=True))),
        labels={
            name: np.concatenate([part.labels.get(name, np.full(len(part.names), np.nan)) for part in parts])
            for name in labels
        },
        unanswered=sum(part.unanswered for part in parts),
        nothing=tuple(map(sum, zip(*(part.nothing for part in parts), strict=True))),
    )


def some_rows(table: RunTable, rows: npt.NDArray[np.int64]) -> RunTable:
    """Some rows of a table, in their order."""
    return replace(
        table,
        names=tuple(table.names[at] for at in rows),
        slices=tuple(table.slices[at] for at in rows),
        values=table.values[rows],
        labels={name: values[rows] for name, values in table.labels.items()},
    )
