"""What a system answered, how sure it was, and how wrong."""

import math
from dataclasses import dataclass

from sensecheck.core.errors import SampleError


@dataclass(frozen=True, slots=True)
class Scored:
    """One output of one arm; without a confidence the system abstained."""

    id: str
    """What was asked; the same in both arms."""
    confidence: float | None
    loss: float | None = None
    """0 for right and 1 for wrong, or any number from 0 up; of an abstention it is not looked at."""
    group: str | None = None
    """What outputs share that are not independent: a participant, a document. None for itself alone."""

    def __post_init__(self) -> None:
        if self.confidence is None:
            return
        if not math.isfinite(self.confidence):
            raise SampleError(f"`confidence` wants a finite number, or none; found {self.confidence}")
        if self.loss is None:
            raise SampleError("an output with a confidence wants a `loss`; only an abstention has none")
        if not (math.isfinite(self.loss) and self.loss >= 0):
            raise SampleError(f"`loss` wants a finite number from 0 up; found {self.loss}")
