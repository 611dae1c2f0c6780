"""Pieces of results that several tools share, and their schemas."""

from collections.abc import Mapping
from typing import Any

from sensecheck.core.errors import CannotJudge
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.tool import Payload, Schema, closed

NUMBER: Schema = {"type": "number"}
TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
MAYBE_TEXT: Schema = {"type": ["string", "null"]}
FINGERPRINT: Schema = {**MAYBE_TEXT, "description": "The encoder. Numbers of two encoders do not compare."}
UNREAD: Schema = {**COUNT, "description": "Characters that left no trace in the vectors."}
OUTCOME: Schema = {
    "enum": ["pass", "fail", "unsure", "measured", "error"],
    "description": "Only `pass` is a pass. `error` means that nothing could be judged.",
}
SPAN: Schema = {
    **closed({"where": TEXT, "start": COUNT, "end": COUNT, "text": TEXT}),
    "description": "A stretch of one of the texts; offsets count code points.",
}
EVIDENCE: Schema = closed(
    {"kind": TEXT, "answer": SPAN, "source": SPAN, "closeness": NUMBER, "note": TEXT},
    optional=("answer", "source", "closeness", "note"),
)


def span_data(span: Span) -> Payload:
    """A span as plain data."""
    return {"where": span.where, "start": span.start, "end": span.end, "text": span.text}


def evidence_data(item: Evidence) -> Payload:
    """A piece of evidence as plain data; what it has not is left out."""
    sides: Mapping[str, Span | None] = {"answer": item.answer, "source": item.source}
    data: dict[str, Any] = {"kind": item.kind}
    data |= {side: span_data(span) for side, span in sides.items() if span is not None}
    data |= {} if item.closeness is None else {"closeness": item.closeness}
    return data | ({"note": item.note} if item.note else {})


def read(desk: Desk, text: str, check: Check) -> tuple[Reading, str | None]:
    """What a bare check reads of a text, and by which encoder; `CannotJudge` when it cannot be read."""
    verdict = desk.sense.judge(Sample(text), check)
    if verdict.reading is None:
        raise CannotJudge(verdict.because)
    return verdict.reading, verdict.fingerprint
