"""Cues: patterns in an answer that say something of what kind it is."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Span
from sensecheck.measures.heads.parts import Outline


@dataclass(frozen=True, slots=True)
class Cue:
    """A pattern by name, and the part of the answer that it is looked for in."""

    name: str
    where: Literal["opening", "rest", "last", "answer"]
    """The first two sentences, what follows them, the last sentence, or all of it."""
    pattern: str

    def __post_init__(self) -> None:
        try:
            _compiled(self.pattern)
        except re.error as wrong:
            raise SpecError(f"the cue `{self.name}` is no pattern: {wrong}") from wrong

    def found(self, answer: str, outline: Outline) -> Span | None:
        """Where the cue stands, if it does."""
        start, end = outline.stretch(answer, self.where)
        match = _compiled(self.pattern).search(answer[start:end])
        return Span.of("answer", answer, start + match.start(), start + match.end()) if match else None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
