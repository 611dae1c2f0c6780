"""An answer cut into pieces of one colour each, for those who show it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.grounding.notes import Note
from sensecheck.measures.claims.non_claims import NonClaim

Tone = Literal["between", "aside", "supported", "plain", "wrong", "doubtful", "abstained"]
"""`between` is what stands between claims, and `aside`, within one, a citation and what only leads to it;
`plain` is what a claim says beside the words that do not fit."""
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
    kind: NonClaim | None = None
    """What it is where it claims nothing."""


def pieces_of(grounding: Grounding, notes: Sequence[Sequence[Note]]) -> Iterator[Piece]:
    """Every character of the answer, in order."""
    answer, at = grounding.sample.answer, 0
    for index, claim in enumerate(grounding.claims):
        yield from _between(grounding, at, claim.span.start)
        yield from _claim_pieces(grounding, index, notes[index])
        at = claim.span.end
    yield from _between(grounding, at, len(answer))


def _between(grounding: Grounding, start: int, end: int) -> Iterator[Piece]:
    """What stands between two claims: what claims nothing, each for itself, and the marks around it."""
    spans = [one for one in grounding.non_claims if start <= one.span.start and one.span.end <= end]
    borders = sorted({start, end, *(place for one in spans for place in (one.span.start, one.span.end))})
    for low, high in pairwise(borders):
        kind = next((one.kind for one in spans if one.span.start <= low and high <= one.span.end), None)
        yield Piece(grounding.sample.answer[low:high], "between", kind=kind)


def _claim_pieces(grounding: Grounding, index: int, notes: Sequence[Note]) -> Iterator[Piece]:
    claim = grounding.claims[index]
    start, end, text = claim.span.start, claim.span.end, claim.span.text
    marks = [
        (max(span.start, start) - start, min(span.end, end) - start, note)
        for note in notes
        for span in note.words
    ]
    asides = [
        (one.span.start - start, one.span.end - start, one.kind)
        for one in grounding.non_claims
        if start <= one.span.start and one.span.end <= end and one.span != claim.span
    ]
    borders = {0, end - start, *(place for low, high, _ in (*marks, *asides) for place in (low, high))}
    for low, high in pairwise(sorted(borders)):
        note = next((note for first, last, note in marks if first <= low and high <= last), None)
        aside = next((kind for first, last, kind in asides if first <= low and high <= last), None)
        if note is None and aside is not None:
            yield Piece(text[low:high], "aside", index, kind=aside)
            continue
        kind: NonClaim | None = "abstention" if claim.support == "abstained" else None
        yield Piece(text[low:high], _tone(claim, note, marked=bool(marks)), index, note, kind)


def _tone(claim: FoundClaim, note: Note | None, *, marked: bool) -> Tone:
    """Words that do not fit stand out of their claim; a claim without any such word stands out whole."""
    if note is not None and note.kind == "open_part":
        return "abstained"
    if note is not None:
        return "wrong" if claim.support == "unsupported" else "doubtful"
    whole = _WHOLE[claim.support]
    return "plain" if marked and whole in ("wrong", "doubtful") else whole
