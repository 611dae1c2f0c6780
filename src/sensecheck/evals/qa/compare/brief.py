"""A run, as a comparison or a trend names it."""

from dataclasses import dataclass
from typing import Any

from sensecheck.core.run import Run
from sensecheck.core.serialization import to_data


@dataclass(frozen=True, slots=True)
class RunBrief:
    """Which run it is, and how far it has come."""

    run: int
    """Its number."""
    id: str
    project: str
    test: str
    name: str
    at: str
    """When it began."""
    done: int
    size: int
    """How many questions its set has."""

    @classmethod
    def of(cls, run: Run) -> "RunBrief":
        """What is told of a run."""
        return cls(
            run.key,
            run.id,
            run.test.project,
            run.test.name,
            run.name,
            run.started_at.isoformat(timespec="seconds"),
            run.done,
            run.set.size,
        )

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)
