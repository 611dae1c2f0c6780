"""`embed_text`: where a text lies."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from sensecheck.core.space import Space
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.shapes import COUNT, FINGERPRINT, NUMBER, UNREAD
from sensecheck.mcp.tool import Payload, Schema, closed


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

    def call(self, desk: Desk) -> Payload:
        """The vector, and what made it."""
        space = Space.of([self.text], desk.encoder)
        placement = space.placement(self.text)
        return {
            "embedding": placement.vector.tolist(),
            "dimension": len(placement.vector),
            "fingerprint": space.encoder,
            "windows": len(placement.windows),
            "unread_chars": placement.unread_chars,
        }
