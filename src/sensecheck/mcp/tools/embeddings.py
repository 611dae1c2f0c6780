"""The tools on where texts are: `embed_text`, `calculate_drift` and `analyze_trajectory`."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from sensecheck.checks.gate import Gate
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import to_data
from sensecheck.core.space import Space
from sensecheck.mcp.tool import (
    COUNT,
    EVIDENCE,
    FINGERPRINT,
    NUMBER,
    SPAN,
    TEXT,
    UNREAD,
    Payload,
    Schema,
    ToolContext,
    closed,
    read,
)
from sensecheck.measures.repetition import Circling, sentence_spans
from sensecheck.measures.similarity import Similarity


@dataclass(frozen=True, slots=True)
class EmbedText:
    """A call of `embed_text`."""

    name: ClassVar[str] = "embed_text"
    title: ClassVar[str] = "Embed a text"
    about: ClassVar[str] = (
        "The embedding of a text, as one unit vector; a long text is read whole. For code that stores or "
        "searches vectors. To compare two texts, call `calculate_drift` instead: it is one call, and short."
    )
    result: ClassVar[Schema] = closed(
        {
            "embedding": {"type": "array", "items": NUMBER},
            "dimension": COUNT,
            "fingerprint": FINGERPRINT,
            "windows": {**COUNT, "description": "How many pieces the text was read in."},
            "unread_chars": UNREAD,
        }
    )

    text: Annotated[str, "The text to embed."]

    def call(self, context: ToolContext) -> Payload:
        """The vector, and what made it."""
        space = Space.of([self.text], context.encoder)
        embedding = space.embedding(self.text)
        return {
            "embedding": embedding.vector.tolist(),
            "dimension": len(embedding.vector),
            "fingerprint": space.encoder,
            "windows": len(embedding.windows),
            "unread_chars": embedding.unread_chars,
        }


@dataclass(frozen=True, slots=True)
class CalculateDrift:
    """A call of `calculate_drift`."""

    name: ClassVar[str] = "calculate_drift"
    title: ClassVar[str] = "How far two texts drift apart"
    about: ClassVar[str] = (
        "The cosine distance of two texts: 0 for the same meaning, about 1 for unrelated texts, at most 2. "
        "It hardly sees a negation or an exchanged number; to judge whether an answer says what it should, "
        "call `check_answer`."
    )
    result: ClassVar[Schema] = closed(
        {
            "drift": {**NUMBER, "minimum": 0, "maximum": 2},
            "fingerprint": FINGERPRINT,
            "unread_chars": UNREAD,
        }
    )

    text_a: Annotated[str, "One text, such as the expected answer."]
    text_b: Annotated[str, "The other text, such as the answer that was given."]

    def call(self, context: ToolContext) -> Payload:
        """One minus their similarity."""
        reading, fingerprint = read(context, self.text_b, Gate(Similarity(self.text_a)))
        return {
            "drift": 1 - reading.value,
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }


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

    def call(self, context: ToolContext) -> Payload:
        """The score, with what is repeated."""
        reading, fingerprint = read(context, self.text, Gate(Circling()))
        spans = sentence_spans(Sample(self.text))
        return {
            "heller_score": reading.value,
            "because": reading.because,
            "sentence_count": len(spans),
            "repeated": [to_data(item) for item in reading.evidence],
            **({"sentences": [to_data(span) for span in spans]} if self.include_sentences else {}),
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }
