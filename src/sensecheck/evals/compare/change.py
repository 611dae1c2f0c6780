"""A test that came out differently, and what kind of difference that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.verdict import Outcome
from sensecheck.evals.compare.pairing import Pair

Kind = Literal["same", "regression", "fix", "other", "to error", "from error"]
MOVED = 10
"""As many tests are told whose score changed most."""


@dataclass(frozen=True, slots=True)
class Change:
    """A test that came out differently."""

    title: str
    key: str
    wording: str
    source: str
    before: Outcome
    after: Outcome
    score_before: float | None
    score_after: float | None
    because: str
    """The reason of the later outcome."""

    @classmethod
    def of(cls, pair: Pair) -> "Change":
        """What is told of a pair."""
        old, new = pair.before, pair.after
        return cls(
            new.title,
            new.key,
            new.wording,
            new.source,
            old.outcome,
            new.outcome,
            old.score,
            new.score,
            new.because,
        )


def kind_of(before: Outcome, after: Outcome) -> Kind:
    """What became of a test: an error is no outcome to be worse or better than."""
    if before == after:
        return "same"
    if "error" in (before, after):
        return "to error" if after == "error" else "from error"
    if "pass" in (before, after):
        return "regression" if before == "pass" else "fix"
    return "other"


def most_moved(same: Iterable[Change]) -> tuple[Change, ...]:
    """Of tests with the same outcome as before, those whose score changed most."""
    moved = [(change, size) for change in same if (size := _size(change))]
    moved.sort(key=lambda pair: -pair[1])
    return tuple(change for change, _ in moved[:MOVED])


def _size(change: Change) -> float:
    if change.score_before is None or change.score_after is None:
        return 0.0
    return abs(change.score_after - change.score_before)
