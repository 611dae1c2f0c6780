"""A measure under the name that a store and a report know it by."""

from dataclasses import dataclass
from typing import Literal

from sensecheck.core.protocols import Measure

Kind = Literal["lexical", "semantic", "combined", "facts", "context", "judged"]
KINDS: tuple[Kind, ...] = ("lexical", "semantic", "combined", "facts", "context", "judged")


@dataclass(frozen=True, slots=True)
class Metric:
    """What is read off every answer of a run."""

    name: str
    measure: Measure
    kind: Kind

    @property
    def by_each_encoder(self) -> bool:
        """Whether it is read once an encoder, where a run has several; else by the first alone."""
        return self.kind == "semantic"

    @property
    def uses_encoder(self) -> bool:
        """Whether its number depends on the encoder, so that it is kept with that one's name."""
        return self.kind in ("semantic", "combined", "context")

    @property
    def keeps_reasons(self) -> bool:
        """Whether why it is so is kept beside the number; of words and vectors the number says it all."""
        return self.kind not in ("lexical", "semantic")
