"""Does a promise still hold? New labelled rows say yes, no, or not yet."""

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sensecheck.calibration.allowance import fewest
from sensecheck.calibration.binomial import chance_of_at_least, chance_of_at_most
from sensecheck.calibration.intervals import rate
from sensecheck.calibration.target import Target
from sensecheck.core.cutoff import Rate, Side


@dataclass(frozen=True, slots=True)
class Kept:
    """One promise, held against new rows."""

    target: Target
    outcome: Literal["holds", "broken", "above", "too few"]
    """Confirmed with the target's confidence, or the usual one; contradicted with it; or neither.

    An average over many fits is not contradicted by one of them: some lines of a sound method lie above it.
    Such a line is `above`, and never `broken`.
    """
    errors: Rate | None
    """Of the new rows that the promise is about; None where there is none."""
    more: int
    """At least so many more rows, and none of them an error, would confirm it; 0 once it is decided."""
    claims: str = ""
    """For answers of so many claims, where the promise is about those alone."""

    def in_words(self) -> str:
        """`false accepts <= 5% holds: 0 of 80`."""
        seen = "no rows" if self.errors is None else f"{self.errors.value:.1%} of {self.errors.n}"
        kind = "bad" if self.target.errors == "false_accepts" else "good"
        said = {
            "holds": f"holds ({seen})",
            "broken": f"is broken ({seen})",
            "above": f"is an average, and this line is above it ({seen}), as some lines of a sound fit are",
            "too few": f"is not contradicted ({seen}), but needs at least {self.more} more {kind} answers",
        }
        average = " on average" if _is_an_average(self.target) and self.outcome != "above" else ""
        of = f" for answers of {self.claims}" if self.claims else ""
        return f"{self.target.in_words()}{of}{average} {said[self.outcome]}"


def kept(target: Target, sides: Iterable[Side]) -> Kept:
    """The promise against the sides on which new rows of its label fell."""
    wrong: Side = "pass" if target.errors == "false_accepts" else "fail"
    fallen = list(sides)
    hits, n = fallen.count(wrong), len(fallen)
    if n == 0:
        return Kept(target, "too few", None, fewest("exact", target))
    errors, doubt = rate(hits, n), 1 - target.sure
    if chance_of_at_most(hits, n, target.at_most) <= doubt:  # as a line is fitted: `fewest` rows suffice
        return Kept(target, "holds", errors, 0)
    if chance_of_at_least(hits, n, target.at_most) <= doubt:
        return Kept(target, "above" if _is_an_average(target) else "broken", errors, 0)
    return Kept(target, "too few", errors, _more(target, hits, n))


def _is_an_average(target: Target) -> bool:
    """The exact method always states its confidence, the conformal one never does."""
    return target.confidence is None


def _more(target: Target, hits: int, n: int) -> int:
    """How many more rows without an error confirm the promise."""
    doubt = 1 - target.sure
    most = 1
    while chance_of_at_most(hits, n + most, target.at_most) > doubt:
        most *= 2
    enough = range(most + 1)
    return bisect_left(
        enough, True, key=lambda more: chance_of_at_most(hits, n + more, target.at_most) <= doubt
    )
