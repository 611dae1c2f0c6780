"""Lines joined into blocks: what no sentence reaches across."""

import re
from collections.abc import Iterator

_FENCE = re.compile(r"```|~~~")
_MARKED = re.compile(r"[-*+•–]\s|\(?\s?(?:\d{1,3}\s?|[A-Za-z])[.)]\s|#{1,6}\s|>|\||```|~~~")
_ALONE = re.compile(r"#{1,6}\s|\||```|~~~")
_WRAPPED = 50
"""A line at least this long was probably broken by an editor, not by its author."""


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


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _joins(before: str, line: str) -> bool:
    """Whether a line goes on with the sentence of the line before it."""
    if not before or not line:
        return before == line
    if _MARKED.match(line) or _ALONE.match(before):
        return False
    return line[0].islower() or (len(before) >= _WRAPPED and before[-1] not in ".!?:;。！？")
