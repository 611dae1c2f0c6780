"""The named parts of an answer that a head looks at: its first sentences, and its last."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sensecheck.core.errors import SpecError, Unreadable
from sensecheck.core.reading import Span
from sensecheck.text.sentences import sentences

Name = Literal["first", "second", "third", "last"]
LOOKED_AT = 4000
"""Characters at either end of an answer in which its parts and cues are looked for."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence by its place, and how many of its words are read."""

    name: Name
    words: int

    def __post_init__(self) -> None:
        if not 1 <= self.words <= LOOKED_AT:
            raise SpecError(f"`words` of the part `{self.name}` wants 1 to {LOOKED_AT}; found {self.words}")


@dataclass(frozen=True, slots=True)
class Outline:
    """An answer as a head sees it: its sentences at either end."""

    said: tuple[Span, ...]
    """The sentences in the first characters of the answer that hold a letter or a digit."""
    last: Span

    @staticmethod
    def of(answer: str) -> "Outline":
        """The outline of an answer, or `Unreadable` when nothing is said at its beginning.

        It is wanted when the head asks, and again when it reads, so that it is remembered for a while.
        """
        return _remembered(answer) if len(answer) <= LOOKED_AT else _outlined(answer)

    def part(self, part: Part) -> Span:
        """The words of a part; a sentence that is not there is the one before it."""
        place = {"first": 0, "second": 1, "third": 2}.get(part.name)
        span = self.last if place is None else self.said[min(place, len(self.said) - 1)]
        words = re.match(rf"(?:\S++\s++){{0,{part.words - 1}}}+\S++", span.text)
        end = words.end() if words else len(span.text)
        return Span(span.where, span.start, span.start + end, span.text[:end])

    def sentence_at(self, place: int) -> Span:
        """The sentence that a place of the answer lies in, or the last one before it."""
        if place >= self.last.start:
            return self.last
        return next((span for span in reversed(self.said) if span.start <= place), self.said[0])

    def stretch(self, answer: str, where: str) -> tuple[int, int]:
        """Where in the answer a cue is looked for: its opening, the rest, its last sentence, or all of it."""
        opening = self.said[min(1, len(self.said) - 1)].end
        if where == "opening":
            return self.said[0].start, opening
        if where == "last":
            return self.last.start, self.last.end
        return (opening if where == "rest" else self.said[0].start), self.said[0].start + LOOKED_AT


def _outlined(answer: str) -> Outline:
    start = len(answer) - len(answer.lstrip())
    said = _said(answer, start, start + LOOKED_AT)
    if not said:
        raise Unreadable(f"there is no letter or digit in the first {LOOKED_AT} characters of the answer")
    far = len(answer) - LOOKED_AT
    tail = _said(answer, far, len(answer)) if far > start else ()
    return Outline(said, (tail or said)[-1])


_remembered = lru_cache(maxsize=2048)(_outlined)


def _said(answer: str, start: int, end: int) -> tuple[Span, ...]:
    spans = (
        Span.of("answer", answer, start + left, start + right) for left, right in sentences(answer[start:end])
    )
    return tuple(span for span in spans if any(map(str.isalnum, span.text)))
