"""Answers that somebody has labelled, as they were read and decided: what a line is fitted on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sensecheck.core.cutoff import Cutoff, Side


class Decided(Protocol):
    """An answer that a whole check decides, of which one line is still open."""

    @property
    def passes(self) -> float:
        """The strictest line under which the answer passes; infinite where no line or every line lets it."""
        ...

    @property
    def fails(self) -> float:
        """The strictest line under which the answer does not fail; infinite as above."""
        ...

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes; None for a check that does not count them."""
        ...

    def side(self, cutoff: Cutoff) -> Side:
        """The verdict of the check under this line; what cannot be judged is `unsure`."""
        ...


@dataclass(frozen=True, slots=True)
class Labelled:
    """One reading, and whether the answer it was read from is good."""

    value: float
    good: bool
    group: str | None = None
    """Rows of one prompt or document: they stay together, and count once. None for a row of its own."""
    slices: Mapping[str, str] = field(default_factory=dict)
    """Named columns that rates are also counted by: `{"model": "small"}`."""
    decided: Decided | None = field(default=None, compare=False, repr=False)
    """What the whole check makes of the answer; None where the reading against the line is all there is."""

    @property
    def passes(self) -> float:
        """The strictest line that the answer passes."""
        return self.value if self.decided is None else self.decided.passes

    @property
    def fails(self) -> float:
        """The strictest line under which the answer does not fail."""
        return self.value if self.decided is None else self.decided.fails

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes, where the check counts them."""
        return None if self.decided is None else self.decided.claims

    def side(self, cutoff: Cutoff) -> Side:
        """What is decided under a line."""
        return cutoff.side(self.value) if self.decided is None else self.decided.side(cutoff)
