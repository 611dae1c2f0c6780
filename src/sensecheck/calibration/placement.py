"""Where a cutoff is placed so that it keeps its promise, and whether the promise still holds on new rows.

How many of the fitted rows may be judged wrongly follows from the promise; the cutoff then lies just beyond
the last reading that must not be on the wrong side. Everything is worked out for readings that are good
above their cutoff, where a value passes if it is at least the cutoff; readings that are good below it
change their sign once, and so does their cutoff. New labelled rows say of a promise that it holds, that it
does not, or nothing yet.
"""

import math
import sys
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.target import SHORT, Errors, Method, Target
from sensecheck.core.cutoff import GoodSide, Rate, Side
from sensecheck.core.errors import SpecError
from sensecheck.stats.binomial import chance_of_at_least, chance_of_at_most, rate

CertifyingMethod = Literal["exact", "conformal"]
"""The methods that promise something."""
Values = npt.NDArray[np.float64]
_DIGITS = 18
"""No float needs more than 17 to be told from its neighbours; one step more is for a 0 that is between."""
_SMALLEST = 1e-12
"""Of the shares that can be asked for; it wants millions of millions of rows."""


@dataclass(frozen=True, slots=True)
class PlacedCutoff:
    """A cutoff, and its unsure band where two promises need two cutoffs."""

    value: float
    doubt: tuple[float, float] | None = None

    def turned(self) -> "PlacedCutoff":
        """The same for readings of the opposite sign."""
        doubt = None if self.doubt is None else (_turned(self.doubt[1]), _turned(self.doubt[0]))
        return PlacedCutoff(_turned(self.value), doubt)


@dataclass(frozen=True, slots=True)
class PromiseResult:
    """One promise, checked against new rows."""

    target: Target
    outcome: Literal["holds", "broken", "above", "too few"]
    """Confirmed with the target's confidence, or the usual one; contradicted with it; or neither.

    An average over many fits is not contradicted by one of them: some cutoffs of a sound method are above it.
    Such a cutoff is `above`, and never `broken`.
    """
    errors: Rate | None
    """Of the new rows that the promise is about; None where there is none."""
    more: int
    """At least so many more rows, and none of them an error, would confirm it; 0 once it is decided."""
    claims: str = ""
    """For answers of N claims, where the promise is about those alone."""

    def describe(self) -> str:
        """`false accepts <= 5% holds: 0 of 80`."""
        seen = "no rows" if self.errors is None else f"{self.errors.value:.1%} of {self.errors.n}"
        kind = "bad" if self.target.errors == "false_accepts" else "good"
        phrases = {
            "holds": f"holds ({seen})",
            "broken": f"is broken ({seen})",
            "above": f"is an average, and this cutoff is above it ({seen}), as some of a sound fit are",
            "too few": f"is not contradicted ({seen}), but needs at least {self.more} more {kind} answers",
        }
        average = " on average" if _is_an_average(self.target) and self.outcome != "above" else ""
        of = f" for answers of {self.claims}" if self.claims else ""
        return f"{self.target.describe()}{of}{average} {phrases[self.outcome]}"


def place_cutoff(
    good: Values, bad: Values, *, side: GoodSide, method: Method, targets: Sequence[Target]
) -> PlacedCutoff:
    """The cutoff that keeps the targets, fitted on these readings; `SpecError` if there are too few."""
    if side == "below":
        return place_cutoff(-good, -bad, side="above", method=method, targets=targets).turned()
    if method == "best_f1":
        return PlacedCutoff(_best_f1(good, bad))
    everything = np.concatenate((good, bad))
    cutoffs: dict[Errors, float] = {}
    for target in targets:
        if target.errors == "false_accepts":
            cutoffs[target.errors] = _pass_cutoff(bad, everything, _most(method, target, len(bad)))
        else:
            cutoffs[target.errors] = _fail_cutoff(good, everything, _most(method, target, len(good)))
    return _together(cutoffs)


@cache
def allowed(method: CertifyingMethod, target: Target, n: int) -> int | None:
    """The most errors among `n` fitted rows; None when even no error at all would promise too little."""
    most = _exact(target, n) if method == "exact" else _conformal(target, n)
    return most if most >= 0 else None


def fewest(method: CertifyingMethod, target: Target) -> int:
    """The fewest rows from which the target can be promised: those of a cutoff without a single error."""
    if target.at_most < _SMALLEST:
        raise SpecError(
            f"`{SHORT[target.errors]}` must be a share of at least {_SMALLEST:g}, for no one has labels "
            f"enough to promise less; got {target.at_most:g}"
        )
    if method == "conformal":
        return math.ceil(1 / written(target.at_most)) - 1
    about = math.log(1 - target.sure) / math.log1p(-target.at_most)
    plenty = range(1, 2 * math.ceil(about) + 3)  # the logarithms may be off by a hair; the chance decides
    return plenty[bisect_left(plenty, True, key=lambda n: _exact(target, n) >= 0)]


def promise_result(target: Target, sides: Iterable[Side]) -> PromiseResult:
    """The promise against the sides on which new rows of its label fell."""
    wrong: Side = "pass" if target.errors == "false_accepts" else "fail"
    fallen = list(sides)
    hits, n = fallen.count(wrong), len(fallen)
    if n == 0:
        return PromiseResult(target, "too few", None, fewest("exact", target))
    errors, doubt = rate(hits, n), 1 - target.sure
    if chance_of_at_most(hits, n, target.at_most) <= doubt:  # as a cutoff is fitted: `fewest` rows suffice
        return PromiseResult(target, "holds", errors, 0)
    if chance_of_at_least(hits, n, target.at_most) <= doubt:
        return PromiseResult(target, "above" if _is_an_average(target) else "broken", errors, 0)
    return PromiseResult(target, "too few", errors, _more(target, hits, n))


def _best_f1(good: Values, bad: Values) -> float:
    """The cutoff that finds the bad readings best, among those it is fitted on; of several, the lowest."""
    everything = np.concatenate((good, bad))
    edges = np.unique(everything)  # what is at most the edge fails
    caught = np.searchsorted(np.sort(bad), edges, side="right")
    blamed = np.searchsorted(np.sort(good), edges, side="right")
    f1 = 2 * caught / (caught + blamed + len(bad))
    return _beyond(float(edges[np.argmax(f1)]), everything, with_edge=False)


def _most(method: CertifyingMethod, target: Target, n: int) -> int:
    most = allowed(method, target, n)
    if most is None:
        least = fewest(method, target)
        raise SpecError(f"a cutoff for {target.describe()} needs at least {least} rows; got {n}")
    return most


def _pass_cutoff(bad: Values, everything: Values, most: int) -> float:
    """At most N bad readings reach it: it lies strictly above the next one, and above all its ties."""
    return _beyond(_ranked(bad, most), everything, with_edge=False)


def _fail_cutoff(good: Values, everything: Values, most: int) -> float:
    """At most N good readings stay below it: the next one still reaches it."""
    return _turned(_beyond(_ranked(-good, most), -everything, with_edge=True))


def _ranked(values: Values, most: int) -> float:
    """The value that exactly `most` others come before, from the largest on."""
    place = len(values) - 1 - most
    return float(np.partition(values, place)[place])


def _beyond(edge: float, everything: Values, *, with_edge: bool) -> float:
    """A short number a little above a reading, by at most an eighth of the way to the next one.

    Near, so that hardly a new reading falls between the two; short, so that people can read the cutoff.
    """
    larger = everything[everything > edge]
    if larger.size:
        room = float(larger.min()) / 8 - edge / 8
    else:
        spread = float(everything.max()) - float(everything.min())
        room = (spread or max(abs(edge), 1.0)) / 64
    return shortest(edge, edge + room, near=edge, with_low=with_edge)


def _together(cutoffs: Mapping[Errors, float]) -> PlacedCutoff:
    """One cutoff where one will do; else what is between the two is unsure."""
    if len(cutoffs) == 1:
        (cutoff,) = cutoffs.values()
        return PlacedCutoff(cutoff)
    passes, fails = cutoffs["false_accepts"], cutoffs["false_rejects"]
    if fails < passes:
        return PlacedCutoff(passes, (fails, passes))
    return PlacedCutoff(shortest(passes, fails, near=passes / 2 + fails / 2, with_low=True))


def _turned(value: float) -> float:
    return 0.0 - value  # and not -value: a cutoff at zero is 0, never -0


def _exact(target: Target, n: int) -> int:
    """The most errors that would be surprisingly few, were the true share above the target; or -1.

    A cutoff with so few errors has, with the target's confidence, a true share of at most the target.
    """
    doubt = 1 - target.sure
    low, high = -1, n  # the answer is at least the first, and less than the second: n of n are never too few
    while high - low > 1:
        middle = (low + high) // 2
        surprising = chance_of_at_most(middle, n, target.at_most) <= doubt
        low, high = (middle, high) if surprising else (low, middle)
    return low


def _conformal(target: Target, n: int) -> int:
    """The most errors such that a new row, which ranks anywhere among the others, rarely errs; or -1."""
    return math.floor(written(target.at_most) * (n + 1)) - 1


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


def shortest(low: float, high: float, *, near: float, with_low: bool) -> float:
    """The number with the fewest digits above `low` (or at it) up to `high`; of several, the nearest one."""
    high = min(high, sys.float_info.max)  # a little more than the largest readings may be infinite
    top = Decimal(max(abs(low), abs(high)))
    for exponent in range(top.adjusted() + 1, top.adjusted() + 1 - _DIGITS, -1):
        number = _multiple(Fraction(10) ** exponent, low, high, near=near, with_low=with_low)
        if number is not None:
            return number
    return low if with_low else math.nextafter(low, math.inf)


def _multiple(unit: Fraction, low: float, high: float, *, near: float, with_low: bool) -> float | None:
    """The multiple of a unit in the interval that is nearest to `near`, if there is one."""
    first = math.ceil(written(low) / unit) if with_low else math.floor(written(low) / unit) + 1
    last = math.floor(written(high) / unit)
    if first > last:
        return None
    number = float(min(max(round(written(near) / unit), first), last) * unit)
    return number if with_low or number > low else None  # 0.86 and a hair is the float 0.86


def written(value: float) -> Fraction:
    """The number as it is written: 0.05 is one in twenty, and 0.86 is not above itself, by a hair."""
    return Fraction(str(value))
