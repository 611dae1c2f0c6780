"""Cues: patterns, and words by themselves, that say something of what kind an answer is."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Span
from sensecheck.measures.heads.parts import Outline

PHRASES_IN = 700
"""Characters at the beginning of an answer in which its words are looked at."""
START, END, QUOTED, NUMBER = "^", "$", '"', "0"
"""What stands for the beginning of an answer, for its end, for what is quoted in it, and for any number."""
_TOKEN = re.compile(
    r"(?P<quoted>“[^”]{8,}”|\"[^\"]{8,}\"|(?<!\w)'[^'\n]{8,}?'(?!\w)|‘[^\n]{8,}?’(?!\w)|```.*?(?:```|\Z))"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*|(?P<number>\d+)|[?!:\n]",
    re.DOTALL,
)


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


def phrases_in(answer: str) -> Mapping[str, Span]:
    """Each word of an answer's beginning, and each pair of neighbours, where it stands first.

    Somebody else's words say nothing of what the answer does, so a quotation is one word, whatever it says.
    """
    found: dict[str, Span] = {}
    before: tuple[str, int] | None = None
    for word, start, end in _words(answer):
        found.setdefault(word, Span.of("answer", answer, start, end))
        if before is not None:
            found.setdefault(f"{before[0]} {word}", Span.of("answer", answer, before[1], end))
        before = word, start
    return found


def _words(answer: str) -> Iterator[tuple[str, int, int]]:
    start = len(answer) - len(answer.lstrip())
    end = len(answer.rstrip())
    yield START, start, start
    for match in _TOKEN.finditer(answer, start, min(start + PHRASES_IN, end)):
        word = match[0].lower().replace("’", "'")
        word = QUOTED if match["quoted"] else NUMBER if match["number"] else word
        yield word, match.start(), match.end()
    if end <= start + PHRASES_IN:
        yield END, end, end


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
