"""Passages without the characters that a reader does not see and a model does."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from sensecheck.text.words import (
    BRAILLE_BLANK,
    DIRECTIONS,
    MONGOLIAN_SELECTORS,
    NO_WIDTH,
    SELECTORS,
    SOFT_HYPHEN,
    TAGS,
    UNSEEN,
)

Kind = Literal["zero-width", "bidi", "tag", "variation", "control"]

_JOINING = "\u0600-\u08ff\u0900-\u0dff\u0f00-\u0fff\u1800-\u18af\ufb50-\ufdff\ufe70-\ufefc"
"""Scripts whose letters change with a joiner between them: Arabic, Syriac, those of India, Mongolian."""
_SPACELESS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Scripts that have no other space between words than one of no width: Thai, Lao, Burmese, Khmer."""
_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u27ff\u2900-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_CJK = "\u3001-\u303f\u3400-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff"
_MONGOLIAN = "\u1820-\u18af"
_REGIONS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in name) for name in ("gbeng", "gbsct", "gbwls")
)

_HIDDEN = re.compile(
    rf"\U0001F3F4(?:{_REGIONS})\U000E007F"
    rf"|(?P<zero_width>[{NO_WIDTH}{SOFT_HYPHEN}{BRAILLE_BLANK}])"
    rf"|(?P<bidi>[{DIRECTIONS}])"
    rf"|(?P<tag>[{TAGS}])"
    rf"|(?P<variation>[{SELECTORS}{MONGOLIAN_SELECTORS}])"
    r"|(?P<control>[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f])"
)
"""What stands before the named groups is kept: the flags of England, Scotland and Wales."""
_THEN = f"(?![{UNSEEN}])"
_MEANT = re.compile(
    rf"[{_JOINING}][\u200c\u200d]{_THEN}[{_JOINING}]"
    rf"|[{_SPACELESS}]\u200b{_THEN}[{_SPACELESS}]"
    rf"|[{_PICTURE}\ufe0f\u20e3]\u200d[{_PICTURE}]"
    rf"|[^\W\d_]{SOFT_HYPHEN}{_THEN}[^\W\d_]"
    rf"|[\u2801-\u28ff]{BRAILLE_BLANK}"
    rf"|[{_PICTURE}{_CJK}][{SELECTORS}]|[0-9#*]\ufe0f\u20e3"
    rf"|[{_MONGOLIAN}][{MONGOLIAN_SELECTORS}]"
)
"""What is kept too, with the character before it and after it: joiners in pictures and between letters that
they join, one soft hyphen within a word, a blank in Braille, one selector after a picture, an ideograph or a
Mongolian letter."""
_BREAKS = str.maketrans(dict.fromkeys("\r\x0b\x0c\x85", "\n"))
"""Controls that end a line, which stay ends of lines."""
_KINDS: dict[str, Kind] = {
    "zero_width": "zero-width",
    "bidi": "bidi",
    "tag": "tag",
    "variation": "variation",
    "control": "control",
}


@dataclass(frozen=True, slots=True)
class Cleaned:
    """A text without hidden characters, and what was taken out of it."""

    text: str
    removed: tuple[tuple[Kind, int], ...] = ()
    """Kinds of characters and how many of each, in the order of `Kind`."""
    cuts: tuple[tuple[int, int], ...] = ()
    """Places in `text` from which on so many characters more than before are missing in all."""

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` stands in the original; what was taken out at its ends is left out."""
        return self._offset(start), self._offset(end - 1) + 1 if end > start else self._offset(start)

    def _offset(self, at: int) -> int:
        passed = bisect_right(self.cuts, at, key=lambda cut: cut[0])
        return at + (self.cuts[passed - 1][1] if passed else 0)


def clean(text: str) -> Cleaned:
    """The text without characters that are not seen; nothing else of it changes, not even its composition.

    Taken out: zero-width characters, fillers, directions, tags, variation selectors where there is no form to
    choose, controls other than tabs and ends of lines. A second time there is nothing more to take out.
    """
    if text.isascii() and text.isprintable():
        return Cleaned(text)
    pieces, cuts, counts = [], [], Counter[Kind]()
    read = 0
    for match in _not_meant(text):
        pieces.append(text[read : match.start()])
        read = match.end()
        missing = counts.total() + 1
        cuts.append((read - missing, missing))
        counts[_KINDS[match.lastgroup or ""]] += 1
    pieces.append(text[read:])
    kept = _line_ends("".join(pieces))
    return Cleaned(kept, tuple((kind, counts[kind]) for kind in _KINDS.values() if counts[kind]), tuple(cuts))


def _not_meant(text: str) -> Iterator[re.Match[str]]:
    """Each hidden character that no writing needs where it stands; one that follows such a one is none."""
    gone = 0
    for match in _HIDDEN.finditer(text):
        start, end = match.span()
        before = start - 1 if start > gone else start
        if match.lastgroup and not _MEANT.match(text, before, end + 1):
            gone = end
            yield match


def _line_ends(text: str) -> str:
    """The text with `\\n` for every rarer end of a line; `\\r\\n` stays as it is."""
    return "\r\n".join(line.translate(_BREAKS) for line in text.split("\r\n"))
