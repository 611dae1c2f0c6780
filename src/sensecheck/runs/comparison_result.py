"""What a comparison of two runs says, and how it follows from their pairs: the same for all kinds of runs.

A gate (`--fail-on`) asks it whether the later run is worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.run import RunBrief
from sensecheck.core.serialization import did_you_mean, encode
from sensecheck.runs.pairs import Omitted, RunPairs
from sensecheck.runs.shift import (
    ENOUGH_TO_CLAIM,
    ENOUGH_TO_COMPARE,
    Change,
    MetricShift,
    Moved,
    PairColumn,
    Shifts,
    SliceShift,
    Tested,
    are_too_few,
    headline_first,
    is_headline,
    telling,
)
from sensecheck.text.escaping import counted

Noun = Literal["test", "question", "row"]
FailOn = Literal["regression", "significant", "worse"]
FAIL_ON: tuple[FailOn, ...] = ("regression", "significant", "worse")
MAX_SLICES_NAMED = 5


@dataclass(frozen=True, slots=True)
class Lost:
    """Items that a metric has a number for before and none now."""

    metric: str
    encoder: str
    ids: tuple[str, ...]
    """The first of them; `MetricShift.lost` counts them all."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A metric that only the earlier run has, or that was computed by others since."""

    metric: str
    encoder: str


@dataclass(frozen=True, kw_only=True)  # without slots: what is known of two runs is passed on as a whole
class Outcomes:
    """How items came out differently, by what became of them."""

    regressions: tuple[Change, ...] = ()
    """Passed before, and do not now; `regression_count` counts them all where not all are listed."""
    fixes: tuple[Change, ...] = ()
    other: tuple[Change, ...] = ()
    """From one outcome that is no pass to another."""
    to_error: tuple[Change, ...] = ()
    from_error: tuple[Change, ...] = ()
    regression_count: int = 0
    fix_count: int = 0
    verdicts: tuple[str, ...] = ()
    """The columns that say pass or fail: labels of people first, and then checks."""


@dataclass(frozen=True, kw_only=True)
class ComparedRuns(Outcomes):
    """Which runs are compared, and what is known of them besides their numbers.

    Outcomes are those of a suite's verdicts; otherwise they follow from checks and labels of 0 and 1.
    """

    before: RunBrief
    after: RunBrief
    items: Noun
    paired_by: str
    """What items are known by, in words."""
    only_before: tuple[str, ...] = ()
    """Of a large run, the first; `removed` counts them all."""
    only_after: tuple[str, ...] = ()
    removed: int = 0
    """Items that only the earlier run has."""
    added: int = 0
    reworded: tuple[str, ...] = ()
    """Under the same id, but with other words: not compared."""
    gone: tuple[Gone, ...] = ()
    notes: tuple[str, ...] = ()
    """What else to know, in words."""
    errors: int = 0
    """Items of the later run that could not be judged, or are missing since it was interrupted."""
    encoder: str = ""
    """The fingerprint of the later run's own encoder."""


@dataclass(frozen=True, kw_only=True)
class Comparison(ComparedRuns):
    """Two runs, compared item by item."""

    alpha: float
    """The probability that any claim is false is smaller: all shifts, of labels, metrics and slices, are
    tested together. Each interval holds with 1 - alpha, for itself alone."""
    n: int
    """Items that both runs have."""
    metrics: tuple[MetricShift, ...]
    """Those that sum an answer up come first, and then the parts."""
    labels: tuple[MetricShift, ...]
    """What people said of the answers of both runs, compared as metrics are."""
    slices: tuple[SliceShift, ...]
    tested: Tested
    """How many differences p is corrected for."""
    told_by: str
    """The metric by which slices and items are reported."""
    moved: tuple[Moved, ...]
    lost: tuple[Lost, ...]

    @property
    def worse(self) -> tuple[MetricShift, ...]:
        """What fell significantly: what people said first, and then the metrics."""
        return tuple(shift for shift in (*self.labels, *self.metrics) if shift.fell)

    @property
    def leading(self) -> tuple[MetricShift, ...]:
        """What decides first: labels of people where there are any, else checks, else headline metrics."""
        labels = tuple(shift for shift in self.labels if shift.n)
        checks = tuple(shift for shift in self.metrics if shift.metric in self.verdicts)
        return labels or checks or tuple(shift for shift in self.metrics if is_headline(shift.metric))

    @property
    def is_empty(self) -> bool:
        """Whether no column has a number in both runs."""
        return not any(shift.n for shift in (*self.labels, *self.metrics))

    def fails(self, on: FailOn) -> bool:
        """Whether the later run is worse in the sense of a gate."""
        if on == "worse":
            return bool(self.worse)
        if on == "significant":
            return any(shift.fell_significantly(self.alpha) for shift in self.leading)
        if not self.verdicts:
            raise SpecError(
                "`--fail-on regression` needs runs of a battery, checks, or labels of 0 and 1: nothing in "
                "these runs says pass or fail; use `significant` or `worse`"
            )
        return bool(self.regression_count)

    @property
    def not_known(self) -> tuple[str, ...]:
        """Why it is not known whether it got worse, in words: what is missing now, or too little to say."""
        return tuple(self._missing())

    @property
    def not_judged(self) -> tuple[str, ...]:
        """Of that, what could not be judged at all, in words: items of the later run, or all of both."""
        reasons = tuple(self._missing_items()) if self.errors else ()
        return (*reasons, f"no {self.items} could be judged in both runs") if self.is_empty else reasons

    def _missing_items(self) -> Iterator[str]:
        if missing := self.after.size - self.after.done:
            size = f"{missing:,} of {self.after.size:,} are missing"
            yield f"the run {self.after.run} is not complete: {size}"
        elif self.errors:
            yield f"{counted(self.errors, self.items)} of the later run could not be judged"

    def _missing(self) -> Iterator[str]:
        items, lost = f"{self.items}s", [shift for shift in self.metrics if shift.lost]
        if self.gone:
            yield f"only before: {', '.join(named(gone.metric, gone.encoder) for gone in self.gone)}"
        yield from self._missing_items()
        if self.removed:
            yield f"{items} only before: {self.removed:,}"
        if self.reworded:
            yield f"worded otherwise, so not compared: {len(self.reworded):,}"
        if lost:
            counts = (f"{shift.lost:,} of {named(shift.metric, shift.encoder)}" for shift in lost)
            yield f"n/a now but not before: {', '.join(counts)}"
        if self.is_empty:
            yield f"no {self.items} could be judged in both runs"
        elif are_too_few((*self.labels, *self.metrics)):
            yield f"fewer than {ENOUGH_TO_CLAIM} {items} have a number in both, too few to claim a fall"

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__ if name != "encoder"}


def comparison_of(
    pairs: RunPairs, compared: ComparedRuns, *, alpha: float, metric: str | None, by: Sequence[str] | None
) -> Comparison:
    """The comparison of these pairs, by the same rules wherever they come from."""
    columns = pairs.columns
    places = [at for at in headline_first(columns) if not columns[at].label]
    labels = [at for at in range(len(columns)) if columns[at].label]
    reported = _reported(columns, places, metric, compared.encoder)
    slices, omitted = pairs.slices(places, by, alpha=alpha)
    raw = Shifts(
        tuple(pairs.shifts(labels, alpha=alpha)), tuple(pairs.shifts(places, alpha=alpha)), tuple(slices)
    )
    shifts = raw.claimed(alpha=alpha)
    lost = zip(places, shifts.metrics, strict=True)
    counted_outcomes = {}
    if not compared.verdicts:
        all_shifts = (*shifts.labels, *shifts.metrics)
        counted_outcomes = vars(_outcomes_of(pairs, labels + places, all_shifts))
    facts = vars(compared) | counted_outcomes
    return Comparison(
        **facts | {"notes": (*compared.notes, *_omitted_note(omitted, compared.items))},
        alpha=alpha,
        n=pairs.n,
        metrics=shifts.metrics,
        labels=shifts.labels,
        slices=shifts.slices,
        tested=Tested.of(shifts.metrics, shifts.labels, shifts.slices),
        told_by=columns[reported].metric,
        moved=pairs.moved(reported),
        lost=tuple(Lost(shift.metric, shift.encoder, pairs.lost(at)) for at, shift in lost if shift.lost),
    )


def named(metric: str, encoder: str) -> str:
    """A metric, with its encoder if it has one."""
    return f"`{metric}`" + (f" by `{encoder}`" if encoder else "")


def _reported(
    columns: Sequence[PairColumn], places: Sequence[int], metric: str | None, fingerprint: str
) -> int:
    """The column by which items are reported; of several encoders, by the run's own."""
    names = [columns[at].metric for at in places]
    name = telling(names) if metric is None else metric
    if name not in names:
        raise SpecError(did_you_mean("metric of both runs", name, set(names)))
    matches = [at for at in places if columns[at].metric == name]
    return next((at for at in matches if columns[at].fingerprint == fingerprint), matches[0])


def _outcomes_of(pairs: RunPairs, places: Sequence[int], shifts: Sequence[MetricShift]) -> Outcomes:
    """What checks and labels of 0 and 1 say of items, the labels first."""
    outcomes = Outcomes()
    for at, shift in zip(places, shifts, strict=True):
        if not pairs.columns[at].is_verdict or (flips := pairs.flips(at)) is None:
            continue
        name = shift.metric
        ups, downs = (round((share or 0.0) * shift.n) for share in (shift.better, shift.worse))
        outcomes = Outcomes(
            regressions=(
                *outcomes.regressions,
                *(_flip(name, item, "pass", "fail") for item in flips.regressions),
            ),
            fixes=(*outcomes.fixes, *(_flip(name, item, "fail", "pass") for item in flips.fixes)),
            regression_count=outcomes.regression_count + downs,
            fix_count=outcomes.fix_count + ups,
            verdicts=(*outcomes.verdicts, name),
        )
    return outcomes


def _flip(metric: str, item: str, before: Literal["pass", "fail"], after: Literal["pass", "fail"]) -> Change:
    return Change(item, item, "", "", before, after, None, None, "", metric)


def _omitted_note(omitted: Omitted, items: Noun) -> Iterator[str]:
    if omitted.total:
        beyond = omitted.total - MAX_SLICES_NAMED
        more = f" and {beyond:,} more" if beyond > 0 else ""
        names = ", ".join(f"`{name}`" for name in omitted.names[:MAX_SLICES_NAMED])
        yield f"slices with fewer than {ENOUGH_TO_COMPARE} {items}s are not compared: {names}{more}"
