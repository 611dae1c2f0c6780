"""What a card speaks of: the verdicts of one check, and how often they erred on rows that were held out.

Rates are counted once for all answers and, where the check counts claims, by how many of them an answer
makes.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.calibration.placement import fewest
from sensecheck.calibration.split import AnyRow, Row, one_each
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Rate
from sensecheck.core.errors import SpecError

OPEN = "this card"
"""What stands in a check as data where the fitted cutoff is to stand."""
_DIGEST_CHARS = 12


@dataclass(frozen=True, slots=True)
class Decision:
    """The check whose verdicts a card speaks of."""

    name: str
    """As people call it: `means`, `grounded (policy strict)`."""
    use: Mapping[str, Any]
    """The check as a user would write it, in which only the cutoff is missing: `{"kind": "means"}`."""
    key: str
    """Under which key of that the card's name is to stand."""
    check: Mapping[str, Any]
    """The same in full, with all its parts and their cutoffs, and `this card` where the cutoff belongs."""

    @property
    def mark(self) -> str:
        """Its name and digest, as certificates carry it."""
        return f"{self.name}#{digest_of(self.check)}"


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of each label a part of the data holds; rows of one group count once."""

    good: int
    bad: int

    def __post_init__(self) -> None:
        if min(self.good, self.bad) < 0:
            raise SpecError(f"counts of a card must be 0 or more; got {self.good} good and {self.bad} bad")


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """What the cutoff did on rows that it was not fitted on."""

    false_accepts: Rate | None = None
    """Bad answers that pass; None where there was no bad answer."""
    false_rejects: Rate | None = None
    unsure: Rate | None = None

    def __post_init__(self) -> None:
        for rate in filter(None, (self.false_accepts, self.false_rejects, self.unsure)):
            validate_rate(rate)


@dataclass(frozen=True, slots=True)
class ClaimsRange:
    """Answers of N claims."""

    least: int
    most: int | None

    def describe(self) -> str:
        """`1 claim`, `2 to 3 claims`, `8 claims or more`."""
        if self.most is None:
            return "any number of claims" if self.least == 0 else f"{self.least} claims or more"
        if self.most <= 1:
            return "1 claim"
        return f"{max(self.least, 1)} to {self.most} claims"

    def holds(self, claims: int | None) -> bool:
        """Whether an answer of N claims is one of them."""
        return claims is not None and claims >= self.least and (self.most is None or claims <= self.most)

    def joined(self, longer: "ClaimsRange") -> "ClaimsRange":
        """This range and the next one."""
        return ClaimsRange(self.least, longer.most)


RANGES = (ClaimsRange(0, 1), ClaimsRange(2, 3), ClaimsRange(4, 7), ClaimsRange(8, None))
"""By these, rates are counted; an answer that claims nothing is with those of one claim."""


@dataclass(frozen=True, slots=True)
class ClaimsFit:
    """Answers of N claims: their cutoff, what is promised for it, and what it did on held-out rows."""

    claims: ClaimsRange
    scope: ClaimsRange
    """The answers that its cutoff was fitted on: these, and the next ones where these are too few."""
    line: float
    doubt: tuple[float, float] | None
    promised: bool
    promise: str
    """What holds for answers of `scope`, in words; or why nothing is promised."""
    fitted: Counts
    held_out: Counts
    rates: ErrorRates


def digest_of(check: Mapping[str, Any]) -> str:
    """What two checks share only if they decide alike under the same cutoff."""
    text = json.dumps(check, ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARS]


def reading_alone(measure: Mapping[str, Any]) -> dict[str, Any]:
    """The check in which nothing but the reading of a measure decides."""
    return {"kind": "gate", "measure": dict(measure), "cutoff": OPEN}


def scopes_of(
    rows: Sequence[AnyRow], *, method: Method, targets: Sequence[Target], seed: int
) -> dict[ClaimsRange, ClaimsRange]:
    """By range, the answers that share its cutoff: of ranges with too few rows, those of a neighbour too.

    A range without a single row that a promise is about has no cutoff, and nothing is promised for it.
    Numbers of rows alone decide this, and no reading: a choice by readings would spoil the promise.
    """
    required_rows = _required_rows(method, targets)
    counted = {claims: _counted(within(rows, claims, seed=seed)) for claims in RANGES}
    seen = [each for each in RANGES if all(counted[each][label] for label in required_rows)] or list(RANGES)
    scopes: list[ClaimsRange] = []
    for claims in seen:
        lacking = scopes and not all(
            _is_enough(_counted(within(rows, each, seed=seed)), required_rows)
            for each in (scopes[-1], claims)
        )
        if lacking:
            scopes[-1] = scopes[-1].joined(claims)
        else:
            scopes.append(claims)
    return {claims: scope for claims in seen for scope in scopes if scope.holds(claims.least)}


def within(rows: Iterable[AnyRow], claims: ClaimsRange, *, seed: int) -> list[AnyRow]:
    """The rows that count among answers of N claims: of each group, one of each label."""
    return one_each((row for row in rows if claims.holds(row.claims)), seed=seed)


def validate_rate(rate: Rate) -> None:
    """Raise for a rate that is none, or that is outside its own interval."""
    if not 0 <= rate.low <= rate.value <= rate.high <= 1 or rate.n < 0:
        raise SpecError(
            f"a rate of a card must be a share inside its interval, from 0 to 1; got {rate.value:g} in "
            f"{rate.low:g} to {rate.high:g}, of {rate.n}"
        )


def _required_rows(method: Method, targets: Sequence[Target]) -> dict[bool, int]:
    """How many rows of each label a cutoff takes; both labels, where nothing is promised."""
    if method == "best_f1":
        return {True: 1, False: 1}
    return {target.errors == "false_rejects": fewest(method, target) for target in targets}


def _counted(rows: Sequence[Row]) -> dict[bool, int]:
    return {label: sum(row.good is label for row in rows) for label in (True, False)}


def _is_enough(counted: Mapping[bool, int], required_rows: Mapping[bool, int]) -> bool:
    return all(counted[label] >= least for label, least in required_rows.items())
