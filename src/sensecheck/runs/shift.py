"""How results differ between two runs: changes of outcome, shifts of a mean, and the largest moves.

For battery runs, tests that came out differently and the shift of pass rates and scores; for evaluations,
the shift of each metric with its interval and p-value, over all questions and by slice. Differences that are
tested together form a family, since one of many looks large by chance alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal, NamedTuple

import numpy as np

from sensecheck.core.serialization import to_data
from sensecheck.core.verdict import Outcome
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.pairing import CellPair
from sensecheck.stats.paired import (
    NO_STEP,
    Numbers,
    chance,
    chance_of_difference,
    holm,
    interval,
    mean_interval,
    rate_interval,
    steps_between,
)

ChangeKind = Literal["same", "regression", "fix", "other", "to error", "from error"]
MOST_CHANGES = 10
"""As many tests are listed whose score changed most."""
MOST_MOVED = 10
"""As many questions are listed in each direction."""
ENOUGH_TO_CLAIM = 20
"""Of fewer questions nothing is claimed, however alike they are."""
ENOUGH_TO_COMPARE = 5
"""A slice of fewer questions is not compared, which is said."""
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
_PREFERRED = ("correctness", "recall_and_cosine", "semantic_similarity", "lexical_aggregate")
"""By which metric questions are reported unless somebody chooses: the one that agrees best with people."""


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
    def of(cls, pair: CellPair) -> "Change":
        """The change between the two results of a pair."""
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


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean, and the interval in which that of all such tests lies."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class MeanShift:
    """A mean before and after, and the difference between them; each test counts once."""

    before: MeanEstimate
    after: MeanEstimate
    difference: MeanEstimate
    p: float
    """The chance of a difference as large if the two runs were alike."""
    tests: int


def kind_of(before: Outcome, after: Outcome) -> ChangeKind:
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
    moved = [(change, size) for change in same if (size := _score_change(change))]
    moved.sort(key=lambda pair: -pair[1])
    return tuple(change for change, _ in moved[:MOST_CHANGES])


def shift_of(rows: Iterable[tuple[str, float, float]], *, alpha: float, rates: bool) -> MeanShift | None:
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
    return MeanShift(
        _estimate(old, alpha, rates=rates),
        _estimate(new, alpha, rates=rates),
        MeanEstimate(fmean(steps), low, high),
        chance_of_difference(steps),
        len(steps),
    )


class PairedColumns(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class SliceShift:
    """How the metrics have shifted on one kind of question."""

    slice: str
    """`topic=billing`."""
    metrics: tuple[MetricShift, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {"slice": self.slice, "metrics": [shift.to_data() for shift in self.metrics]}


@dataclass(frozen=True, slots=True)
class Moved:
    """A question that moved."""

    id: str
    metric: str
    before: float
    after: float


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
        in_slices = (one for each in slices for one in each.metrics)
        return cls(ours.count(True), ours.count(False), _count_tested(labels), _count_tested(in_slices))

    def in_words(self, *, of: str = "") -> str:
        """In words, what p allows for in a table of metrics, or of something else of them; empty for nothing.

        `p allows for 6 headline metrics, and for 9 parts`; `p allows for 6 changes of headline
        metrics, and for 9 changes of parts`.
        """
        families = [(self.headline, "headline metric"), (self.parts, "part")]
        listed = [
            f"for {counted(count, of)} of {what}s" if of else f"for {counted(count, what)}"
            for count, what in families
            if count
        ]
        return f"p allows {', and '.join(listed)}" if listed else ""

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


def metric_shift_of(columns: PairedColumns, *, alpha: float) -> MetricShift:
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
        *_interval_and_chance(steps, _bounds(old[read], new[read]), alpha),
        None,
        False,
        _effect(steps),
        float((steps > 0).mean()),
        float((steps < 0).mean()),
        *counts,
    )


def shifts_of(many: Iterable[PairedColumns], *, alpha: float) -> tuple[MetricShift, ...]:
    """By how much each metric has shifted, and what may be claimed of them together."""
    return claimed([metric_shift_of(columns, alpha=alpha) for columns in many], alpha=alpha)


def claimed(shifts: Sequence[MetricShift], *, alpha: float) -> tuple[MetricShift, ...]:
    """The same shifts, with what may be claimed of them when all are looked at together."""
    adjusted = holm([shift.p for shift in shifts])
    return tuple(
        replace(shift, adjusted=p, claim=p is not None and p < alpha and shift.n >= ENOUGH_TO_CLAIM)
        for shift, p in zip(shifts, adjusted, strict=True)
    )


def slice_shifts(
    slices: Sequence[Mapping[str, str]], many: Sequence[PairedColumns], *, alpha: float
) -> tuple[tuple[SliceShift, ...], tuple[str, ...]]:
    """The shifts by slice, and the slices that are too small for it.

    All metrics in all slices with questions enough are one family of tests: that any of its claims is false
    has a chance below alpha. Of smaller slices nothing could be claimed, so they take no part in it.
    """
    every = _slice_positions(slices)
    large = {name: positions for name, positions in every.items() if len(positions) >= ENOUGH_TO_COMPARE}
    tested = [
        testable_in_slice(
            metric_shift_of(
                one._replace(before=one.before[positions], after=one.after[positions]), alpha=alpha
            )
        )
        for positions in large.values()
        for one in many
    ]
    shifts = claimed(tested, alpha=alpha)
    width = len(many)
    rows = (SliceShift(name, shifts[at * width : (at + 1) * width]) for at, name in enumerate(large))
    return tuple(rows), tuple(name for name in every if name not in large)


def testable_in_slice(shift: MetricShift) -> MetricShift:
    """Of a slice that is too small nothing could be claimed, so it takes no part in the family of tests."""
    return shift if shift.n >= ENOUGH_TO_CLAIM else replace(shift, p=None)


def are_too_few(shifts: Iterable[MetricShift]) -> bool:
    """Whether something moved, and everywhere on too few questions to claim a fall, had there been one."""
    moved = [shift.n for shift in shifts if shift.n and not shift.unchanged]
    return bool(moved) and max(moved) < ENOUGH_TO_CLAIM


def most_moved_answers(
    names: Sequence[str], columns: PairedColumns, *, most: int = MOST_MOVED
) -> tuple[Moved, ...]:
    """Those that fell most, the worst first, and then those that rose most, the best first."""
    steps = steps_between(columns.before, columns.after)
    order = np.argsort(steps, kind="stable")[: int((~np.isnan(steps)).sum())]  # NaN is sorted to the end
    fell = [at for at in order[:most] if steps[at] < 0]
    rose = [at for at in order[::-1][:most] if steps[at] > 0]
    return tuple(
        Moved(names[at], columns.metric, float(columns.before[at]), float(columns.after[at]))
        for at in (*fell, *rose)
    )


def is_headline(metric: str) -> bool:
    """Whether a metric sums an answer up; one of somebody's own does, and others of ours are parts of it."""
    return metric in HEADLINE or metric not in KNOWN


def parted(many: Iterable[PairedColumns]) -> tuple[list[PairedColumns], list[PairedColumns]]:
    """The headline metrics and the parts, both in the order in which they came."""
    headline: list[PairedColumns] = []
    parts: list[PairedColumns] = []
    for columns in many:
        (headline if is_headline(columns.metric) else parts).append(columns)
    return headline, parts


def telling(metrics: Sequence[str]) -> str | None:
    """The metric by which questions are reported where nobody has chosen one; None where there is none."""
    return next((name for name in _PREFERRED if name in metrics), metrics[0] if metrics else None)


def counted(count: int, what: str) -> str:
    """`1 label`, `2 labels`."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _score_change(change: Change) -> float:
    if change.score_before is None or change.score_after is None:
        return 0.0
    return abs(change.score_after - change.score_before)


def _estimate(values: list[float], alpha: float, *, rates: bool) -> MeanEstimate:
    if rates:
        return MeanEstimate(fmean(values), *rate_interval(values, confidence=1 - alpha))
    return MeanEstimate(fmean(values), *mean_interval(values, confidence=1 - alpha, within=(0.0, 1.0)))


def _interval_and_chance(
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


def _slice_positions(slices: Sequence[Mapping[str, str]]) -> dict[str, list[int]]:
    """Where the questions of each slice stand; there may be as many slices as questions."""
    found: dict[str, list[int]] = {}
    for at, kinds in enumerate(slices):
        for key, value in kinds.items():
            found.setdefault(f"{key}={value}", []).append(at)
    return {name: found[name] for name in sorted(found)}


def _count_tested(shifts: Iterable[MetricShift]) -> int:
    return sum(one.adjusted is not None for one in shifts)
