"""What a reader is shown of a grounded answer: notes, coloured pieces of text, and evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from sensecheck.checks.grounded import READER
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.reading import Evidence, Span
from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.measures.claims.non_claims import NonClaim
from sensecheck.text.words import content_stems, content_words, stem

_WEAK = ("novel_term", "doubted")
"""Kinds that point at a word and say little of it; a mismatch of the same word says more."""
_MAX_WORD_CHARS = 80
"""A word that is quoted in a note is cut after this many characters."""

MAX_WORDS = 8
"""This many words are named in one note."""

Tone = Literal["between", "aside", "supported", "plain", "wrong", "doubtful", "abstained"]
"""`between` is what stands between claims, and `aside`, within one, a citation and what only leads to it;
`plain` is what a claim says next to the words that do not fit."""
_WHOLE: dict[str, Tone] = {
    "supported": "supported",
    "unsupported": "wrong",
    "partially_supported": "wrong",
    "abstained": "abstained",
    "undetermined": "doubtful",
}

Part = Literal["rest", "matching", "instead"]


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that does not fit."""

    number: int
    """Counted through the whole answer, from 1."""
    kind: str
    says: str
    words: tuple[Span, ...]
    """The words of the answer that it is about; none when it is about the whole claim."""
    source: Span | None
    """What the passages say instead."""


def notes_of(grounding: Grounding) -> list[tuple[Note, ...]]:
    """The notes of each claim, in the order of the claims."""
    notes: list[tuple[Note, ...]] = []
    count = 0
    for claim in grounding.claims:
        claim_notes = tuple(_notes(claim, count))
        count += len(claim_notes)
        notes.append(claim_notes)
    return notes


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    """A stretch of the answer."""

    text: str
    tone: Tone
    claim: int | None = None
    """The claim that it belongs to, counted from 0."""
    note: Note | None = None
    """What does not fit there."""
    kind: NonClaim | None = None
    """What it is where it claims nothing."""


def pieces_of(grounding: Grounding, notes: Sequence[Sequence[Note]]) -> Iterator[AnswerPiece]:
    """Every character of the answer, in order."""
    answer, position = grounding.sample.answer, 0
    for index, claim in enumerate(grounding.claims):
        yield from _between(grounding, position, claim.span.start)
        yield from _claim_pieces(grounding, index, notes[index])
        position = claim.span.end
    yield from _between(grounding, position, len(answer))


def evidence_pieces(claim: Span, sentence: Span, notes: Sequence[Note]) -> Iterator[tuple[str, Part]]:
    """Every character of the sentence: words that the claim shares, and what stands in place of its own."""
    stems = content_stems(claim.text)
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


def promises_of(found: Grounding) -> Iterator[tuple[str, Cutoff]]:
    """Each line once, under the name of what is read; the first is that of the support by words."""
    if found.verdict.cutoff is not None:
        yield "support", found.verdict.cutoff
    seconds = (second for part in found.verdict.parts for second in part.parts if second.check == READER)
    cutoffs = (second.cutoff for second in seconds if second.cutoff is not None)
    yield from ((READER, cutoff) for cutoff in dict.fromkeys(cutoffs))


def quote(text: str, longest: int = _MAX_WORD_CHARS) -> str:
    """A text on one line and in quotes, cut where it is long."""
    line = " ".join(text.split())
    return f'"{line if len(line) <= longest else line[: longest - 3] + "..."}"'


def _notes(claim: FoundClaim, count: int) -> Iterator[Note]:
    for number, items in enumerate(_gathered(claim.reasons), count + 1):
        first = items[0]
        spans = [item.answer for item in items if item.answer is not None]
        words = tuple(span for span in spans if span != claim.span)
        source = first.source if first.kind not in _WEAK else None
        yield Note(number, first.kind, _says(first, spans, claim.span), words, source)


def _gathered(reasons: Sequence[Evidence]) -> list[list[Evidence]]:
    """Reasons that make one line: all weak ones of a kind together, each other one alone."""
    strong = [item for item in reasons if item.kind not in _WEAK]
    gathered = [[item] for item in strong]
    for kind in _WEAK:
        weak = [item for item in reasons if item.kind == kind and not _is_covered(item, strong)]
        gathered += [weak] if weak else []
    return gathered


def _is_covered(weak: Evidence, strong: Sequence[Evidence]) -> bool:
    """Whether a mismatch already speaks of this word."""
    return weak.answer is not None and any(
        item.answer is not None
        and item.kind.endswith(("_mismatch", "_swap"))
        and item.answer.start < weak.answer.end
        and weak.answer.start < item.answer.end
        for item in strong
    )


def _says(item: Evidence, spans: Sequence[Span], claim: Span) -> str:
    if not item.note:
        return "says that the passages do not say"
    if not item.note.endswith(":"):
        return item.note
    statement = item.note.removesuffix(":")
    if list(spans) == [claim]:
        return statement
    quoted = list(dict.fromkeys(quote(span.text) for span in spans))
    more = f" and {len(quoted) - MAX_WORDS} more" if len(quoted) > MAX_WORDS else ""
    verb = (
        f"are{statement.removeprefix('is')}" if len(quoted) > 1 and statement.startswith("is ") else statement
    )
    return f"{', '.join(quoted[:MAX_WORDS])}{more} {verb}"


def _between(grounding: Grounding, start: int, end: int) -> Iterator[AnswerPiece]:
    """What stands between two claims: what claims nothing, each for itself, and the marks around it."""
    spans = [
        non_claim
        for non_claim in grounding.non_claims
        if start <= non_claim.span.start and non_claim.span.end <= end
    ]
    borders = sorted(
        {start, end, *(place for non_claim in spans for place in (non_claim.span.start, non_claim.span.end))}
    )
    for low, high in pairwise(borders):
        kind = next(
            (
                non_claim.kind
                for non_claim in spans
                if non_claim.span.start <= low and high <= non_claim.span.end
            ),
            None,
        )
        yield AnswerPiece(grounding.sample.answer[low:high], "between", kind=kind)


def _claim_pieces(grounding: Grounding, index: int, notes: Sequence[Note]) -> Iterator[AnswerPiece]:
    claim = grounding.claims[index]
    start, end, text = claim.span.start, claim.span.end, claim.span.text
    marks = [
        (max(span.start, start) - start, min(span.end, end) - start, note)
        for note in notes
        for span in note.words
    ]
    asides = [
        (non_claim.span.start - start, non_claim.span.end - start, non_claim.kind)
        for non_claim in grounding.non_claims
        if start <= non_claim.span.start and non_claim.span.end <= end and non_claim.span != claim.span
    ]
    borders = {0, end - start, *(place for low, high, _ in (*marks, *asides) for place in (low, high))}
    for low, high in pairwise(sorted(borders)):
        note = next((note for first, last, note in marks if first <= low and high <= last), None)
        aside = next((kind for first, last, kind in asides if first <= low and high <= last), None)
        if note is None and aside is not None:
            yield AnswerPiece(text[low:high], "aside", index, kind=aside)
            continue
        kind: NonClaim | None = "abstention" if claim.support == "abstained" else None
        yield AnswerPiece(text[low:high], _tone(claim, note, marked=bool(marks)), index, note, kind)


def _tone(claim: FoundClaim, note: Note | None, *, marked: bool) -> Tone:
    """Words that do not fit stand out of their claim; a claim without any such word stands out whole."""
    if note is not None and note.kind == "open_part":
        return "abstained"
    if note is not None:
        return "wrong" if claim.support == "unsupported" else "doubtful"
    whole = _WHOLE[claim.support]
    return "plain" if marked and whole in ("wrong", "doubtful") else whole


def _meet(one: Span, other: Span) -> bool:
    return one.where == other.where and one.start < other.end and other.start < one.end


def _part(position: int, instead: Sequence[tuple[int, int]], shared: Sequence[tuple[int, int]]) -> Part:
    if any(start <= position < end for start, end in instead):
        return "instead"
    return "matching" if any(start <= position < end for start, end in shared) else "rest"
