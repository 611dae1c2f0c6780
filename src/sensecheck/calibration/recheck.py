"""A card against new readings: do its promises hold, and have the readings moved?"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.card import Card
from sensecheck.calibration.counts import shown
from sensecheck.calibration.decision import within
from sensecheck.calibration.placement import PromiseResult, promise_result
from sensecheck.calibration.split import Decided, one_each
from sensecheck.calibration.target import Target
from sensecheck.core.cutoff import Cutoff, Side
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import to_data

Part = Literal["good", "bad", "unlabelled"]
Degree = Literal["stable", "somewhat", "moved", "too few"]
"""`too few` where they are elsewhere, and so few rows might do that by chance."""
Outcome = Literal["holds", "broken", "moved", "too few"]
_FAR = 0.3
"""So large a distance is a movement, whatever the index makes of it."""
_MIN_ROWS = 50
"""Five rows for each tenth: with fewer, no one can say that readings have not moved."""
_DEGREES: Mapping[Degree, str] = {
    "stable": "have not visibly moved",
    "somewhat": "have moved somewhat",
    "moved": "have moved",
    "too few": "may have moved, but are too few to say",
}
_OPENINGS: Mapping[Outcome, str] = {
    "holds": "Holds",
    "broken": "Broken, fit the cutoff again",
    "moved": "The readings have moved, label some and fit the cutoff again",
    "too few": "Too few rows to say",
}


@dataclass(frozen=True, slots=True)
class NewReading:
    """A new reading, with its label where the user has given one."""

    value: float
    good: bool | None = None
    group: str | None = None
    slices: Mapping[str, str] = field(default_factory=dict)
    decided: Decided | None = field(default=None, compare=False, repr=False)
    """What the card's check makes of the answer; None for a card that speaks of a reading."""

    @property
    def claims(self) -> int | None:
        """How many claims the answer makes, where the check counts them."""
        return None if self.decided is None else self.decided.claims

    def side(self, cutoff: Cutoff) -> Side:
        """What is decided under a cutoff."""
        return cutoff.side(self.value) if self.decided is None else self.decided.side(cutoff)


@dataclass(frozen=True, slots=True)
class Shift:
    """New readings of one label against the card's."""

    part: Part
    n: int
    psi: float
    """Population stability index over the tenths of the card's readings: below 0.1 they lie as they lay."""
    ks: float
    """The largest distance between the two distributions (Kolmogorov and Smirnov)."""
    p: float
    """How often chance alone would do as much; cautious, since a card holds a hundred readings of many."""
    degree: Degree


@dataclass(frozen=True, slots=True)
class Recheck:
    """What new readings say about a card."""

    card: str
    outcome: Outcome
    """The worst that was found, in this order: broken, moved, too few, holds.

    It is `moved` as well where a cutoff is above the average that was promised: there is reason to look, and
    nothing is broken. Of a card that promises nothing, `holds` says that its readings are where they were.
    """
    verdict: str
    """The same in one sentence."""
    promises: tuple[PromiseResult, ...]
    shifts: tuple[Shift, ...]

    def to_data(self) -> dict[str, Any]:
        """All figures as plain data, ready for JSON."""
        return to_data(self)


def recheck(card: Card, rows: Sequence[NewReading]) -> Recheck:
    """Check a card against new readings; of each group, one row of each label counts."""
    if not rows:
        raise SpecError("there are no new readings to check the card against")
    for i, row in enumerate(rows):
        if not math.isfinite(row.value):
            raise SpecError(f"`rows[{i}]` must be a finite reading; got {row.value}")
    counted = one_each(rows, seed=card.seed)
    promises = tuple(_promise_results(card, counted, rows))
    shifts = tuple(_shifts(card, counted))
    outcome = _outcome(promises, shifts)
    return Recheck(card.name, outcome, _verdict(outcome, promises, shifts), promises, shifts)


def shift_of(part: Part, card: Sequence[float], new: Sequence[float]) -> Shift | None:
    """How far new readings are from the card's; None where either has none."""
    if not card or not new:
        return None
    with extra("train"):
        from scipy.stats import ks_2samp  # noqa: PLC0415  # only those who check a card need it
    # Six digits of both: what is one reading to people must be one here, though machines differ in the last
    # bits, and though older cards hold 0.333333 for 1/3.
    card_values, new_values = [shown(value) for value in card], [shown(value) for value in new]
    result = ks_2samp(card_values, new_values, method="asymp")
    psi, ks, p = _psi(card_values, new_values), float(result.statistic), float(result.pvalue)
    return Shift(part, len(new_values), psi, ks, p, _degree(psi, ks, p))


def as_counted(parts: Iterable[tuple[Sequence[float], int]]) -> tuple[float, ...]:
    """The readings of several parts together, each with the weight of the rows that it stands for.

    A card holds a hundred readings of many rows. Laid together as they are, a rare label would weigh as much
    as a common one. They stay as many as they were, so that none counts as more than was seen.
    """
    weighted = [(value, rows / len(values)) for values, rows in parts for value in values]
    if not weighted:
        return ()
    values, weights = np.array(sorted(weighted)).T
    reached = np.cumsum(weights) / weights.sum()
    places = np.searchsorted(reached, (np.arange(len(values)) + 0.5) / len(values))
    return tuple(values[places].tolist())


def readings_of(card: Card, label: bool | None = None) -> tuple[float, ...]:
    """The sorted readings of a card, of one label or all, each with the weight of its rows."""
    halves = ((card.fitted_scores, card.fitted), (card.held_out_scores, card.held_out))
    good = [(scores.good, counts.good) for scores, counts in halves if label is not False]
    bad = [(scores.bad, counts.bad) for scores, counts in halves if label is not True]
    return as_counted(good + bad)


def _promise_results(
    card: Card, counted: Sequence[NewReading], rows: Sequence[NewReading]
) -> list[PromiseResult]:
    """Each promise against the rows that it is about: all of them, or those of N claims."""
    cutoff = card.cutoff()
    scopes = dict.fromkeys(fit.scope for fit in card.claims if fit.promised)
    if not card.claims:
        return [_promise_result(target, counted, cutoff) for target in card.targets]
    return [
        replace(_promise_result(target, within(rows, scope, seed=card.seed), cutoff), claims=scope.describe())
        for target in card.targets
        for scope in scopes
    ]


def _promise_result(target: Target, rows: Sequence[NewReading], cutoff: Cutoff) -> PromiseResult:
    label = target.errors == "false_rejects"
    return promise_result(target, [row.side(cutoff) for row in rows if row.good is label])


def _shifts(card: Card, rows: Sequence[NewReading]) -> list[Shift]:
    parts: tuple[tuple[Part, bool | None], ...] = (("good", True), ("bad", False), ("unlabelled", None))
    shifts = (
        shift_of(part, readings_of(card, label), [row.value for row in rows if row.good is label])
        for part, label in parts
    )
    return [shift for shift in shifts if shift is not None]


def _outcome(promises: Sequence[PromiseResult], shifts: Sequence[Shift]) -> Outcome:
    outcomes = {each.outcome for each in promises}
    if "broken" in outcomes:
        return "broken"
    if "above" in outcomes or any(each.degree == "moved" for each in shifts):
        return "moved"
    unproved = not promises and (
        sum(each.n for each in shifts) < _MIN_ROWS or any(each.degree == "too few" for each in shifts)
    )
    return "too few" if unproved or "too few" in outcomes else "holds"


def _verdict(outcome: Outcome, promises: Sequence[PromiseResult], shifts: Sequence[Shift]) -> str:
    """One sentence: what became of each promise, and of the readings."""
    promised = "; ".join(each.describe() for each in promises) or "the card promises nothing"
    where = f"; of the readings, {' and '.join(map(_moved, shifts))}" if shifts else ""
    return f"{_opening(outcome, promises, shifts)}: {promised}{where}."


def _opening(outcome: Outcome, promises: Sequence[PromiseResult], shifts: Sequence[Shift]) -> str:
    degrees = {each.degree for each in shifts}
    if outcome == "moved" and "moved" not in degrees:
        return "Look closer, this cutoff errs more often than was promised on average"
    if outcome == "holds" and not promises:
        return "Moved somewhat" if "somewhat" in degrees else "Stable"
    return _OPENINGS[outcome]


def _moved(shift: Shift) -> str:
    text = f"{shift.part} ones {_DEGREES[shift.degree]} (PSI {shift.psi:.2f})"
    mixed = shift.part == "unlabelled" and shift.degree in ("somewhat", "moved")
    return f"{text}, which another mix of good and bad answers alone does too" if mixed else text


def _degree(psi: float, ks: float, p: float) -> Degree:
    """How far the readings have moved; a large index that chance explains says nothing either way."""
    if p >= 0.01:
        return "too few" if psi > 0.25 else "stable"
    if psi > 0.25 or ks >= _FAR:
        return "moved"
    return "stable" if psi < 0.1 else "somewhat"


def _psi(card: Sequence[float], new: Sequence[float]) -> float:
    """The index; half a row in every bin keeps an empty one from making it infinite."""
    edges = np.unique(np.quantile(card, np.arange(1, 10) / 10, method="nearest"))
    tied = [edge for edge in edges if np.mean(np.equal(card, edge)) >= 0.1]
    counts = np.array([_binned(values, edges, tied) for values in (card, new)])
    counts = counts[:, counts.any(axis=0)] + 0.5  # a bin that both leave empty tells nothing
    was, now = counts / counts.sum(axis=1, keepdims=True)
    return float(((now - was) * np.log(now / was)).sum())


def _binned(values: Sequence[float], edges: npt.ArrayLike, tied: Sequence[float]) -> list[int]:
    """How many are between the edges; a reading that many rows share is a bin of its own.

    Were it counted with what is below it, rows that leave it for below would be missed.
    """
    loose = [value for value in values if value not in tied]
    between = np.bincount(np.searchsorted(edges, loose, side="left"), minlength=np.size(edges) + 1)
    return [*between.tolist(), *(sum(value == edge for value in values) for edge in tied)]
