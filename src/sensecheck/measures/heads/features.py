"""What a head looks at in an answer, and the row of numbers that it weighs.

Parts are sentences at either end of an answer; cues are patterns, and words by themselves. Also numbers and
bytes inside a JSON file, and marks: hashes of answers, enough to know one again, too short to read it.
"""

import base64
import hashlib
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError, StaleCutoff, Unreadable
from sensecheck.core.reading import Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import decode
from sensecheck.core.space import Space
from sensecheck.core.unicode import squeezed
from sensecheck.text.sentences import sentences

PartName = Literal["first", "second", "third", "last"]
Numbers = npt.NDArray[np.float32]

LOOKED_AT = 4000
"""Characters at either end of an answer in which its parts and cues are looked for."""
PHRASES_IN = 700
"""Characters at the beginning of an answer in which its words are looked at."""
START, END, QUOTED, NUMBER = "^", "$", '"', "0"
"""What stands for the beginning of an answer, for its end, for what is quoted in it, and for any number."""
_TOKEN = re.compile(
    r"(?P<quoted>“[^”]{8,}”|\"[^\"]{8,}\"|(?<!\w)'[^'\n]{8,}?'(?!\w)|‘[^\n]{8,}?’(?!\w)|```.*?(?:```|\Z))"
    r"|[^\W\d_]+(?:['’][^\W\d_]+)*|(?P<number>\d+)|[?!:\n]",
    re.DOTALL,
)
_MARK_SIZE = 6
"""Bytes a mark: of a million other answers, one in three hundred million would be taken for a known one."""


@dataclass(frozen=True, slots=True)
class SentencePart:
    """A sentence by its place, and how many of its words are read."""

    name: PartName
    words: int

    def __post_init__(self) -> None:
        if not 1 <= self.words <= LOOKED_AT:
            raise SpecError(
                f"`words` of the part `{self.name}` must be from 1 to {LOOKED_AT}; got {self.words}"
            )


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

    def part(self, part: SentencePart) -> Span:
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
        except re.error as error:
            raise SpecError(f"the cue `{self.name}` is no pattern: {error}") from error

    def span(self, answer: str, outline: Outline) -> Span | None:
        """Where the cue stands, if it does."""
        start, end = outline.stretch(answer, self.where)
        match = _compiled(self.pattern).search(answer[start:end])
        return Span.of("answer", answer, start + match.start(), start + match.end()) if match else None


@dataclass(frozen=True, slots=True)
class TrainingSource:
    """A set of labelled answers that a head was trained on, and to whom it is owed."""

    name: str
    rows: int
    licence: str = ""


@dataclass(frozen=True, slots=True)
class HeadRecipe:
    """What a head looks at, and what it tells apart."""

    classes: tuple[str, ...]
    parts: tuple[SentencePart, ...]
    cues: tuple[Cue, ...] = ()
    cue_weight: float = 0.5
    """How much a cue that is there counts, where a vector has length 1."""
    phrases: tuple[str, ...] = ()
    """Words and pairs of words in the beginning of an answer, each of which counts as much as a cue."""
    languages: tuple[str, ...] = ()
    """The languages next to English that a head of ours was trained on, by their English names."""

    def __post_init__(self) -> None:
        if len(set(self.classes)) < 2 or len(set(self.classes)) < len(self.classes):
            raise SpecError(f"`classes` must have two or more different ones; got {', '.join(self.classes)}")
        if not self.parts:
            raise SpecError("`parts` is empty; a head needs at least one part to look at")
        if len(set(self.phrases)) < len(self.phrases):
            raise SpecError("`phrases` must differ; got one of them twice")

    def width(self, dimension: int) -> int:
        """How many numbers one answer becomes."""
        return len(self.parts) * dimension + len(self.cues) + len(self.phrases)


@dataclass(frozen=True, slots=True)
class Features:
    """The numbers, the parts they were read from, and the cues and phrases that were found."""

    row: Numbers
    parts: tuple[Span, ...]
    cues: tuple[Span | None, ...]
    phrases: tuple[Span | None, ...]
    unread_chars: int


def features_of(recipe: HeadRecipe, sample: Sample, space: Space) -> Features:
    """The row of an answer; a part in a script that the encoder cannot read counts as the one before it."""
    outline = Outline.of(sample.answer)
    spans = [outline.part(part) for part in recipe.parts]
    readable = [span for span in spans if span.text not in space.failed]
    if not readable:
        raise Unreadable(space.failed[spans[0].text])
    used = [_nearest(spans, i, readable) for i in range(len(spans))]
    cues = tuple(cue.span(sample.answer, outline) for cue in recipe.cues)
    phrase_spans = phrases_in(sample.answer) if recipe.phrases else {}
    phrases = tuple(map(phrase_spans.get, recipe.phrases))
    counts = [recipe.cue_weight if span else 0.0 for span in (*cues, *phrases)]
    row = np.concatenate([*(space.vector(span.text) for span in used), np.asarray(counts, np.float32)])
    unread = {span for span in spans if span not in readable}
    unread_chars = sum(len(span.text) for span in unread) + space.unread(*{span.text for span in used})
    return Features(row, tuple(used), cues, phrases, unread_chars)


def part_texts(recipe: HeadRecipe, sample: Sample) -> tuple[str, ...]:
    """The texts that must be placed before an answer can be weighed."""
    outline = Outline.of(sample.answer)
    return tuple(dict.fromkeys(outline.part(part).text for part in recipe.parts))


def phrases_in(answer: str) -> Mapping[str, Span]:
    """Each word of an answer's beginning, and each pair of neighbours, where it stands first.

    Another's words say nothing of what the answer does, so a quotation is one word, whatever it says.
    """
    spans: dict[str, Span] = {}
    before: tuple[str, int] | None = None
    for word, start, end in _words(answer):
        spans.setdefault(word, Span.of("answer", answer, start, end))
        if before is not None:
            spans.setdefault(f"{before[0]} {word}", Span.of("answer", answer, before[1], end))
        before = word, start
    return spans


def require_encoder(encoder: str, space: Space, name: str) -> None:
    """Raise unless the space was made by the encoder whose vectors the weights are for."""
    if space.encoder != encoder:
        raise StaleCutoff(
            f"the head `{name}` was trained for the encoder `{encoder}`; in use is `{space.encoder}`. "
            "Train one for it with `sensecheck train-head`, and name it in a gate with the measure `head`"
        )


def packed(content: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(content).decode()


def packed_numbers(numbers: Numbers) -> str:
    """Numbers as text, the same on every machine."""
    return packed(np.ascontiguousarray(numbers, "<f4").tobytes())


def unpacked(text: Any, *, at: str) -> bytes:
    """The bytes that a text stands for; `at` names the place in messages."""
    encoded: str = decode(str, text, at=at)
    try:
        return base64.b64decode(encoded, validate=True)
    except ValueError as error:  # letters beyond ASCII are no binascii.Error
        raise SpecError(f"`{at}` is not base64: {error}") from error


def unpacked_numbers(text: Any, shape: tuple[int, ...], *, at: str) -> Numbers:
    """The numbers that a text stands for: finite, and as many as the shape wants."""
    content = unpacked(text, at=at)
    expected_size = 4 * int(np.prod(shape))
    if len(content) != expected_size:
        raise SpecError(f"`{at}` holds {len(content)} bytes; expected {expected_size}")
    numbers: Numbers = np.frombuffer(content, "<f4").reshape(shape).astype(np.float32, copy=False)
    if not np.isfinite(numbers).all():
        raise SpecError(f"`{at}` holds a number that is not finite")
    return numbers


def mark_of(text: str) -> bytes:
    """The mark of an answer, the same whatever its spaces and case."""
    return hashlib.blake2b(squeezed(text).encode("utf-8", "surrogatepass"), digest_size=_MARK_SIZE).digest()


def marks_of(texts: Iterable[str]) -> bytes:
    """The marks of many answers, sorted, one behind the other."""
    return b"".join(sorted({mark_of(text) for text in texts}))


def is_marked(text: str, marks: bytes) -> bool:
    """Whether the mark of an answer is among these."""
    mark, places = mark_of(text), range(0, len(marks), _MARK_SIZE)
    offset = bisect_left(places, mark, key=lambda i: marks[i : i + _MARK_SIZE]) * _MARK_SIZE
    return marks[offset : offset + _MARK_SIZE] == mark


def _nearest(spans: list[Span], place: int, readable: list[Span]) -> Span:
    """The part itself, or the nearest one before it that could be read, or else the first that could."""
    return next((span for span in reversed(spans[: place + 1]) if span in readable), readable[0])


def _outlined(answer: str) -> Outline:
    start = len(answer) - len(answer.lstrip())
    opening = _sentences_of(answer, start, start + LOOKED_AT)
    if not opening:
        raise Unreadable(f"there is no letter or digit in the first {LOOKED_AT} characters of the answer")
    tail_start = len(answer) - LOOKED_AT
    tail = _sentences_of(answer, tail_start, len(answer)) if tail_start > start else ()
    return Outline(opening, (tail or opening)[-1])


_remembered = lru_cache(maxsize=2048)(_outlined)


def _sentences_of(answer: str, start: int, end: int) -> tuple[Span, ...]:
    spans = (
        Span.of("answer", answer, start + left, start + right) for left, right in sentences(answer[start:end])
    )
    return tuple(span for span in spans if any(map(str.isalnum, span.text)))


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
