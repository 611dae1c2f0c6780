"""What the engine is asked and what it gives: plain values that go from one process to another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.core.unicode import Encoding
from sensecheck.core.verdict import Outcome


@dataclass(frozen=True, slots=True)
class CheckJob:
    """Hold an answer against passages."""

    answer: str
    passages: tuple[str, ...]
    question: str | None = None
    policy: str = "default"
    """One of ours, by name or as `name@version`."""
    cutoff: tuple[tuple[str, Any], ...] | None = None
    """A fitted line, as sorted items of its data, which takes the place of the policy's own."""
    offsets: Encoding = "code_points"
    trusting: bool = True
    """Whether passages may speak to the model; where they may not, what does so is no evidence."""


@dataclass(frozen=True, slots=True)
class ExtractJob:
    """Find the sentences of a passage that answer a question."""

    question: str
    passage: str


Job = CheckJob | ExtractJob


@dataclass(frozen=True, slots=True)
class Checked:
    """What was found of an answer."""

    outcome: Outcome
    accepted: bool
    because: str
    value: float | None
    """The reading that the policy's line was drawn on."""
    similarity: float | None
    """The closeness of the whole answer to the nearest stretch of the passages."""
    overlap: float | None
    """How many of the answer's long words the passages hold."""
    fingerprint: str | None
    data: Mapping[str, Any]
    """All of it, as `Grounding.to_data` lays it out."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """The sentences that answer, where they stand; none when the passage does not answer."""

    spans: tuple[tuple[int, int], ...]
    sure: tuple[float, ...] = ()
    """How surely each answers, from 1 down to 0."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A job that cannot be done, whoever tries: its texts or its policy are wrong."""

    because: str


Result = Checked | Extracted | Refused
