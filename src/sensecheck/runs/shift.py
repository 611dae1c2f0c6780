"""A metric before and after: difference, interval, chance, slices, largest changes.

A test that came out differently, and what kind of difference that is.

A mean in two runs, and by how much it has shifted.

A metric in two runs, and by how much it has shifted.

The same comparison for each kind of question.

Which questions moved most from one run to the next.

Which differences are tested together: one of many looks large by chance alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sensecheck.core.serialization import to_data
from sensecheck.core.verdict import Outcome
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.pairing import CellPair as Pair
from sensecheck.stats.paired import (
    NO_STEP,
    chance,
    chance_of_difference,
    holm,
    interval,
    mean_interval,
    rate_interval,
    steps_between,
)

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


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the interval in which that of all such tests lies."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean before and after, and the difference between them; each test counts once."""

    before: Estimate
    after: Estimate
    difference: Estimate
    p: float
    """The chance of a difference as large if the two runs were alike."""
    tests: int


def shift_of(rows: Iterable[tuple[str, float, float]], *, alpha: float, rates: bool) -> Shift | None:
    """The shift from pairs of values by test: the rows of one test, no independent news, become one."""
    by_test: dict[str, list[tuple[float, float]]] = {}
    for key, before, after in rows:
        by_test.setdefault(key, []).append((before, after))
    if not by_test:
        return None
    old = [fmean(value for value, _ in pairs) for pairs in by_test.values()]
    new = [fmean(value for _, value in pairs) for pairs in by_test.values()]
    steps = [b - a for a, b in zip(old, new, strict=True)]
    low, high = mean_interval(steps, confidence=1 - alpha, within=(-1.0, 1.0))
    return Shift(
        _estimate(old, alpha, rates=rates),
        _estimate(new, alpha, rates=rates),
        Estimate(fmean(steps), low, high),
        chance_of_difference(steps),
        len(steps),
    )


def _estimate(values: list[float], alpha: float, *, rates: bool) -> Estimate:
    if rates:
        return Estimate(fmean(values), *rate_interval(values, confidence=1 - alpha))
    return Estimate(fmean(values), *mean_interval(values, confidence=1 - alpha, within=(0.0, 1.0)))


Numbers = npt.NDArray[np.float64]

ENOUGH_TO_CLAIM = 20
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


def metric_shift_of(columns: Columns, *, alpha: float) -> MetricShift:
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
        replace(shift, adjusted=p, claim=p is not None and p < alpha and shift.n >= ENOUGH_TO_CLAIM)
        for shift, p in zip(shifts, adjusted, strict=True)
    )


def shifts_of(many: Iterable[Columns], *, alpha: float) -> tuple[MetricShift, ...]:
    """By how much each metric has shifted, and what may be claimed of them together."""
    return claimed([metric_shift_of(columns, alpha=alpha) for columns in many], alpha=alpha)


def are_too_few(shifts: Iterable[MetricShift]) -> bool:
    """Whether something moved, and everywhere on too few questions to claim a fall, had there been one."""
    moved = [shift.n for shift in shifts if shift.n and not shift.unchanged]
    return bool(moved) and max(moved) < ENOUGH_TO_CLAIM


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


ENOUGH_TO_COMPARE = 5
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
    large = {name: places for name, places in every.items() if len(places) >= ENOUGH_TO_COMPARE}
    tested = [
        _slice_tested(metric_shift_of(_cut(one, places), alpha=alpha))
        for places in large.values()
        for one in many
    ]
    told = claimed(tested, alpha=alpha)
    each = len(many)
    rows = (SliceShift(name, told[at * each : (at + 1) * each]) for at, name in enumerate(large))
    return tuple(rows), tuple(name for name in every if name not in large)


def _slice_tested(shift: MetricShift) -> MetricShift:
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


MOST = 10
"""So many are told in each direction."""
_FIRST = ("correctness", "recall_and_cosine", "semantic_similarity", "lexical_aggregate")
"""By which metric questions are told unless somebody chooses: the one that agrees best with people."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A question that moved."""

    id: str
    metric: str
    before: float
    after: float


def most_moved_answers(names: Sequence[str], columns: Columns, *, most: int = MOST) -> tuple[Moved, ...]:
    """Those that fell most, the worst first, and then those that rose most, the best first."""
    steps = steps_between(columns.before, columns.after)
    order = np.argsort(steps, kind="stable")[: int((~np.isnan(steps)).sum())]  # NaN is sorted to the end
    fell = [at for at in order[:most] if steps[at] < 0]
    rose = [at for at in order[::-1][:most] if steps[at] > 0]
    return tuple(
        Moved(names[at], columns.metric, float(columns.before[at]), float(columns.after[at]))
        for at in (*fell, *rose)
    )


def telling(metrics: Sequence[str]) -> str | None:
    """The metric by which questions are told where nobody has chosen one; None where there is none."""
    return next((name for name in _FIRST if name in metrics), metrics[0] if metrics else None)


HEADLINE = frozenset(
    (
        "correctness",
        "fact_agreement",
        "semantic_similarity",
        "lexical_aggregate",
        "grounded",
        "llm_judged_overall",
    )
)
"""The metrics that sum an answer up."""


def is_headline(metric: str) -> bool:
    """Whether a metric sums an answer up; one of somebody's own does, and others of ours are parts of it."""
    return metric in HEADLINE or metric not in KNOWN


def parted(many: Iterable[Columns]) -> tuple[list[Columns], list[Columns]]:
    """The headline metrics and the parts, both in the order in which they came."""
    headline: list[Columns] = []
    parts: list[Columns] = []
    for columns in many:
        (headline if is_headline(columns.metric) else parts).append(columns)
    return headline, parts


@dataclass(frozen=True, slots=True)
class Tested:
    """How many differences p allows for, in each family; what is unchanged was not tested.

    What is unchanged stays so however the runs are swapped: to leave it out takes nothing from what alpha
    promises of the others.
    """

    headline: int
    parts: int
    labels: int
    slices: int
    """Metrics in slices, each once a slice."""

    @classmethod
    def of(
        cls, metrics: Sequence[MetricShift], labels: Sequence[MetricShift], slices: Sequence[SliceShift]
    ) -> "Tested":
        """What was tested in a comparison."""
        ours = [is_headline(one.metric) for one in metrics if one.adjusted is not None]
        cut = (one for held in slices for one in held.metrics)
        return cls(ours.count(True), ours.count(False), _count(labels), _count(cut))

    def told(self, *, of: str = "") -> str:
        """In words, what p allows for in a table of metrics, or of something else of them; empty for nothing.

        `p allows for 6 headline metrics, and for 9 parts`; `p allows for 6 changes of headline
        metrics, and for 9 changes of parts`.
        """
        found = [(self.headline, "headline metric"), (self.parts, "part")]
        told = [f"for {_told(count, what, of)}" for count, what in found if count]
        return f"p allows {', and '.join(told)}" if told else ""

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def counted(count: int, what: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _told(count: int, what: str, of: str) -> str:
    return f"{counted(count, of)} of {what}s" if of else counted(count, what)


def _count(shifts: Iterable[MetricShift]) -> int:
    return sum(one.adjusted is not None for one in shifts)
