"""Sentences and where they stand, and the blocks of lines that no sentence reaches across.

A full stop ends a sentence unless it belongs to an abbreviation, an initial or a list number; a row of dots
leads from a name to its number.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sensecheck.text.wordlists import read_groups

_FENCE = re.compile(r"```|~~~")
_MARKED = re.compile(r"[-*+•–]\s|\(?\s?(?:\d{1,3}\s?|[A-Za-z])[.)]\s|#{1,6}\s|>|\||```|~~~")
_ALONE = re.compile(r"#{1,6}\s|\||```|~~~")
_WRAPPED = 50
"""A line at least this long was probably broken by an editor, not by its author."""

_STOP = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<wide>[。｡！？．।॥؟۔]+)[」』）】》〉”’\"')\]]*"
    r"|(?P<mark>[.!?…]+)[\"'”’»)\]*_]*"
)
_NEXT = re.compile(r"\s+[\"'“‘«(\[*_]*(\w{0,20})")
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘]*$")
_LETTERS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]$")
_LIST_NUMBER = re.compile(r"\W*(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})$")
_VOWEL = re.compile("[aeiouy0-9]")
_DOTS = frozenset(".!?…")
_LEADER = 5
"""So many dots in a row lead to what is behind them, as in a list of prices."""
_REACH = 24
"""How far back the word before a stop is looked for."""


class Stop(NamedTuple):
    """Punctuation that may end a sentence, with the quotes and brackets that close after it."""

    mark: str
    start: int
    end: int


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence starts and ends; every character that is not a space is in one of them.

    Paragraphs, headings, list items and table rows end a sentence; a fenced block of code is one piece.
    """
    pieces: list[tuple[int, int]] = []
    for start, end in blocks(text):
        pieces += [(start, end)] if is_fenced(text, start, end) else _sentences_of_block(text, start, end)
    return [piece for start, end in pieces if (piece := _trimmed(text, start, end))]


def blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, list items, table rows, headings and fenced code, each as (start, end)."""
    begun, before, fence = 0, "", ""
    for start, end in _lines(text):
        line = text[start:end].strip()
        if fence:
            fence = "" if line == fence else fence
        elif not _joins(before, line):
            if begun < start:
                yield begun, start
            begun = start
            fence = line[:3] if _FENCE.match(line) else ""
        before = line
    yield begun, len(text)


def is_fenced(text: str, start: int, end: int) -> bool:
    """Whether a block is fenced code."""
    return _FENCE.match(text[start:end].lstrip()) is not None


def ends(text: str, begun: int, stop: Stop) -> bool:
    """Whether the stop ends the sentence that begun at `begun`."""
    after = _NEXT.match(text, stop.end)
    if after is None or (not after[1] and text[after.end() : after.end() + 1] in _DOTS):
        return False
    following = after[1]
    quoted = stop.end - stop.start > len(stop.mark)
    if stop.mark == ".":
        return not _continues(text[max(begun, stop.start - _REACH) : stop.start], following, begun, stop)
    if len(stop.mark) >= _LEADER and set(stop.mark) == {"."}:
        return False
    dots = stop.mark[-1] in ".…"
    return bool(following) and not ((dots or quoted) and following[0].islower())


def _sentences_of_block(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of one block."""
    pieces: list[tuple[int, int]] = []
    for match in _STOP.finditer(text, start, end):
        stop = Stop(match["mark"] or "", match.start(), match.end())
        if match["wide"] or (match["mark"] and ends(text, start, stop)):
            pieces.append((start, stop.end))
            start = stop.end
    return [*pieces, (start, end)]


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The piece without the spaces around it; None when nothing is left."""
    piece = text[start:end]
    left = start + len(piece) - len(piece.lstrip())
    right = start + len(piece.rstrip())
    return (left, right) if left < right else None


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _joins(before: str, line: str) -> bool:
    """Whether a line continues with the sentence of the line before it."""
    if not before or not line:
        return before == line
    if _MARKED.match(line) or _ALONE.match(before):
        return False
    return line[0].islower() or (len(before) >= _WRAPPED and before[-1] not in ".!?:;。！？")


def _continues(before: str, following: str, begun: int, stop: Stop) -> bool:
    """Whether a single full stop belongs to the word before it."""
    if len(before) == stop.start - begun and _LIST_NUMBER.match(before):
        return True
    groups = read_groups("stops.txt")
    match = _LAST_WORD.search(before)
    word = match[0].strip(".").lower() if match else ""
    if word in groups["always"] or (word in groups["numbered"] and following[:1].isdigit()):
        return True
    if word in groups["mostly"] or _LETTERS.match(word):
        return not (following[:1].isupper() and following.lower() in groups["opens"])
    return following[:1].islower() and 0 < len(word) < 5 and not _VOWEL.search(word)
