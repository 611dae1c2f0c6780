"""The number a measure read, and what it saw."""

import math
from dataclasses import dataclass, replace

from sensecheck.core.errors import CannotJudge


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one of the texts: `text` is exactly its characters `start` to `end`."""

    where: str
    """Which text: `answer`, `expected`, `passages[0]`, `exemplars[3]`, …"""
    start: int
    end: int
    text: str

    @classmethod
    def of(cls, where: str, text: str, start: int = 0, end: int | None = None) -> "Span":
        """The span of `text` from `start` to `end`, or the whole of it."""
        stop = len(text) if end is None else end
        return cls(where, start, stop, text[start:stop])


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that moved the reading, with its place on both sides."""

    kind: str
    """What it is: `nearest`, `repeated`, `number`, `negation`, …"""
    answer: Span | None = None
    source: Span | None = None
    closeness: float | None = None
    note: str = ""


UNREAD = "unread"
"""The kind of evidence that marks one of several texts that could not be read, and was left out."""
CUT = "cut"
"""The kind of evidence that marks a text of which not all was read, though it counts: nothing is decided."""
LANGUAGE = "language"
"""The kind of evidence that marks texts in an untested language: nothing is decided."""
NUMBERS_DIFFER = "language_numbers"
"""The same, where a number or a date differs whatever the language is: only a `fail` stands."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One number, why it is what it is, and the evidence for it."""

    value: float
    because: str
    evidence: tuple[Evidence, ...] = ()
    unread_chars: int = 0
    """Characters that the encoder could not read; 0 when everything was read."""

    @property
    def language(self) -> Evidence | None:
        """The mark of a language that the measure was not verified for; None where there is none."""
        return next((item for item in self.evidence if item.kind in (LANGUAGE, NUMBERS_DIFFER)), None)

    @property
    def cut(self) -> Evidence | None:
        """The mark of a text that was not read to its end; None where there is none."""
        return next((item for item in self.evidence if item.kind == CUT), None)

    def beside(self, more: tuple[Evidence, ...]) -> "Reading":
        """The same reading with more evidence behind its own."""
        return replace(self, evidence=(*self.evidence, *more)) if more else self

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise CannotJudge(f"the reading is not a number: {self.value} ({self.because})")
