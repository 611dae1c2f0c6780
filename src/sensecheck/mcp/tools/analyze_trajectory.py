"""`analyze_trajectory`: whether a text gets on or turns in circles."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from sensecheck.checks.gate import Gate
from sensecheck.core.sample import Sample
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.shapes import (
    COUNT,
    EVIDENCE,
    FINGERPRINT,
    NUMBER,
    SPAN,
    TEXT,
    UNREAD,
    evidence_data,
    read,
    span_data,
)
from sensecheck.mcp.tool import Payload, Schema, closed
from sensecheck.measures.repetition import Circling, sentence_spans


@dataclass(frozen=True, slots=True)
class AnalyzeTrajectory:
    """A call of `analyze_trajectory`."""

    name: ClassVar[str] = "analyze_trajectory"
    title: ClassVar[str] = "Does reasoning turn in circles?"
    about: ClassVar[str] = (
        "The shape of the path that the sentences of a text take. `heller_score` goes from 0 (it gets on) "
        "to 1 (it says the same over and over and concludes nothing); above 0.6 is usually taken for "
        "circular. Wants at least two sentences; fewer are an error and no judgement."
    )
    result: ClassVar[Schema] = closed(
        {
            "heller_score": {**NUMBER, "minimum": 0, "maximum": 1},
            "because": {**TEXT, "description": "What the score is made of."},
            "sentence_count": COUNT,
            "repeated": {
                "type": "array",
                "items": EVIDENCE,
                "description": "Sentences that nearly repeat an earlier one, each with that one.",
            },
            "sentences": {"type": "array", "items": SPAN, "description": "Only when they were asked for."},
            "fingerprint": FINGERPRINT,
            "unread_chars": UNREAD,
        },
        optional=("sentences",),
    )

    text: Annotated[str, "The text whose reasoning is looked at."]
    include_sentences: Annotated[bool, "Whether to list the sentences with their places."] = False

    def call(self, desk: Desk) -> Payload:
        """The score, with what is repeated."""
        reading, fingerprint = read(desk, self.text, Gate(Circling()))
        said = sentence_spans(Sample(self.text))
        return {
            "heller_score": reading.value,
            "because": reading.because,
            "sentence_count": len(said),
            "repeated": [evidence_data(item) for item in reading.evidence],
            **({"sentences": [span_data(span) for span in said]} if self.include_sentences else {}),
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }
