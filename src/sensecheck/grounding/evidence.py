"""A sentence of the passages cut into what a claim takes from it and what it should have said."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

from sensecheck.core.reading import Span
from sensecheck.grounding.notes import Note
from sensecheck.text.words import content_words, stem

Part = Literal["rest", "matching", "instead"]


def evidence_pieces(claim: Span, sentence: Span, notes: Sequence[Note]) -> Iterator[tuple[str, Part]]:
    """Every character of the sentence: words that the claim shares, and what stands in place of its own."""
    stems = {stem(word.text) for word in content_words(claim.text)}
    shared = [(word.start, word.end) for word in content_words(sentence.text) if stem(word.text) in stems]
    instead = [
        (max(note.source.start, sentence.start) - sentence.start, note.source.end - sentence.start)
        for note in notes
        if note.source is not None and _meet(note.source, sentence)
    ]
    length = len(sentence.text)
    borders = {0, length, *(min(place, length) for span in (*shared, *instead) for place in span)}
    for low, high in pairwise(sorted(borders)):
        yield sentence.text[low:high], _part(low, instead, shared)


def _part(
    at: int, instead: Sequence[tuple[int, int]], shared: Sequence[tuple[int, int]]
) -> Literal["rest", "matching", "instead"]:
    if any(start <= at < end for start, end in instead):
        return "instead"
    return "matching" if any(start <= at < end for start, end in shared) else "rest"


def _meet(one: Span, other: Span) -> bool:
    return one.where == other.where and one.start < other.end and other.start < one.end
