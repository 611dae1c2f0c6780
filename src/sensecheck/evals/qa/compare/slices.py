"""The same comparison for each kind of question."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sensecheck.evals.qa.compare.shift import ENOUGH as ENOUGH_TO_CLAIM
from sensecheck.evals.qa.compare.shift import Columns, MetricShift, claimed, shift_of

ENOUGH = 5
"""A slice of fewer questions is not compared, which is told."""


@dataclass(frozen=True, slots=True)
class SliceShift:
    """How the metrics have shifted on one kind of question."""

    slice: str
    """`topic=billing`."""
    metrics: tuple[MetricShift, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {"slice": self.slice, "metrics": [shift.to_data() for shift in self.metrics]}


def slice_shifts(
    slices: Sequence[Mapping[str, str]], many: Sequence[Columns], *, alpha: float
) -> tuple[tuple[SliceShift, ...], tuple[str, ...]]:
    """The shifts by slice, and the slices that are too small for it.

    All metrics in all slices with questions enough are one family of tests: that any of its claims is false
    has a chance below alpha. Of smaller slices nothing could be claimed, so they take no part in it.
    """
    every = _places(slices)
    large = {name: places for name, places in every.items() if len(places) >= ENOUGH}
    tested = [_tested(shift_of(_cut(one, places), alpha=alpha)) for places in large.values() for one in many]
    told = claimed(tested, alpha=alpha)
    each = len(many)
    rows = (SliceShift(name, told[at * each : (at + 1) * each]) for at, name in enumerate(large))
    return tuple(rows), tuple(name for name in every if name not in large)


def _tested(shift: MetricShift) -> MetricShift:
    return shift if shift.n >= ENOUGH_TO_CLAIM else replace(shift, p=None)


def _places(slices: Sequence[Mapping[str, str]]) -> dict[str, list[int]]:
    """Where the questions of each slice stand; there may be as many slices as questions."""
    held: dict[str, list[int]] = {}
    for at, kinds in enumerate(slices):
        for name in _names(kinds):
            held.setdefault(name, []).append(at)
    return {name: held[name] for name in sorted(held)}


def _names(kinds: Mapping[str, str]) -> Iterator[str]:
    return (f"{key}={value}" for key, value in kinds.items())


def _cut(columns: Columns, places: list[int]) -> Columns:
    return columns._replace(before=columns.before[places], after=columns.after[places])
