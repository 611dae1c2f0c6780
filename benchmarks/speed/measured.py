"""A measured ratio, and the goal it is held against."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Goal:
    """Where a ratio should lie."""

    line: float
    good: Literal["above", "below"]
    slack: float = 0.85
    """How much of the goal a noisy machine may miss before something must be broken."""

    def met(self, ratio: float) -> bool:
        """Whether the ratio lies on the good side."""
        return ratio >= self.line if self.good == "above" else ratio <= self.line

    def broken(self, ratio: float) -> bool:
        """Whether it misses the goal by more than noise explains."""
        return ratio < self.line * self.slack if self.good == "above" else ratio > self.line / self.slack

    def describe(self) -> str:
        """The goal as people say it."""
        word = "at least" if self.good == "above" else "at most"
        return f"{word} {shown(self.line)}"


@dataclass(frozen=True, slots=True)
class Measured:
    """A ratio over some rounds: the median, and how far the rounds lie apart."""

    name: str
    about: str
    """What is divided by what."""
    ratio: float
    low: float
    high: float
    rounds: int
    goal: Goal | None = None
    """None for what is only reported."""
    notes: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        name: str,
        about: str,
        *,
        ratios: Sequence[float],
        goal: Goal | None = None,
        notes: Mapping[str, object] | None = None,
    ) -> "Measured":
        """The median of paired rounds, with the lowest and highest of them."""
        middle = statistics.median(ratios)
        return cls(name, about, middle, min(ratios), max(ratios), len(ratios), goal, notes or {})

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None when there is none."""
        return None if self.goal is None else self.goal.met(self.ratio)

    @property
    def broken(self) -> bool:
        """Whether even the kindest round misses the goal by more than noise explains.

        A neighbour on the machine spoils rounds; what is really slow is slow in all of them.
        """
        if self.goal is None:
            return False
        return self.goal.broken(self.high if self.goal.good == "above" else self.low)

    def to_data(self) -> dict[str, Any]:
        """The measured ratio as plain data, ready for JSON."""
        return {
            "name": self.name,
            "about": self.about,
            "ratio": round(self.ratio, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
            "rounds": self.rounds,
            "goal": None if self.goal is None else self.goal.describe(),
            "met": self.met,
            "notes": dict(self.notes),
        }


def shown(ratio: float) -> str:
    """A ratio with as many digits as it deserves."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.3f}".rstrip("0").rstrip(".")
