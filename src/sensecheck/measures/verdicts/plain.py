"""Texts made plain for reading, which remember where each character came from."""

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

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
    return _replaced(text.translate(_SAME_LENGTH) if not text.isascii() else text, _CHANGED, _seen)


def unescaped(text: str) -> Plain:
    """The text without the escapes of JSON, however often they were escaped."""
    return _replaced(text, _ESCAPE, _meant) if "\\" in text else Plain(text)


def _replaced(text: str, pattern: re.Pattern[str], by: Callable[[re.Match[str]], str]) -> Plain:
    pieces: list[str] = []
    starts, sources, length, done = [0], [0], 0, 0
    for match in pattern.finditer(text):
        put = by(match)
        pieces += (text[done : match.start()], put)
        length += match.start() - done
        # The replaced character is a stretch of its own; one that vanishes only moves the next stretch.
        for at, source in ((length, match.start()), (length + len(put), match.end())):
            starts.append(at)
            sources.append(source)
        length, done = length + len(put), match.end()
    return Plain("".join([*pieces, text[done:]]), tuple(starts), tuple(sources)) if done else Plain(text)


def _seen(match: re.Match[str]) -> str:
    return _ENTITIES[match[1].lower()] if match[1] else "\n" if match[2] else ""


def _meant(match: re.Match[str]) -> str:
    high, low, one, other = match.groups()
    if high and low:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if one:
        return chr(int(one, 16))
    return " " if other in "nrtbf" else str(other)
