"""The sentences of a passage, and where a sentence may be cut."""

from dataclasses import dataclass

from sensecheck.measures.text.sentences import sentences
from sensecheck.measures.text.words import words

_LONGEST_WORD = 24
"""In characters; a longer stretch without a word's start, as Thai or a link has, counts as several words."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence: `text` is exactly its characters `start` to `end`."""

    start: int
    end: int
    text: str


def pieces(passage: str) -> list[Piece]:
    """The sentences of a passage."""
    return [Piece(start, end, passage[start:end]) for start, end in sentences(passage)]


def seams(said: str) -> list[int]:
    """Where the words of a sentence start, itself first; as many as it has words."""
    found = [0]
    for start in (*(word.start for word in words(said)[1:]), len(said)):
        found += range(found[-1] + _LONGEST_WORD, start, _LONGEST_WORD)
        if start < len(said):
            found.append(start)
    return found
