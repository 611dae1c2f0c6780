"""What a line is to promise: so few errors of one kind, with so much confidence."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from sensecheck.core.data import decode
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown

Errors = Literal["false_accepts", "false_rejects"]
Method = Literal["exact", "conformal", "best_f1"]
SHORT: Mapping[Errors, str] = {"false_accepts": "fpr", "false_rejects": "fnr"}
"""As people write them: the share of bad answers that pass, and of good ones that fail."""
KEYS = (*SHORT.values(), "confidence")
"""What a target is described by."""
USUAL = 0.95
"""The confidence that is meant where none is stated and one is wanted."""


@dataclass(frozen=True, slots=True)
class Target:
    """At most so many errors of a kind, and how surely."""

    errors: Errors
    at_most: float
    confidence: float | None = None
    """For the exact method alone; None where none was stated."""

    def __post_init__(self) -> None:
        if not 0 < self.at_most < 1:
            raise SpecError(f"`{SHORT[self.errors]}` wants a share between 0 and 1; found {self.at_most}")
        if not 0 < self.sure < 1:
            raise SpecError(f"`confidence` wants a share between 0 and 1; found {self.confidence}")

    @property
    def sure(self) -> float:
        """The confidence to count with: the one that was stated, or the usual one."""
        return USUAL if self.confidence is None else self.confidence

    def under(self, method: Method) -> "Target":
        """The target as this method can promise it: the exact one always states its confidence."""
        if method == "exact":
            return replace(self, confidence=self.sure)
        if self.confidence is not None:
            raise SpecError(
                f"`confidence` is for the method `exact`; `{method}` keeps its target on average only"
            )
        return self

    def in_words(self) -> str:
        """`false accepts <= 5% with 95% confidence`."""
        kind = self.errors.replace("_", " ")
        sure = "" if self.confidence is None else f" with {100 * self.confidence:g}% confidence"
        return f"{kind} <= {100 * self.at_most:g}%{sure}"

    def implies(self, other: "Target") -> bool:
        """Whether a line that keeps this promise keeps the other too; of a mere average nobody can say."""
        if self.confidence is None or other.confidence is None:
            return False
        return (
            self.errors == other.errors
            and self.at_most <= other.at_most
            and self.confidence >= other.confidence
        )

    def to_data(self) -> dict[str, float]:
        """`{"fpr": 0.05, "confidence": 0.95}`."""
        sure = {} if self.confidence is None else {"confidence": self.confidence}
        return {SHORT[self.errors]: self.at_most, **sure}

    @classmethod
    def from_data(cls, data: Any) -> "Target":
        """The target that `to_data` described."""
        if not isinstance(data, Mapping):
            raise SpecError(f"a target wants a mapping such as {{fpr: 0.05}}; found {type(data).__name__}")
        for key in data:
            if key not in KEYS:
                raise SpecError(f"in a target: {unknown('key', key, KEYS)}")
        named = [errors for errors, short in SHORT.items() if short in data]
        if len(named) != 1:
            raise SpecError(f"a target wants one of `fpr` and `fnr`; found {len(named)} of them")
        numbers = {key: decode(float, item, at=key) for key, item in data.items()}
        return cls(named[0], numbers[SHORT[named[0]]], numbers.get("confidence"))
