"""What a line is to promise: so few errors of one kind, with so much confidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sensecheck.core.data import decode
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown

Errors = Literal["false_accepts", "false_rejects"]
Method = Literal["exact", "conformal", "best_f1"]
SHORT: Mapping[Errors, str] = {"false_accepts": "fpr", "false_rejects": "fnr"}
"""As people write them: the share of bad answers that pass, and of good ones that fail."""


@dataclass(frozen=True, slots=True)
class Target:
    """At most so many errors of a kind; `confidence` is for the exact method alone."""

    errors: Errors
    at_most: float
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0 < self.at_most < 1:
            raise SpecError(f"`{SHORT[self.errors]}` wants a share between 0 and 1; found {self.at_most}")
        if not 0 < self.confidence < 1:
            raise SpecError(f"`confidence` wants a share between 0 and 1; found {self.confidence}")

    def in_words(self) -> str:
        """`false accepts <= 5% with 95% confidence`."""
        kind = self.errors.replace("_", " ")
        return f"{kind} <= {100 * self.at_most:g}% with {100 * self.confidence:g}% confidence"

    def implies(self, other: "Target") -> bool:
        """Whether a line that keeps this promise keeps the other one too."""
        return (
            self.errors == other.errors
            and self.at_most <= other.at_most
            and self.confidence >= other.confidence
        )

    def to_data(self) -> dict[str, float]:
        """`{"fpr": 0.05, "confidence": 0.95}`."""
        return {SHORT[self.errors]: self.at_most, "confidence": self.confidence}

    @classmethod
    def from_data(cls, data: Any) -> "Target":
        """The target that `to_data` described."""
        if not isinstance(data, Mapping):
            raise SpecError(f"a target wants a mapping such as {{fpr: 0.05}}; found {type(data).__name__}")
        known = (*SHORT.values(), "confidence")
        for key in data:
            if key not in known:
                raise SpecError(f"in a target: {unknown('key', key, known)}")
        named = [errors for errors, short in SHORT.items() if short in data]
        if len(named) != 1:
            raise SpecError(f"a target wants one of `fpr` and `fnr`; found {len(named)} of them")
        numbers = {key: decode(float, item, at=key) for key, item in data.items()}
        return cls(named[0], numbers[SHORT[named[0]]], numbers.get("confidence", 0.95))
