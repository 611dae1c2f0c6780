"""Sentences, and where they stand."""

import re

from sensecheck.measures.text.lines import blocks, is_fenced
from sensecheck.measures.text.stops import Stop, ends

_STOP = re.compile(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<wide>[。｡！？．।॥؟۔]+)[」』）】》〉”’\"')\]]*"
    r"|(?P<mark>[.!?…]+)[\"'”’»)\]*_]*"
)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where each sentence starts and ends; every character that is not a space is in one of them.

    Paragraphs, headings, list items and table rows end a sentence; a fenced block of code is one piece.
    """
    found: list[tuple[int, int]] = []
    for start, end in blocks(text):
        found += [(start, end)] if is_fenced(text, start, end) else _within(text, start, end)
    return [piece for start, end in found if (piece := _trimmed(text, start, end))]


def _within(text: str, start: int, end: int) -> list[tuple[int, int]]:
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
