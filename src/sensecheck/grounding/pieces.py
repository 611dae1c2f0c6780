"""An answer cut into pieces of one colour each, for those who show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.grounding.notes import Note

Tone = Literal["between", "supported", "plain", "wrong", "doubtful", "abstained"]
"""`between` is what stands between claims; `plain`, what a claim says beside the words that do not fit."""
_WHOLE: dict[str, Tone] = {
    "supported": "supported",
    "unsupported": "wrong",
    "partially_supported": "wrong",
    "abstained": "abstained",
    "undetermined": "doubtful",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the answer."""

    text: str
    tone: Tone
    claim: int | None = None
    """The claim that it belongs to, counted from 0."""
    note: Note | None = None
    """What does not fit there."""


def pieces_of(grounding: Grounding, notes: Sequence[Sequence[Note]]) -> Iterator[Piece]:
    """Every character of the answer, in order."""
    answer, at = grounding.sample.answer, 0
    for index, claim in enumerate(grounding.claims):
        if at < claim.span.start:
            yield Piece(answer[at : claim.span.start], "between")
        yield from _claim_pieces(claim, index, notes[index])
        at = claim.span.end
    if at < len(answer):
        yield Piece(answer[at:], "between")


def _claim_pieces(claim: FoundClaim, index: int, notes: Sequence[Note]) -> Iterator[Piece]:
    start, end, text = claim.span.start, claim.span.end, claim.span.text
    marks = [
        (max(span.start, start) - start, min(span.end, end) - start, note)
        for note in notes
        for span in note.words
    ]
    borders = sorted({0, end - start, *(place for low, high, _ in marks for place in (low, high))})
    for low, high in pairwise(borders):
        note = next((note for first, last, note in marks if first <= low and high <= last), None)
        yield Piece(text[low:high], _tone(claim, note, marked=bool(marks)), index, note)


def _tone(claim: FoundClaim, note: Note | None, *, marked: bool) -> Tone:
    """Words that do not fit stand out of their claim; a claim without any such word stands out whole."""
    if note is not None and note.kind == "open_part":
        return "abstained"
    if note is not None:
        return "wrong" if claim.support == "unsupported" else "doubtful"
    whole = _WHOLE[claim.support]
    return "plain" if marked and whole in ("wrong", "doubtful") else whole
