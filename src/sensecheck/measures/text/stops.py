"""Whether a full stop ends its sentence, or belongs to an abbreviation, an initial or a list number."""

import re
from typing import NamedTuple

from sensecheck.measures.text.lists import read_groups

_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_LETTERS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_LIST_NUMBER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})$")
_VOWEL = re.compile("[aeiouy0-9]")
_DOTS = frozenset(".!?…")
_NEXT = re.compile(r"\s+[\"'“‘«(\[*_]*(\w{0,20})")
_REACH = 24
"""How far back the word before a stop is looked for."""


class Stop(NamedTuple):
    """Punctuation that may end a sentence, with the quotes and brackets that close after it."""

    mark: str
    start: int
    end: int


def ends(text: str, begun: int, stop: Stop) -> bool:
    """Whether the stop ends the sentence that begun at `begun`."""
    after = _NEXT.match(text, stop.end)
    if after is None or (not after[1] and text[after.end() : after.end() + 1] in _DOTS):
        return False
    following = after[1]
    quoted = stop.end - stop.start > len(stop.mark)
    if stop.mark == ".":
        return not _goes_on(text[max(begun, stop.start - _REACH) : stop.start], following, begun, stop)
    dots = stop.mark[-1] in ".…"
    return bool(following) and not ((dots or quoted) and following[0].islower())


def _goes_on(before: str, following: str, begun: int, stop: Stop) -> bool:
    """Whether a single full stop belongs to the word before it."""
    if len(before) == stop.start - begun and _LIST_NUMBER.match(before):
        return True
    known = read_groups("stops.txt")
    match = _LAST_WORD.search(before)
    word = match[0].strip(".").lower() if match else ""
    if word in known["always"] or (word in known["numbered"] and following[:1].isdigit()):
        return True
    if word in known["mostly"] or _LETTERS.match(word):
        return not (following[:1].isupper() and following.lower() in known["opens"])
    return following[:1].islower() and 0 < len(word) < 5 and not _VOWEL.search(word)
