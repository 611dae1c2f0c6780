"""`classify_text`: which group of examples a text belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar

from sensecheck.checks.gate import Gate
from sensecheck.core.errors import SpecError
from sensecheck.mcp.desk import Desk
from sensecheck.mcp.shapes import FINGERPRINT, NUMBER, TEXT, UNREAD, read
from sensecheck.mcp.tool import Payload, Schema, closed
from sensecheck.measures.exemplars import ClusterMargin, Nearness


@dataclass(frozen=True, slots=True)
class ClassifyText:
    """A call of `classify_text`."""

    name: ClassVar[str] = "classify_text"
    title: ClassVar[str] = "Classify a text by examples"
    about: ClassVar[str] = (
        "Which of two or more clusters of example texts a text lies nearest to. A small `margin` (below "
        "about 0.03) means that it belongs to neither; more and better examples make it grow."
    )
    result: ClassVar[Schema] = closed(
        {
            "nearest": {**TEXT, "description": "The name of the cluster."},
            "distances": {
                "type": "object",
                "additionalProperties": NUMBER,
                "description": "The drift from each cluster; smaller is nearer.",
            },
            "margin": {
                **NUMBER,
                "minimum": 0,
                "description": "How much further away the next cluster is.",
            },
            "fingerprint": FINGERPRINT,
            "unread_chars": UNREAD,
        }
    )

    text: Annotated[str, "The text to classify."]
    clusters: Annotated[Mapping[str, tuple[str, ...]], "Example texts under the name of their cluster."]
    by: Annotated[Nearness, "How near a cluster is: its examples' mean, its nearest example, its centre."] = (
        "mean"
    )

    def call(self, desk: Desk) -> Payload:
        """The nearest cluster, and how far away all of them are."""
        if not self.clusters:
            raise SpecError("`clusters` wants at least two clusters; found 0")
        anyone = next(iter(self.clusters))
        reading, fingerprint = read(desk, self.text, Gate(ClusterMargin(self.clusters, anyone, self.by)))
        near = {item.note: item.closeness or 0.0 for item in reading.evidence}
        first, second, *_ = near.values()
        return {
            "nearest": reading.evidence[0].note,
            "distances": {name: 1 - near[name] for name in self.clusters},
            "margin": first - second,
            "fingerprint": fingerprint,
            "unread_chars": reading.unread_chars,
        }
