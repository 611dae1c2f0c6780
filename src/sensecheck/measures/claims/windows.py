"""Passages cut into windows of whole sentences, so that a reader of short texts reads all of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.measures.claims.pieces import Piece, pieces, seams

_SHARED = 5
"""Of a sentence that is cut, each part shares one in so many of its words with the part before."""


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of one passage: `text` is exactly its characters `start` to `end`."""

    passage: int
    start: int
    end: int
    text: str


def windows(passages: Sequence[str], *, words: int = 110, overlap: int = 1) -> list[Window]:
    """Every passage in runs of whole sentences of about `words` words, which share `overlap` sentences.

    Two neighbouring sentences meet in one window, unless they have more than twice as many words together;
    a sentence that has more is cut between words, into parts that overlap.
    """
    if words < 1 or overlap < 1:
        raise SpecError(f"`words` and `overlap` are at least 1; found {words} and {overlap}")
    return [
        Window(number, start, end, passage[start:end])
        for number, passage in enumerate(passages)
        for start, end in _places(passage, words, overlap)
    ]


def _places(passage: str, limit: int, overlap: int) -> Iterator[tuple[int, int]]:
    found = pieces(passage)
    lengths = [len(seams(piece.text)) for piece in found]
    start, read = 0, 0
    while read < len(found):
        end = _reach(lengths, start, limit)
        if end > read:  # a window that lies within the one before it reads nothing new
            yield from _cut(found[start:end], limit, lengths[start])
            read = end
        start = max(start + 1, end - overlap)


def _reach(lengths: Sequence[int], start: int, limit: int) -> int:
    """Where a window that starts with sentence `start` ends: where it is full, after two at least."""
    end, total = start + 1, lengths[start]
    while end < len(lengths):
        total += lengths[end]
        if total > (2 * limit if end == start + 1 else limit):
            break
        end += 1
    return end


def _cut(run: Sequence[Piece], limit: int, length: int) -> Iterator[tuple[int, int]]:
    """A run as one window; a sentence alone that is too long, as several."""
    if len(run) > 1 or length <= 2 * limit:
        yield run[0].start, run[-1].end
        return
    said, first = run[0].text, run[0].start
    ends = [*seams(said)[1:], len(said)]
    for at in range(0, len(ends), limit - limit // _SHARED):
        start, end = (ends[at - 1] if at else 0), ends[min(at + limit, len(ends)) - 1]
        yield first + start, first + start + len(said[start:end].rstrip())
        if end == len(said):
            return
