"""Two large runs compared row by row, by sums over all rows that both have."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import encode, unknown
from sensecheck.runs.comparison import named
from sensecheck.runs.pairing_large import (
    AFTER,
    BEFORE,
    CommonNumbers,
    RowPairing,
    must_be_unique,
    put_side_by_side,
)
from sensecheck.runs.parquet import FinishedRun, QueryLimits, tables
from sensecheck.runs.shift import (
    ENOUGH_TO_CLAIM,
    MetricShift,
    Moved,
    SliceShift,
    Tested,
    are_too_few,
    claimed,
    is_headline,
    telling,
)
from sensecheck.runs.shift_large import Shifting


@dataclass(frozen=True, slots=True)
class ResultsComparison:
    """Two runs compared row by row, as two stored evaluations are."""

    before: str
    after: str
    """Where they are."""
    paired_by: str
    alpha: float
    """In each family that is tested (the headline metrics with the checks, the parts, the metrics in slices)
    the chance that any claim is false is smaller. Each interval holds with 1 - alpha, for itself alone."""
    n: int
    """Rows that both runs have."""
    metrics: tuple[MetricShift, ...]
    """Those that sum an answer up come first, with the share that passed each check, and then the parts."""
    slices: tuple[SliceShift, ...]
    tested: Tested
    told_by: str
    """The metric by which slices and rows are reported."""
    moved: tuple[Moved, ...]
    gone: tuple[str, ...]
    """What only the earlier run has, or was read by others since."""
    only_before: int
    only_after: int
    notes: tuple[str, ...]
    labels: tuple[MetricShift, ...] = ()
    """Always empty: what people say is kept in a store."""

    @property
    def worse(self) -> tuple[MetricShift, ...]:
        """What fell by more than chance."""
        return tuple(one for one in self.metrics if one.fell)

    @property
    def not_known(self) -> tuple[str, ...]:
        """Why nobody knows whether it got worse, in words: what is not there now, or too little to say."""
        return tuple(self._missing())

    def _missing(self) -> Iterator[str]:
        lost = [one for one in self.metrics if one.lost]
        if self.gone:
            yield f"only before: {_listed(self.gone)}"
        if self.only_before:
            yield f"rows only before: {self.only_before:,}"
        if lost:
            counts = ", ".join(f"{one.lost:,} of {named(one.metric, one.encoder)}" for one in lost)
            yield f"read before and n/a now: {counts}"
        if are_too_few(self.metrics):
            yield f"fewer than {ENOUGH_TO_CLAIM} rows were read in both, too few to tell a fall from chance"

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__ if name != "labels"}


def compare_results(
    before: FinishedRun,
    after: FinishedRun,
    *,
    key: str | None = None,
    by: Sequence[str] = (),
    metric: str | None = None,
    alpha: float = 0.05,
    limits: QueryLimits | None = None,
) -> ResultsComparison:
    """Compare a run with an earlier one; `metric` is the one by which rows that moved are reported.

    Rows are paired by the column `key`; without it by their id, or by their place in the same inputs.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` wants a number between 0 and 1; found {alpha}")
    for column in by:
        after.must_carry(column)
    pairing, common = RowPairing.of(before, after, key), CommonNumbers.of(before, after)
    told_by = telling(common.names) if metric is None else metric
    if told_by is None or told_by not in common.names:
        raise SpecError(unknown("metric of both runs", told_by, common.names))
    with tables({BEFORE: before, AFTER: after}, limits or QueryLimits()) as connection:
        old = must_be_unique(connection, BEFORE, pairing.before, before.address)
        new = must_be_unique(connection, AFTER, pairing.after, after.address)
        n = put_side_by_side(connection, pairing, common.expressions, by)
        if not n:
            raise SpecError(_nothing_in_common(before, after, pairing))
        shifting = Shifting(connection, pairing, common.names, alpha)
        metrics = _with_claims(shifting.whole(), alpha)
        cut = [shifting.slices(at, column) for at, column in enumerate(by)]
        moved = shifting.moved(told_by)
    slices = tuple(one for some, _ in cut for one in some)
    return ResultsComparison(
        before.address,
        after.address,
        pairing.description,
        alpha,
        n,
        metrics,
        slices,
        Tested.of(metrics, (), slices),
        told_by,
        moved,
        common.only_before,
        old - n,
        new - n,
        tuple(_notes(before, after, common, (old, new), sum(small for _, small in cut))),
    )


def _with_claims(shifts: Sequence[MetricShift], alpha: float) -> tuple[MetricShift, ...]:
    headline = [one for one in shifts if is_headline(one.metric)]
    parts = [one for one in shifts if not is_headline(one.metric)]
    return (*claimed(headline, alpha=alpha), *claimed(parts, alpha=alpha))


def _nothing_in_common(before: FinishedRun, after: FinishedRun, pairing: RowPairing) -> str:
    message = f"`{before.address}` and `{after.address}` have no row in common"
    return f"{message}: rows are known by {pairing.description}; name another column with `--key`"


def _notes(
    before: FinishedRun, after: FinishedRun, common: CommonNumbers, keyed: tuple[int, int], small: int
) -> Iterator[str]:
    for run, known in zip((before, after), keyed, strict=True):
        if run.manifest.gaps:
            yield f"{len(run.manifest.gaps):,} parts of the inputs of `{run.address}` could not be read"
        if missing := run.manifest.rows - known:
            yield f"{missing:,} rows of `{run.address}` have nothing to be known by, so they are not compared"
    readers = sorted({*before.plan.readers, *after.plan.readers})
    changed = [who for who in readers if before.plan.readers.get(who) != after.plan.readers.get(who)]
    if changed:
        yield f"the runs differ in: {_listed(changed)}"
    for when, lone in (("before", common.only_before), ("now", common.only_after)):
        if lone:
            yield f"only {when}, or read by others, so not compared: {_listed(lone)}"
    checks = [name for name in common.names if name in after.checks]
    if checks:
        yield f"of a check, the share that passed is compared: {_listed(checks)}"
    if small:
        yield f"slices with too few rows, or beyond the commonest, are not compared: {small:,}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
