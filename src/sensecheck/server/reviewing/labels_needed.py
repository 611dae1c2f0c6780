"""How many more labels it takes until a rate is known well enough to be held against its target."""

import math
from dataclasses import dataclass, replace
from typing import Literal

from sensecheck.server.reviewing.rates import Drawn, Strata

SHARE_OF_TARGET = 0.5
"""An interval is narrow enough when it is half as wide as the target, or all on one side of it."""
STEP = 1.25
"""How much larger each guess is than the one before: an order of magnitude is wanted, not a promise."""
MOST = 100_000
"""Labels of both strata; nobody gives more."""
LEAST = 30
"""Labels of each stratum; from fewer, nobody can foresee how many it will take."""

Rate = Literal["false_negatives", "false_positives"]


@dataclass(frozen=True, slots=True)
class Needed:
    """More labels of each stratum."""

    accepted: int
    rejected: int


def labels_needed(strata: Strata, rate: Rate, target: float) -> Needed | None:
    """The fewest, about, with which the rate can be held against its target; None if nobody gives so many.

    Those to come are taken to look like those that are there; without any, to be as the service judged.
    """
    if _is_narrow(strata, rate, target):
        return Needed(0, 0)
    part, total = _part_of_accepted(strata, rate), 10.0
    while total <= MOST:
        accepted = _at_least(strata.accepted, math.ceil(total * part))
        rejected = _at_least(strata.rejected, math.ceil(total * (1 - part)))
        guess = Strata(
            _with(strata.accepted, accepted, otherwise=1.0), _with(strata.rejected, rejected, otherwise=0.0)
        )
        if _is_narrow(guess, rate, target):
            return Needed(accepted - strata.accepted.labels, rejected - strata.rejected.labels)
        total *= STEP
    return None


def _part_of_accepted(strata: Strata, rate: Rate) -> float:
    """Which part of the labels is best given to accepted answers.

    An interval is about as wide as the sum of `slope * deviation / sqrt(labels)` of both strata, and that is
    the least for labels in proportion to the power 2/3 of `slope * deviation`. The slope of a stratum is as
    the share that the other one has of the answers which the rate is about.
    """
    if strata.accepted.messages == 0 or strata.rejected.messages == 0:
        return 0.0 if strata.accepted.messages == 0 else 1.0
    accepted, rejected = _share(strata.accepted), _share(strata.rejected)
    slopes = (rejected, accepted) if rate == "false_negatives" else (1 - rejected, 1 - accepted)
    these = math.pow(slopes[0] * math.sqrt(accepted * (1 - accepted)), 2 / 3)
    those = math.pow(slopes[1] * math.sqrt(rejected * (1 - rejected)), 2 / 3)
    return these / (these + those)


def _at_least(stratum: Drawn, labels: int) -> int:
    return max(labels, stratum.labels, LEAST) if stratum.messages > 0 else 0


def _share(stratum: Drawn) -> float:
    """With one label of each kind imagined: a share of 0 or 1 would deviate by nothing."""
    return (stratum.valid + 1) / (stratum.labels + 2)


def _with(stratum: Drawn, labels: int, *, otherwise: float) -> Drawn:
    share = otherwise if stratum.share is None else stratum.share
    return replace(stratum, labels=labels, valid=round(labels * share))


def _is_narrow(strata: Strata, rate: Rate, target: float) -> bool:
    found = strata.false_negatives() if rate == "false_negatives" else strata.false_positives()
    return found.high < target or found.low > target or found.high - found.low <= target * SHARE_OF_TARGET
