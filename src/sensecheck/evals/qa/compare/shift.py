"""A metric in two runs, and by how much it has shifted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from sensecheck.core.serialization import to_data
from sensecheck.stats.paired import NO_STEP, chance, holm, interval, steps_between

Numbers = npt.NDArray[np.float64]

ENOUGH = 20
"""Of fewer questions nothing is claimed, however alike they are."""


class Columns(NamedTuple):
    """What a metric read off the same questions before and after; NaN where it could not."""

    metric: str
    encoder: str
    fingerprint: str
    before: Numbers
    after: Numbers


@dataclass(frozen=True, slots=True)
class MetricShift:
    """A mean before and after, over the questions that were read in both runs."""

    metric: str
    encoder: str
    """What its encoder is called, for a metric that has one."""
    n: int
    before: float | None
    after: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    """The chance of a difference as large if the runs were alike; None where nothing was tested: no question
    was read in both, none of them moved, or a slice is too small."""
    adjusted: float | None
    """The same among all that were tested beside it, in its family (Holm)."""
    claim: bool
    """Whether the difference is claimed: more than chance, and on questions enough."""
    effect: float | None
    """The mean difference in standard deviations of the differences (Cohen's d_z)."""
    better: float | None
    """The share of questions that went up."""
    worse: float | None
    na_before: int
    """Questions of both runs that have no number in the earlier one."""
    na_after: int
    lost: int
    """Read before, and n/a now."""
    gained: int
    """n/a before, and read now."""

    @property
    def unchanged(self) -> bool:
        """Whether no question moved at all: then there is nothing to test."""
        return self.better == 0 and self.worse == 0

    @property
    def fell(self) -> bool:
        """Whether a fall is claimed."""
        return self.claim and self.difference is not None and self.difference < 0

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def shift_of(columns: Columns, *, alpha: float) -> MetricShift:
    """By how much a metric has shifted; nothing is claimed yet, since others are tested beside it."""
    metric, encoder, _, old, new = columns
    na_old, na_new = np.isnan(old), np.isnan(new)
    read = ~(na_old | na_new)
    counts = tuple(int(some.sum()) for some in (na_old, na_new, ~na_old & na_new, na_old & ~na_new))
    n = int(read.sum())
    if not n:
        return MetricShift(metric, encoder, 0, *(None,) * 7, False, *(None,) * 3, *counts)
    steps = steps_between(old[read], new[read])
    return MetricShift(
        metric,
        encoder,
        n,
        float(old[read].mean()),
        float(new[read].mean()),
        float(steps.mean()),
        *_tested(steps, _bounds(old[read], new[read]), alpha),
        None,
        False,
        _effect(steps),
        float((steps > 0).mean()),
        float((steps < 0).mean()),
        *counts,
    )


def claimed(shifts: Sequence[MetricShift], *, alpha: float) -> tuple[MetricShift, ...]:
    """The same shifts, with what may be claimed of them when all are looked at together."""
    adjusted = holm([shift.p for shift in shifts])
    return tuple(
        replace(shift, adjusted=p, claim=p is not None and p < alpha and shift.n >= ENOUGH)
        for shift, p in zip(shifts, adjusted, strict=True)
    )


def shifts_of(many: Iterable[Columns], *, alpha: float) -> tuple[MetricShift, ...]:
    """By how much each metric has shifted, and what may be claimed of them together."""
    return claimed([shift_of(columns, alpha=alpha) for columns in many], alpha=alpha)


def are_too_few(shifts: Iterable[MetricShift]) -> bool:
    """Whether something moved, and everywhere on too few questions to claim a fall, had there been one."""
    moved = [shift.n for shift in shifts if shift.n and not shift.unchanged]
    return bool(moved) and max(moved) < ENOUGH


def _tested(
    steps: Numbers, within: tuple[float, float], alpha: float
) -> tuple[float | None, float | None, float | None]:
    """From where to where the difference lies, and its chance; nothing where no question moved."""
    if not steps.any():
        return None, None, None
    return *interval(steps, confidence=1 - alpha, within=within), chance(steps)


def _effect(steps: Numbers) -> float | None:
    """None where all questions moved alike: then there is no spread to measure by."""
    if len(steps) < 2 or np.ptp(steps) < NO_STEP:
        return None if steps[0] else 0.0
    return float(steps.mean() / steps.std(ddof=1))


def _bounds(old: Numbers, new: Numbers) -> tuple[float, float]:
    """How far one question can move: metrics lie from 0 to 1, unless their numbers say otherwise."""
    widest = max(1.0, float(max(old.max(), new.max()) - min(0.0, old.min(), new.min())))
    return -widest, widest
