"""Whether the answer contains, equals or starts with what was wanted, or matches a pattern."""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile
from typing import Any, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import no_number
from sensecheck.core.space import Space
from sensecheck.measures.exemplars import require_texts

_MAX_QUOTE_CHARS = 60
"""Characters of the longest quotation in a reason."""
_AROUND = 30
"""How much of both texts is shown from the first place on where they differ."""
_DECODER = json.JSONDecoder(parse_constant=no_number)
_NAMED_GROUP = re.compile(r"(\\.)|\(\?<(?=[A-Za-z_])", re.DOTALL)
_NAMED_AGAIN = re.compile(r"\\([^k])|\\k<([A-Za-z_]\w*)>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Contains:
    """The share of some texts that stand in the answer, letter for letter; or whether any does."""

    texts: tuple[str, ...]
    want: Literal["all", "any"] = "all"
    """With `any`, one of them makes the reading 1."""
    ignore_case: bool = False

    def __post_init__(self) -> None:
        require_texts("texts", self.texts)
        if "" in self.texts:
            raise SpecError("`texts` holds an empty string, which every answer contains; wanted some letters")

    @property
    def name(self) -> str:
        """What people call it."""
        return "contains"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 when all of them are there, or any that will do; the evidence shows where each first stands."""
        spans = {text: self._find(sample.answer, text) for text in self.texts}
        present = [text for text, span in spans.items() if span is not None]
        missing = [text for text, span in spans.items() if span is None]
        share = len(present) / len(spans)
        value = float(bool(present)) if self.want == "any" else share
        evidence = (Evidence("found", spans[text], Span.of("wanted", text)) for text in present)
        return Reading(value, _because(present, missing), tuple(evidence))

    def _find(self, answer: str, text: str) -> Span | None:
        if not self.ignore_case:
            start = answer.find(text)
            return None if start < 0 else Span.of("answer", answer, start, start + len(text))
        start = answer.lower().find(text.lower())
        return None if start < 0 else _lowered_span(answer, start, start + len(text.lower()))


@dataclass(frozen=True, slots=True)
class Equals:
    """1 when the answer is this text, or JSON for this value where it is something else; else 0."""

    wanted: Any
    """In JSON, the order of keys and the way a number is written make no difference."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "equals"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the first place where the texts differ."""
        if not isinstance(self.wanted, str):
            return self._json(sample.answer)
        if sample.answer == self.wanted:
            return Reading(1.0, "the answer is exactly what was wanted")
        first = _common_prefix_length(sample.answer, self.wanted)
        here = Span.of("answer", sample.answer, first, min(first + _AROUND, len(sample.answer)))
        there = Span.of("wanted", self.wanted, first, min(first + _AROUND, len(self.wanted)))
        because = (
            f"the answer differs from character {first + 1} on: "
            f"{_quoted(here.text)}, expected {_quoted(there.text)}"
        )
        return Reading(0.0, because, (Evidence("differs", here, there),))

    def _json(self, answer: str) -> Reading:
        try:
            value = _DECODER.decode(answer)
        except (SpecError, ValueError, RecursionError):
            return Reading(0.0, "the answer is not JSON")
        if _same_json(value, self.wanted):
            return Reading(1.0, "the answer is JSON for the wanted value")
        expected = json.dumps(self.wanted, ensure_ascii=False)
        return Reading(0.0, f"the answer is JSON for another value; wanted {_quoted(expected)}")


@dataclass(frozen=True, slots=True)
class StartsWith:
    """1 when the answer begins with this text, letter for letter, else 0."""

    text: str

    def __post_init__(self) -> None:
        if not self.text:
            raise SpecError("`text` is empty, and every answer begins so; wanted some letters")

    @property
    def name(self) -> str:
        """What people call it."""
        return "starts_with"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the opening as far as it agrees."""
        shared = _common_prefix_length(sample.answer, self.text)
        agrees = Evidence("found", Span.of("answer", sample.answer, 0, shared), Span.of("wanted", self.text))
        if shared == len(self.text):
            return Reading(1.0, f"the answer begins with {_quoted(self.text)}", (agrees,))
        opening = _quoted(sample.answer[: len(self.text)])
        return Reading(0.0, f"the answer begins with {opening}; wanted {_quoted(self.text)}", (agrees,))


@dataclass(frozen=True, slots=True)
class Pattern:
    r"""1 when a regular expression matches anywhere in the answer, else 0.

    It is one of Python. Named groups may be written as in JavaScript, `(?<name>…)` and `\k<name>`. What
    differs from there: `\d`, `\w` and `\b` know the letters and digits of every script, and `$` also matches
    before a line break that ends the answer.
    """

    regex: str

    def __post_init__(self) -> None:
        if not self.regex:
            raise SpecError("`regex` is empty, and matches in every answer; wanted a pattern")
        _compiled(self.regex)

    @property
    def name(self) -> str:
        """What people call it."""
        return "pattern"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the first match."""
        match = _compiled(self.regex).search(sample.answer)
        if match is None:
            return Reading(0.0, f"nothing in the answer matches {_quoted(self.regex)}")
        span = Span.of("answer", sample.answer, *match.span())
        because = f"{_quoted(span.text)} matches {_quoted(self.regex)}"
        return Reading(1.0, because, (Evidence("found", span),))


def _lowered_span(answer: str, start: int, end: int) -> Span:
    """The characters of the answer that a range of its lower-case form stands for: `İ` is two of those."""
    offsets = [0, *accumulate(len(char.lower()) for char in answer)]
    return Span.of("answer", answer, bisect_right(offsets, start) - 1, bisect_left(offsets, end))


def _because(present: list[str], missing: list[str]) -> str:
    parts = [f"the answer contains {_quoted_list(present)}"] if present else []
    parts += [f"the answer does not contain {_quoted_list(missing)}"] if missing else []
    return "; ".join(parts)


def _same_json(one: Any, other: Any) -> bool:
    """Whether two values of JSON are the same; to Python, `true` and 1 are."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(_same_json(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same_json, one, other))
    return bool(one == other)


@lru_cache(maxsize=1024)
def _compiled(regex: str) -> re.Pattern[str]:
    """The regular expression, or `SpecError` that says what is wrong with it."""
    grouped = _NAMED_GROUP.sub(lambda match: match[1] or "(?P<", regex)
    translated = _NAMED_AGAIN.sub(lambda match: f"(?P={match[2]})" if match[2] else match[0], grouped)
    try:
        return re.compile(translated)
    except (re.error, OverflowError, RecursionError) as error:
        raise SpecError(f"{_quoted(regex)} is no regular expression of Python: {error}") from error


def _common_prefix_length(one: str, other: str) -> int:
    """How many characters two texts share from their beginning on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _quoted_list(texts: Sequence[str]) -> str:
    """Several quotations, the first few of many."""
    more = f" and {len(texts) - 5} more" if len(texts) > 5 else ""
    return ", ".join(map(_quoted, texts[:5])) + more


def _quoted(text: str) -> str:
    """A short quotation on one line."""
    line = " ".join(text.split()) or text
    return f"“{line if len(line) <= _MAX_QUOTE_CHARS else line[: _MAX_QUOTE_CHARS - 1] + '…'}”"
