"""How far a large run is."""

from dataclasses import dataclass, replace
from typing import Literal

Phase = Literal["routing", "assessing", "writing"]


@dataclass(frozen=True, slots=True)
class Progress:
    """What is told after every task, whoever does the work."""

    phase: Phase
    done: int
    """Pieces of the input while these are routed; afterwards rows."""
    total: int
    rows: int = 0
    """Rows that were routed, or assessed."""
    errors: int = 0
    """Rows that are errors, so far."""
    link: str | None = None
    """A page on which the workers can be watched."""

    def plus(self, done: int, rows: int, errors: int = 0) -> "Progress":
        """So much further."""
        return replace(self, done=self.done + done, rows=self.rows + rows, errors=self.errors + errors)
