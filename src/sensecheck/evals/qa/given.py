"""What came of asking one question, before anything is read off it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sensecheck.core.run import KeptAnswer, KeptReading, storable


@dataclass(frozen=True, slots=True)
class Given:
    """An answer, recorded or just written; or why there is none."""

    answer: str | None
    error: str | None = None
    passages: tuple[str, ...] | None = None
    """What the prompt held, () for nothing; None where that is what the question came with."""
    latency_ms: float | None = None
    cost: float | None = None
    labels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.answer is not None:  # what is read is what is kept
            object.__setattr__(self, "answer", storable(self.answer))

    def kept(self, readings: tuple[KeptReading, ...]) -> KeptAnswer:
        """With what was read off it, as a store keeps it."""
        return KeptAnswer(
            self.answer,
            readings,
            self.error,
            self.passages,
            self.latency_ms,
            self.cost,
            self.labels,
        )
