"""Texts made plain for reading, where in them something stands, and which of several verdicts counts."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from sensecheck.measures.verdicts.phrases import EVEN

How = Literal["json", "tag", "marker", "label", "alone"]
"""How a verdict was found."""

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
_UNSEEN = f"{_CONTROLS}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe0e\ufe0f\ufeff"
_ENTITIES = {
    "quot": "“",
    "apos": "’",
    "lt": "<",
    "gt": ">",
    "amp": "&",
    "nbsp": " ",
    "#34": "“",
    "#39": "’",
    "#x22": "“",
    "#x27": "’",
}
_CHANGED = re.compile(
    rf"[{_UNSEEN}]+|&({'|'.join(_ENTITIES)});|</?(?:b|i|u|em|strong|span|mark)>|(<br ?/?>)", re.IGNORECASE
)
_ESCAPE = re.compile(
    r"\\++(?:u(d[89ab][0-9a-f]{2})\\++u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|(.))", re.IGNORECASE | re.DOTALL
)
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SAME_LENGTH: dict[int, int | str] = {
    **_FULL_WIDTH,
    **dict.fromkeys(map(ord, "”„‟«»＂″"), "“"),
    **dict.fromkeys(map(ord, "‘‚‛＇′"), "’"),
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2007\u2009\u202f\u3000"), " "),
}
"""Full-width letters become plain ones; foreign quotation marks become one of two, and stay foreign, so that
they cannot close a string that `"` opened."""

_NAMES = "think|thinking|thought|reasoning|analysis|explanation|scratchpad|rationale"
_OPENED = re.compile(rf"^[ \t]*+(?:<\w+>[ \t]*+)*?<(?P<name>{_NAMES})>", re.IGNORECASE | re.MULTILINE)
_ONLY_CLOSED = re.compile(r"^[ \t]*+</think(?:ing)?>|</think(?:ing)?>[ \t]*+$", re.IGNORECASE | re.MULTILINE)
"""These tags count where no string of JSON can hold them: a line begins or ends there."""

_LOOK_BACK = 160
_DECORATION = r"[ \t*_#\-•+`\"'“’\[(|~=\d.)✅❌]*"
_LINE = re.compile(rf"\n{_DECORATION}\Z")
_SENTENCE = re.compile(
    rf"(?:(?:[\n.!?;…)\]|]|\w>)\s*|:[ *]{{0,4}}(?:\d[\d./%]*|pass|fail|yes|no)\**,?\s){_DECORATION}\Z",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?:[\n.!?;…)\]|,:—–]|\w>|\s-)\s*{_DECORATION}(?:(?:so|and|thus|hence|therefore)\s)?\Z", re.IGNORECASE
)
_SO_FAR = re.compile(r"[^.!?\n]*\Z")
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|when|would|could|should|might|may|suppose|assuming|had|otherwise|not|never|no|cannot"
    r"|prevents?|prevented|example|e\.g)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Plain:
    """A text, and where in its source each character stood."""

    text: str
    starts: tuple[int, ...] = (0,)
    """Where the stretches of the text begin that stand in one piece in the source."""
    sources: tuple[int, ...] = (0,)
    """Where those stretches begin in the source."""

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The stretch of the source that a stretch of the text came from."""
        if start >= end:
            return self._source(start), self._source(start)
        last = bisect_right(self.starts, end - 1) - 1
        ends = last + 1 < len(self.starts) and self.starts[last + 1] == end
        until = self.sources[last + 1] if ends else self.sources[last] + end - self.starts[last]
        return self._source(start), until

    def _source(self, at: int) -> int:
        stretch = bisect_right(self.starts, at) - 1
        return self.sources[stretch] + at - self.starts[stretch]


def plain(text: str) -> Plain:
    """The text without unseen characters and HTML entities, and with its letters and quotes made plain."""
    return _replaced(text.translate(_SAME_LENGTH) if not text.isascii() else text, _CHANGED, _visible)


def unescaped(text: str) -> Plain:
    """The text without the escapes of JSON, however often they were escaped."""
    return _replaced(text, _ESCAPE, _unescaped) if "\\" in text else Plain(text)


def without(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of some stretches, which are in order."""
    pieces: list[str] = []
    done = 0
    for start, end in stretches:
        if end > done:
            pieces += (text[done : max(start, done)], " " * (end - max(start, done)))
            done = end
    return "".join([*pieces, text[done:]])


def without_thoughts(text: str) -> str:
    """The text without what stands in tags such as `<think>`: a draft is no verdict."""
    return without(text, _thoughts(text)) if "<" in text else text


def starts_line(text: str, at: int) -> bool:
    """Whether only bullets, stars and the like stand before it on its line; not so on a quoted line."""
    return _LINE.search(_before(text, at)) is not None


def starts_sentence(text: str, at: int) -> bool:
    """Whether a sentence or a line begins here, or the next label: `Score: 4, Verdict: …`."""
    return _SENTENCE.search(_before(text, at)) is not None


def starts_clause(text: str, at: int) -> bool:
    """Whether a clause begins here, in a sentence that supposes and denies nothing before."""
    before = _before(text, at)
    so_far = _SO_FAR.search(before)
    return _CLAUSE.search(before) is not None and not (so_far and _SUPPOSED.search(so_far[0]))


def line_from(text: str, at: int, *, most: int = 480) -> str:
    """The rest of the line."""
    return text[at : at + most].partition("\n")[0]


@dataclass(frozen=True, slots=True)
class Stated:
    """A verdict that a text states, from 0 (fail) to 1 (pass), and where."""

    value: float
    start: int
    end: int
    how: How


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict that was found, and how much it is to be believed."""

    stated: Stated
    rank: tuple[int, ...]
    """The findings with the lowest rank are believed."""
    topic: int = 0
    """The rank of its topic: a verdict's, a score's, an answer's."""

    def contradicts(self, other: "Finding") -> bool:
        """Whether it comes after the other and says something else; a score takes back no verdict."""
        if self.stated.start < other.stated.start or self.topic > other.topic:
            return False
        one, two = self.stated.value, other.stated.value
        return one != two if self.topic == other.topic else (one - EVEN) * (two - EVEN) < 0


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two verdicts of the same rank that disagree."""

    one: Stated
    other: Stated


def settled(findings: Iterable[Finding]) -> Finding | Conflict | None:
    """The last of the findings with the lowest rank; if they disagree, two that do."""
    listed = list(findings)
    if not listed:
        return None
    best = min(finding.rank for finding in listed)
    believed = [finding for finding in listed if finding.rank == best]
    last = max(believed, key=lambda finding: finding.stated.start)
    other = next((finding for finding in believed if finding.stated.value != last.stated.value), None)
    return Conflict(other.stated, last.stated) if other else last


def _replaced(text: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> Plain:
    pieces: list[str] = []
    starts, sources, length, done = [0], [0], 0, 0
    for match in pattern.finditer(text):
        replacement = by(match)
        pieces += (text[done : match.start()], replacement)
        length += match.start() - done
        # The replaced character is a stretch of its own; one that vanishes only moves the next stretch.
        for at, source in ((length, match.start()), (length + len(replacement), match.end())):
            starts.append(at)
            sources.append(source)
        length, done = length + len(replacement), match.end()
    return Plain("".join([*pieces, text[done:]]), tuple(starts), tuple(sources)) if done else Plain(text)


def _visible(match: re.Match[str]) -> str:
    return _ENTITIES[match[1].lower()] if match[1] else "\n" if match[2] else ""


def _unescaped(match: re.Match[str]) -> str:
    high, low, code_point, other = match.groups()
    if high and low:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if code_point:
        return chr(int(code_point, 16))
    return " " if other in "nrtbf" else str(other)


def _thoughts(text: str) -> Iterator[tuple[int, int]]:
    """From each such tag to the next that closes it; one that is only closed was opened before the text."""
    done, never_closed = 0, set()
    closed = _ONLY_CLOSED.search(text)
    if closed and "<think" not in text[: closed.start()].lower():
        done = closed.end()
        yield 0, done
    for opened in _OPENED.finditer(text):
        name = opened["name"].lower()
        if opened.start() < done or name in never_closed:
            continue
        end = re.compile(f"</{name}>", re.IGNORECASE).search(text, opened.end())
        if end:
            done = end.end()
            yield opened.start(), done
        else:
            never_closed.add(name)
            if not text[: opened.start()].strip():
                yield 0, len(text)


def _before(text: str, at: int) -> str:
    return text[at - _LOOK_BACK : at] if at > _LOOK_BACK else "\n" + text[:at]
