"""What a run holds, as plain values.

What a store keeps and gives back: plain values, without a database.

What came of asking one question, before anything is read off it.

A run, as a comparison or a trend names it.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sensecheck.core.serialization import to_data

Slices = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its reference answer."""

    question: str | None
    expected: str | None
    """The reference answer."""
    passages: tuple[str, ...] = ()
    """What a retriever found for it, where that is given."""
    slices: Slices = field(default_factory=dict)
    """What kind of question it is, as `{"topic": "billing"}`: runs are compared slice by slice."""
    id: str = ""
    """Its own name from run to run; without one, it is known by what it says."""

    @property
    def digest(self) -> str:
        """Changes with every part of it."""
        return digest_of([self.id, self.question, self.expected, list(self.passages), dict(self.slices)])

    @property
    def name(self) -> str:
        """Its id, or one made of what it says."""
        return self.id or name_of(self.question, self.expected)


class MetricScore(NamedTuple):
    """What one metric read off one answer."""

    metric: str
    value: float | None
    """None where it could not be read; `error` says why."""
    because: str | None = None
    """Why it is so: the reasoning of a judge, or a warning."""
    error: str | None = None
    encoder: str = ""
    """What the encoder is called, for metrics that compare meaning."""
    fingerprint: str = ""
    """That encoder's; the same metric by another encoder is another row."""


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """An answer to one question of a run, with all that was read off it."""

    answer: str | None
    """None where no one gave one; `error` says why."""
    readings: tuple[MetricScore, ...] = ()
    error: str | None = None
    passages: tuple[str, ...] | None = None
    """What the prompt held, which may be nothing; None where that is what the question came with."""
    latency_ms: float | None = None
    cost: float | None = None
    labels: Mapping[str, float] = field(default_factory=dict)
    """What people said of this answer, as `{"correct": 1.0}`."""
    id: str | None = None
    """The name that another database gave it."""


@dataclass(frozen=True, slots=True)
class Test:
    """Under which name and configuration runs are comparable."""

    key: int
    id: str
    project: str
    name: str
    embedding: Mapping[str, Any]
    generation: Mapping[str, Any]

    __test__ = False  # no test of pytest's


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of a run, in their order; the same questions are the same set."""

    key: int
    size: int
    digest: str


@dataclass(frozen=True, slots=True)
class Run:
    """One evaluation of all questions of a set."""

    key: int
    """Counts up: people name a run by it."""
    id: str
    test: Test
    set: QuestionSet
    name: str
    encoder: str
    """The fingerprint of the first encoder: the one whose readings the view `evals` shows."""
    conditions: Mapping[str, Any]
    """What decides about the readings: versions, encoders, metrics, who answered, which guards."""
    started_at: datetime
    finished_at: datetime | None
    done: int
    """How many questions have been answered and read."""

    @property
    def whole(self) -> bool:
        """Whether no question is left."""
        return self.done >= self.set.size


class PlacedItem(NamedTuple):
    """A question of a set, and where it stands there."""

    position: int
    key: int
    item: Item


def digest_of(value: object) -> str:
    """A name for plain data that changes whenever the data does."""
    text = json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def name_of(question: str | None, expected: str | None) -> str:
    """What a question without an id of its own is called, whatever is retrieved for it."""
    return f"q-{digest_of([question, expected])[:16]}"


def storable(text: str) -> str:
    """The text as any database can hold it: NUL and halves of surrogate pairs become `\\ufffd`."""
    if "\0" not in text and text.isascii():
        return text
    return text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """An answer, recorded or just written; or why there is none."""

    answer: str | None
    error: str | None = None
    passages: tuple[str, ...] | None = None
    """What the prompt held, () for nothing; None where that is what the question came with."""
    latency_ms: float | None = None
    cost: float | None = None
    labels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.answer is not None:  # what is read back is what was stored
            object.__setattr__(self, "answer", storable(self.answer))

    def scored(self, readings: tuple[MetricScore, ...]) -> ScoredAnswer:
        """With what was read off it, as a store keeps it."""
        return ScoredAnswer(
            self.answer,
            readings,
            self.error,
            self.passages,
            self.latency_ms,
            self.cost,
            self.labels,
        )


@dataclass(frozen=True, slots=True)
class RunBrief:
    """Which run it is, and how far it has come."""

    run: int | str
    """Its number; the name of a suite's file, or the address of a large run."""
    id: str
    project: str
    test: str
    name: str
    at: str
    """When it began; empty where that is not known."""
    done: int
    size: int
    """How many questions its set has."""

    @property
    def title(self) -> str:
        """The run, as a heading names it."""
        if isinstance(self.run, str):
            return self.run
        return f"run {self.run}" + (f" ({self.name})" if self.name else "")

    @classmethod
    def of(cls, run: Run) -> "RunBrief":
        """Which run it is."""
        return cls(
            run.key,
            run.id,
            run.test.project,
            run.test.name,
            run.name,
            run.started_at.isoformat(timespec="seconds"),
            run.done,
            run.set.size,
        )

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)
