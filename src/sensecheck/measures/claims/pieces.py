"""The sentences of a passage, with their places."""

from dataclasses import dataclass

from sensecheck.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class Piece:
    """One sentence: `text` is exactly its characters `start` to `end`."""

    start: int
    end: int
    text: str


def pieces(passage: str) -> list[Piece]:
    """The sentences of a passage."""
    return [Piece(start, end, passage[start:end]) for start, end in sentences(passage)]
