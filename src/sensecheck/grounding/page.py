"""A grounding as one page to look at: one file, which wants a browser and fetches nothing."""

from collections.abc import Iterator, Sequence
from typing import Any

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.reading import Span
from sensecheck.core.verdict import Verdict, promise_under, why_no_promise
from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.grounding.highlights import MAX_WORDS, Note, evidence_pieces, notes_of, pieces_of, promises_of
from sensecheck.io.pages import blob, built_page, json_bytes, readable

FORMAT = 1
"""Of the data in the page; `ui/src/data/grounding.ts` reads it."""


def page_of(found: Grounding, names: Sequence[str] = ()) -> str:
    """A whole HTML file; `names` are those of the files that the first passages come from."""
    before, after = built_page("sensecheck.grounding", "grounding_page.html")
    return before + blob("grounding", json_bytes(page_data(found, names))) + after


def page_data(found: Grounding, names: Sequence[str] = ()) -> dict[str, Any]:
    """What the page shows, as plain data; offsets are counted as a browser counts."""
    notes, spans = notes_of(found), _Spans(found)
    reading, cutoff = found.verdict.reading, found.verdict.cutoff
    data = {
        "format": FORMAT,
        "support": found.support,
        "outcome": found.outcome,
        "accepted": found.accepted,
        "because": found.because,
        "question": found.sample.question,
        "policy": found.policy.mark,
        "fail_mode": found.policy.fail_mode,
        "value": None if reading is None else reading.value,
        "threshold": None if cutoff is None else _threshold("support", cutoff, found.verdict),
        "unread_chars": None if reading is None else found.unread_chars,
        "answer": [
            [piece.text, piece.tone, piece.claim, piece.kind if piece.note is None else piece.note.says]
            for piece in pieces_of(found, notes)
        ],
        "claims": [
            _claim(claim, claim_notes, spans) for claim, claim_notes in zip(found.claims, notes, strict=True)
        ],
        "passages": [
            {"name": names[index] if index < len(names) else None, "text": text}
            for index, text in enumerate(found.sample.passages)
        ],
        "injections": [spans.data(span) for span in found.injections],
        "explained": None if found.claims else found.explain(),
        "thresholds": [
            _threshold(name, promised_cutoff, found.verdict) for name, promised_cutoff in promises_of(found)
        ],
        "encoder": found.verdict.fingerprint,
    }
    return dict(readable(data))


class _Spans:
    """Places in the passages: for people as everywhere, in code points; for the browser in UTF-16."""

    def __init__(self, grounding: Grounding) -> None:
        self._written = grounding.places()
        self._counted = grounding.places("utf16")

    def data(self, span: Span) -> dict[str, Any]:
        """A span of a passage."""
        start, end = self._counted.of(span)
        passage = int(span.where.removeprefix("passages[").removesuffix("]"))
        return {"passage": passage, "start": start, "end": end, "place": self._written.written(span)}


def _claim(claim: FoundClaim, notes: Sequence[Note], spans: _Spans) -> dict[str, Any]:
    return {
        "text": claim.span.text,
        "support": claim.support,
        "value": claim.value,
        "notes": [
            {
                "kind": note.kind,
                "says": note.says,
                "words": list(dict.fromkeys(span.text for span in note.words))[:MAX_WORDS],
                "source": None if note.source is None else spans.data(note.source),
            }
            for note in notes
        ],
        "evidence": list(_evidence(claim, notes, spans)),
    }


def _evidence(claim: FoundClaim, notes: Sequence[Note], spans: _Spans) -> Iterator[dict[str, Any]]:
    """The best sentence, and the others that share a word; for a claim that states nothing, none."""
    for rank, span in enumerate(claim.evidence if claim.support != "abstained" else ()):
        pieces = list(evidence_pieces(claim.span, span, notes))
        if rank == 0 or any(part != "rest" for _, part in pieces):
            yield {**spans.data(span), "pieces": [list(piece) for piece in pieces]}


def _threshold(name: str, cutoff: Cutoff, verdict: Verdict) -> dict[str, Any]:
    """A cutoff, and what it promises of the answer's verdict; one on a single claim promises nothing."""
    is_answer_cutoff = cutoff == verdict.cutoff
    promise = promise_under(verdict) if is_answer_cutoff else ""
    why = (
        why_no_promise(verdict)
        if is_answer_cutoff
        else "it is about a single claim, and not about the answer"
    )
    return {
        "name": name,
        "line": cutoff.value,
        "good": cutoff.good,
        "doubt": cutoff.doubt,
        "words": cutoff.describe(),
        "calibrated": cutoff.calibrated,
        "promise": promise.replace("<=", "≤") or None,
        "no_promise": None if promise else why,
    }
