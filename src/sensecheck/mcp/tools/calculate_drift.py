"""`calculate_drift`: how far apart two texts are in meaning."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from sensecheck.checks.gate import Gate
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.shapes import FINGERPRINT, NUMBER, UNREAD, read
from sensecheck.mcp.tool import Payload, Schema, closed
from sensecheck.measures.similarity import Similarity


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

    def call(self, desk: Desk) -> Payload:
        """One minus their closeness."""
        reading, fingerprint = read(desk, self.text_b, Gate(Similarity(self.text_a)))
        return {
            "drift": 1 - reading.value,
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }
