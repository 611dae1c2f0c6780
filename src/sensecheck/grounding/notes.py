"""What does not fit in an answer, as lines that people read, each with the words that it is about."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.core.reading import Evidence, Span
from sensecheck.grounding.grounding import FoundClaim, Grounding

_WEAK = ("novel_term", "doubted")
"""Kinds that point at a word and say little of it; a mismatch of the same word says more."""
LONGEST = 80
"""A word that is quoted in a note is cut after so many characters."""

MOST = 8
"""So many words are named in one note."""


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
        found = tuple(_notes(claim, count))
        count += len(found)
        notes.append(found)
    return notes


def quote(text: str, longest: int = LONGEST) -> str:
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
    said = item.note.removesuffix(":")
    if list(spans) == [claim]:
        return said
    quoted = list(dict.fromkeys(quote(span.text) for span in spans))
    more = f" and {len(quoted) - MOST} more" if len(quoted) > MOST else ""
    verb = f"are{said.removeprefix('is')}" if len(quoted) > 1 and said.startswith("is ") else said
    return f"{', '.join(quoted[:MOST])}{more} {verb}"
