"""What a cutoff is to promise, in numbers and in words: so few errors of one kind, and how surely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import decode, did_you_mean

Errors = Literal["false_accepts", "false_rejects"]
Method = Literal["exact", "conformal", "best_f1"]
SHORT: Mapping[Errors, str] = {"false_accepts": "fpr", "false_rejects": "fnr"}
"""As people write them: the share of bad answers that pass, and of good ones that fail."""
KEYS = (*SHORT.values(), "confidence")
"""What a target is described by."""
USUAL = 0.95
"""The confidence that is meant where none is stated and one is wanted."""
_WHAT: dict[Errors, str] = {
    "false_accepts": "of new bad answers of {kind}, at most {share:g}% pass{check}",
    "false_rejects": "of new good answers of {kind}, at most {share:g}% fail{check}",
}
_WHAT_OF_GROUPS: dict[Errors, str] = {
    "false_accepts": (
        "of bad answers of {kind}, one picked at random from each new {group}, at most {share:g}% pass{check}"
    ),
    "false_rejects": (
        "of good answers of {kind}, one picked at random from each new {group}, "
        "at most {share:g}% fail{check}"
    ),
}
"""One row of each group and label is counted, so that nothing is known of all rows of a large group."""


@dataclass(frozen=True, slots=True)
class Target:
    """At most N errors of a kind, and how surely."""

    errors: Errors
    at_most: float
    confidence: float | None = None
    """For the exact method alone; None where none was stated."""

    def __post_init__(self) -> None:
        if not 0 < self.at_most < 1:
            raise SpecError(f"`{SHORT[self.errors]}` must be a share between 0 and 1; got {self.at_most}")
        if not 0 < self.sure < 1:
            raise SpecError(f"`confidence` must be a share between 0 and 1; got {self.confidence}")

    @property
    def sure(self) -> float:
        """The confidence to count with: the one that was stated, or the usual one."""
        return USUAL if self.confidence is None else self.confidence

    def with_method(self, method: Method) -> "Target":
        """The target as this method can promise it: the exact one always states its confidence."""
        if method == "exact":
            return replace(self, confidence=self.sure)
        if self.confidence is not None:
            raise SpecError(
                f"`confidence` is for the method `exact`; `{method}` keeps its target on average only"
            )
        return self

    def describe(self) -> str:
        """`false accepts <= 5% with 95% confidence`."""
        kind = self.errors.replace("_", " ")
        sure = "" if self.confidence is None else f" with {100 * self.confidence:g}% confidence"
        return f"{kind} <= {100 * self.at_most:g}%{sure}"

    def implies(self, other: "Target") -> bool:
        """Whether a cutoff that keeps this promise keeps the other too; of a mere average no one can say."""
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
            raise SpecError(f"a target must be a mapping such as {{fpr: 0.05}}; got {type(data).__name__}")
        for key in data:
            if key not in KEYS:
                raise SpecError(f"in a target: {did_you_mean('key', key, KEYS)}")
        named = [errors for errors, short in SHORT.items() if short in data]
        if len(named) != 1:
            raise SpecError(f"a target must have one of `fpr` and `fnr`; got {len(named)} of them")
        numbers = {key: decode(float, item, at=key) for key, item in data.items()}
        return cls(named[0], numbers[SHORT[named[0]]], numbers.get("confidence"))


def promise_of(
    method: Method,
    targets: Sequence[Target],
    *,
    grouped: str | None,
    check: str | None = None,
    claims: str | None = None,
) -> str:
    """What holds on new answers, by the column that groups them; a cutoff that promises nothing says so.

    With a `check` it is about that check's verdicts, and with `claims` about answers of so many of them.
    """
    if method == "best_f1":
        return (
            "promises nothing on new answers: of all cutoffs, this one found the bad ones best (F1) among "
            "the rows that it was fitted on"
        )
    promise = "; ".join(
        _promised(method, target, _what(target, grouped, check, claims)) for target in targets
    )
    return (
        promise if method == "conformal" or len(targets) == 1 else f"{promise}; each with its own confidence"
    )


def _promised(method: Method, target: Target, what: str) -> str:
    """The target, and how surely the method keeps it."""
    if method == "exact":
        return f"{target.describe()}: {what}"
    return (
        f"{target.errors.replace('_', ' ')} <= {100 * target.at_most:g}% on average over many fits, "
        f"with no stated confidence for this one: {what}, on that average"
    )


def _what(target: Target, grouped: str | None, check: str | None, claims: str | None) -> str:
    share = 100 * target.at_most
    kind = "the same kind" if claims is None else f"the same kind and of {claims}"
    whole = "" if check is None else f" `{check}`"
    if grouped is None:
        return _WHAT[target.errors].format(share=share, kind=kind, check=whole)
    group = "group" if grouped == "group" else f"group (`{grouped}`)"
    return _WHAT_OF_GROUPS[target.errors].format(share=share, group=group, kind=kind, check=whole)
