"""A card held against new readings: does its promise hold, and have the readings moved?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from sensecheck.calibration.card import Card
from sensecheck.calibration.kept import Kept, kept
from sensecheck.calibration.shift import Part, Shift, shift
from sensecheck.calibration.split import one_each
from sensecheck.core.data import to_data
from sensecheck.core.errors import SpecError

Outcome = Literal["holds", "broken", "moved", "too few"]
_ENOUGH = 50
"""Five rows for each tenth: with fewer, nobody can say that readings have not moved."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A new reading, with its label where somebody has given one."""

    value: float
    good: bool | None = None
    group: str | None = None
    slices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recheck:
    """What new readings say about a card."""

    card: str
    outcome: Outcome
    """The worst that was found, in this order: broken, moved, too few, holds."""
    verdict: str
    """The same in one sentence."""
    promises: tuple[Kept, ...]
    shifts: tuple[Shift, ...]

    def to_data(self) -> dict[str, Any]:
        """All figures as plain data, ready for JSON."""
        return to_data(self)


def recheck(card: Card, rows: Sequence[Seen]) -> Recheck:
    """Hold a card against new readings; of each group, one row of each label counts."""
    if not rows:
        raise SpecError("there are no new readings to hold the card against")
    for i, row in enumerate(rows):
        if not math.isfinite(row.value):
            raise SpecError(f"`rows[{i}]` wants a finite reading; found {row.value}")
    counted = one_each(rows, seed=card.seed)
    promises = tuple(_kept(card, counted))
    shifts = tuple(_shifts(card, counted))
    outcome = _outcome(promises, shifts)
    return Recheck(card.name, outcome, _verdict(outcome, promises, shifts), promises, shifts)


def _kept(card: Card, rows: Sequence[Seen]) -> list[Kept]:
    side = card.cutoff().side
    return [
        kept(target, [side(row.value) for row in rows if row.good is (target.errors == "false_rejects")])
        for target in card.targets
    ]


def _shifts(card: Card, rows: Sequence[Seen]) -> list[Shift]:
    good = (*card.fitted_scores.good, *card.held_out_scores.good)
    bad = (*card.fitted_scores.bad, *card.held_out_scores.bad)
    parts: tuple[tuple[Part, bool | None, tuple[float, ...]], ...] = (
        ("good", True, good),
        ("bad", False, bad),
        ("unlabelled", None, good + bad),
    )
    found = (shift(part, held, [r.value for r in rows if r.good is label]) for part, label, held in parts)
    return [each for each in found if each is not None]


def _outcome(promises: Sequence[Kept], shifts: Sequence[Shift]) -> Outcome:
    outcomes = {each.outcome for each in promises}
    if "broken" in outcomes:
        return "broken"
    if any(each.degree == "moved" for each in shifts):
        return "moved"
    unproved = not promises and sum(each.n for each in shifts) < _ENOUGH
    return "too few" if unproved or "too few" in outcomes else "holds"


def _verdict(outcome: Outcome, promises: Sequence[Kept], shifts: Sequence[Shift]) -> str:
    """One sentence: what became of each promise, and of the readings."""
    told = "; ".join(each.in_words() for each in promises) or "the card promises nothing"
    moved = [f"{each.part} ones {_DEGREES[each.degree]} (PSI {each.psi:.2f})" for each in shifts]
    where = f"; of the readings, {' and '.join(moved)}" if moved else ""
    return f"{_OPENINGS[outcome]}: {told}{where}."


_DEGREES = {"stable": "have not visibly moved", "somewhat": "have moved somewhat", "moved": "have moved"}
_OPENINGS: Mapping[Outcome, str] = {
    "holds": "Holds",
    "broken": "Broken, fit the line again",
    "moved": "The readings have moved, label some and fit the line again",
    "too few": "Too few rows to say",
}
