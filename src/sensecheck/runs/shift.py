"""How two runs differ: the shift of each metric, changes of outcome, and the items that moved most.

A shift is a mean before and after with the interval and the p-value of the difference, over all items and by
slice. All shifts of a comparison are tested together (Holm): of many differences, one looks large even where
nothing has changed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from sensecheck.core.serialization import to_data
from sensecheck.core.verdict import Outcome
from sensecheck.measures.metrics import ALL, KNOWN
from sensecheck.stats.paired_tests import Numbers, holm
from sensecheck.stats.steps import LoadSteps, StepSums, loader_of
from sensecheck.text.escaping import counted

ChangeKind = Literal["same", "regression", "fix", "other", "to error", "from error"]
MOST_MOVED = 10
"""As many items are listed in each direction."""
MOST_NAMED = 100
"""Of long lists (items that are n/a now, flips, items of one run alone) as many are named per column."""
MOST_SLICES = 100
"""Of the values of one slice, as many are compared: the most frequent."""
ENOUGH_TO_CLAIM = 20
"""Of fewer items nothing is claimed, however alike they are."""
ENOUGH_TO_COMPARE = 5
"""A slice of fewer items is not compared, which a note says."""
PASSED, SCORE = "passed", "score"
"""The columns of a suite: whether a test passed, and how much of it."""
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
CATALOGUE_ORDER = {name: at for at, name in enumerate(ALL)}
_PREFERRED = ("correctness", "recall_and_cosine", "semantic_similarity", "lexical_aggregate", SCORE)
"""By which metric items are reported unless the user chooses: the one that agrees best with people."""


class PairColumn(NamedTuple):
    """A column of both runs: a metric, a check, or what people said."""

    metric: str
    encoder: str = ""
    fingerprint: str = ""
    label: bool = False

    @property
    def is_verdict(self) -> bool:
        """Whether it may say pass or fail: a label or a check, rather than a metric of the catalogue."""
        return self.label or self.metric not in KNOWN


class PairedColumns(NamedTuple):
    """The numbers of a column for the same items before and after; NaN where there is none."""

    column: PairColumn
    before: Numbers
    after: Numbers


@dataclass(frozen=True, slots=True)
class Change:
    """An item that came out differently."""

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
    metric: str = PASSED
    """The check or the label that says so."""


@dataclass(frozen=True, slots=True)
class MetricShift:
    """A mean before and after, over the items that have a number in both runs."""

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
    """The probability of a difference as large if the runs were alike; None where nothing was tested: no item
    has both numbers, none of them moved, or a slice is too small."""
    adjusted: float | None
    """The same among all shifts of the comparison that were tested (Holm)."""
    claim: bool
    """Whether the difference is claimed: significant, and on enough items."""
    effect: float | None
    """The mean difference in standard deviations of the differences (Cohen's d_z)."""
    better: float | None
    """The share of items that went up."""
    worse: float | None
    na_before: int
    """Items of both runs that have no number in the earlier one."""
    na_after: int
    lost: int
    """A number before, and n/a now."""
    gained: int
    """n/a before, and a number now."""

    @classmethod
    def of(cls, column: PairColumn, sums: StepSums, load: LoadSteps, *, alpha: float) -> "MetricShift":
        """By how much a column has shifted; nothing is claimed yet, since others are tested with it."""
        named, counts = (
            (column.metric, column.encoder),
            (sums.na_before, sums.na_after, sums.lost, sums.gained),
        )
        if not sums.n:
            return cls(*named, 0, *(None,) * 7, False, *(None,) * 3, *counts)
        low, high = sums.interval(load, confidence=1 - alpha) or (None, None)
        return cls(
            *named,
            sums.n,
            sums.before,
            sums.after,
            sums.mean,
            low,
            high,
            sums.chance(load),
            None,
            False,
            sums.effect,
            sums.ups / sums.n,
            sums.downs / sums.n,
            *counts,
        )

    @property
    def unchanged(self) -> bool:
        """Whether no item moved at all: then there is nothing to test."""
        return self.better == 0 and self.worse == 0

    @property
    def fell(self) -> bool:
        """Whether a fall is claimed."""
        return self.claim and self.difference is not None and self.difference < 0

    def fell_significantly(self, alpha: float) -> bool:
        """Whether it fell significantly, on however few items."""
        down = self.difference is not None and self.difference < 0
        return down and self.adjusted is not None and self.adjusted < alpha

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


@dataclass(frozen=True, slots=True)
class SliceShift:
    """How the metrics have shifted on one kind of item."""

    slice: str
    """`topic=billing`."""
    metrics: tuple[MetricShift, ...]

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {"slice": self.slice, "metrics": [shift.to_data() for shift in self.metrics]}


@dataclass(frozen=True, slots=True)
class Moved:
    """An item that moved."""

    id: str
    metric: str
    before: float
    after: float

    @property
    def difference(self) -> float:
        """By how much it rose; negative if it fell."""
        return self.after - self.before

    @classmethod
    def largest_first(cls, moved: "Iterable[Moved]") -> "tuple[Moved, ...]":
        """By the size of the change, whichever way it went; of two alike, the one that came first."""
        return tuple(sorted(moved, key=lambda item: -abs(item.difference)))


@dataclass(frozen=True, slots=True)
class Tested:
    """How many differences p is corrected for, by what they are of; what is unchanged was not tested.

    What is unchanged stays so however the runs are swapped: to leave it out takes nothing from what alpha
    promises of the others.
    """

    headline: int
    parts: int
    labels: int
    slices: int
    """Metrics in slices, each once per slice."""

    @classmethod
    def of(
        cls, metrics: Sequence[MetricShift], labels: Sequence[MetricShift], slices: Sequence[SliceShift]
    ) -> "Tested":
        """What was tested in a comparison."""
        are_headline = [is_headline(shift.metric) for shift in metrics if shift.adjusted is not None]
        in_slices = (shift for part in slices for shift in part.metrics)
        return cls(
            are_headline.count(True),
            are_headline.count(False),
            _count_tested(labels),
            _count_tested(in_slices),
        )

    @property
    def total(self) -> int:
        """All of them, which p is corrected for together."""
        return self.headline + self.parts + self.labels + self.slices

    @property
    def correction(self) -> str:
        """In words, what p is corrected for in a comparison; empty for nothing.

        `p is corrected for 13 tests: 1 label, 6 headline metrics, 2 parts, 4 in slices`.
        """
        kinds = [(self.labels, "label"), (self.headline, "headline metric"), (self.parts, "part")]
        listed = [counted(count, what) for count, what in kinds if count]
        listed += [f"{self.slices:,} in slices"] if self.slices else []
        return f"p is corrected for {counted(self.total, 'test')}: {', '.join(listed)}" if listed else ""

    def describe(self, *, of: str = "") -> str:
        """In words, what p allows for in a trend, whose families are tested by themselves; empty for nothing.

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


class Shifts(NamedTuple):
    """All shifts of a comparison, which are tested together."""

    labels: tuple[MetricShift, ...]
    metrics: tuple[MetricShift, ...]
    slices: tuple[SliceShift, ...]

    def claimed(self, *, alpha: float) -> "Shifts":
        """The same shifts with what may be claimed of them: the one step in which p is corrected (Holm).

        The probability that any claim of the comparison is false is smaller than alpha. Of a slice that is
        too small nothing could be claimed, so it takes no part.
        """
        in_slices = [
            shift if shift.n >= ENOUGH_TO_CLAIM else replace(shift, p=None)
            for each in self.slices
            for shift in each.metrics
        ]
        all_shifts = claimed([*self.labels, *self.metrics, *in_slices], alpha=alpha)
        first, second = len(self.labels), len(self.labels) + len(self.metrics)
        rest = iter(all_shifts[second:])
        slices = (SliceShift(one.slice, tuple(next(rest) for _ in one.metrics)) for one in self.slices)
        return Shifts(all_shifts[:first], all_shifts[first:second], tuple(slices))


def claimed(shifts: Sequence[MetricShift], *, alpha: float) -> tuple[MetricShift, ...]:
    """The same shifts, with what may be claimed of them when all are looked at together."""
    adjusted = holm([shift.p for shift in shifts])
    return tuple(
        replace(shift, adjusted=p, claim=p is not None and p < alpha and shift.n >= ENOUGH_TO_CLAIM)
        for shift, p in zip(shifts, adjusted, strict=True)
    )


def metric_shift_of(
    columns: PairedColumns, *, alpha: float, units: Sequence[str] | None = None
) -> MetricShift:
    """By how much two columns in memory differ; nothing is claimed yet."""
    column, before, after = columns
    load = loader_of(before, after, units)
    return MetricShift.of(column, StepSums.of(before, after, units), load, alpha=alpha)


def kind_of(before: Outcome, after: Outcome) -> ChangeKind:
    """What became of a test: an error is no outcome to be worse or better than."""
    if before == after:
        return "same"
    if "error" in (before, after):
        return "to error" if after == "error" else "from error"
    if "pass" in (before, after):
        return "regression" if before == "pass" else "fix"
    return "other"


def are_too_few(shifts: Iterable[MetricShift]) -> bool:
    """Whether something moved, and everywhere on too few items to claim a fall, had there been one."""
    moved = [shift.n for shift in shifts if shift.n and not shift.unchanged]
    return bool(moved) and max(moved) < ENOUGH_TO_CLAIM


def is_headline(metric: str) -> bool:
    """Whether a metric sums an answer up; a measure of the user's own does, and others of ours are parts."""
    return metric in HEADLINE or metric not in KNOWN


def headline_first(columns: Sequence[PairColumn]) -> list[int]:
    """Where the headline metrics stand, and then the parts, both in the order of the catalogue.

    The columns of a suite come first, and measures of the user's own last, by their names.
    """

    def rank(at: int) -> tuple[bool, int, str]:
        name = columns[at].metric
        suite_rank = (PASSED, SCORE).index(name) - 2 if name in (PASSED, SCORE) else len(ALL)
        return not is_headline(name), CATALOGUE_ORDER.get(name, suite_rank), name

    return sorted(range(len(columns)), key=rank)


def telling(metrics: Sequence[str]) -> str | None:
    """The metric by which items are reported where the user has chosen none; None where there is none."""
    return next((name for name in _PREFERRED if name in metrics), metrics[0] if metrics else None)


def _count_tested(shifts: Iterable[MetricShift]) -> int:
    return sum(shift.adjusted is not None for shift in shifts)
