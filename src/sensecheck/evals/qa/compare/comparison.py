"""What has changed from one evaluation to the next, and whether it is more than chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.core.serialization import encode, unknown
from sensecheck.evals.qa.compare.asked import Asked
from sensecheck.evals.qa.compare.brief import RunBrief
from sensecheck.evals.qa.compare.families import Tested, parted
from sensecheck.evals.qa.compare.matching import Matching, match_questions
from sensecheck.evals.qa.compare.moved import Moved, most_moved, telling
from sensecheck.evals.qa.compare.notes import named, notes_of, only_in
from sensecheck.evals.qa.compare.shift import ENOUGH, Columns, MetricShift, are_too_few, shifts_of
from sensecheck.evals.qa.compare.slices import SliceShift, slice_shifts
from sensecheck.evals.qa.metric_order import ordered
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import Metric, RunTable

MOST_LOST = 100
"""So many questions that are n/a now are named, a metric; `MetricShift.lost` counts them all."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Questions that a metric read before and cannot read now."""

    metric: str
    encoder: str
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """A metric that only the earlier run has."""

    metric: str
    encoder: str


@dataclass(frozen=True, slots=True)
class QaComparison:
    """Two runs held against each other, question by question."""

    before: RunBrief
    after: RunBrief
    alpha: float
    """In each of the four families that are tested (what people said, the headline metrics, the parts, and
    the metrics in slices) the chance that any claim is false is smaller. That is promised for a family, and
    not for all four together. Each interval holds with 1 - alpha, for itself alone."""
    n: int
    """Questions that both runs have."""
    metrics: tuple[MetricShift, ...]
    """Those that sum an answer up come first, and then the parts."""
    labels: tuple[MetricShift, ...]
    """What people said of the answers of both runs, compared as metrics are; a family of its own."""
    slices: tuple[SliceShift, ...]
    tested: Tested
    """How many differences p allows for."""
    told_by: str
    """The metric by which slices and questions are told."""
    moved: tuple[Moved, ...]
    lost: tuple[Lost, ...]
    gone: tuple[Gone, ...]
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    reworded: tuple[str, ...]
    """Under the same id, but with other words: not compared."""
    notes: tuple[str, ...]
    """What else to know, in words."""

    @property
    def worse(self) -> tuple[MetricShift, ...]:
        """What fell by more than chance: what people said first, and then the metrics."""
        return tuple(one for one in (*self.labels, *self.metrics) if one.fell)

    @property
    def not_known(self) -> tuple[str, ...]:
        """Why nobody knows whether it got worse, in words: what is not there now, or too little to say."""
        return tuple(self._missing())

    def _missing(self) -> Iterator[str]:
        after, lost = self.after, [one for one in self.metrics if one.lost]
        if self.gone:
            yield f"only before: {', '.join(named(one.metric, one.encoder) for one in self.gone)}"
        if missing := after.size - after.done:
            yield f"the run {after.run} is not whole: {missing:,} of {after.size:,} are missing"
        if self.only_before:
            yield f"questions only before: {len(self.only_before):,}"
        if self.reworded:
            yield f"worded otherwise, so not compared: {len(self.reworded):,}"
        if lost:
            told = (f"{one.lost:,} of {named(one.metric, one.encoder)}" for one in lost)
            yield f"read before and n/a now: {', '.join(told)}"
        if are_too_few((*self.labels, *self.metrics)):
            yield f"fewer than {ENOUGH} questions were read in both, too few to tell a fall from chance"

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}


def compare_tables(
    before: RunTable,
    after: RunTable,
    *,
    alpha: float = 0.05,
    metric: str | None = None,
    asked: tuple[Asked, Asked] | None = None,
) -> QaComparison:
    """Hold a run against an earlier one; `metric` is the one by which questions are told that moved.

    `asked` says how the questions of both are worded; without it a question is known by its id alone.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` wants a number between 0 and 1; found {alpha}")
    matching = match_questions(before, after, asked)
    headline, parts = parted(_columns(before, after, matching))
    many = [*headline, *parts]
    told_by = _chosen(many, metric, after.run.encoder)
    metrics = (*shifts_of(headline, alpha=alpha), *shifts_of(parts, alpha=alpha))
    labels = shifts_of(_labels(before, after, matching), alpha=alpha)
    slices, small = slice_shifts([after.slices[at] for at in matching.after], many, alpha=alpha)
    return QaComparison(
        RunBrief.of(before.run),
        RunBrief.of(after.run),
        alpha,
        len(matching.names),
        metrics,
        labels,
        slices,
        Tested.of(metrics, labels, slices),
        told_by.metric,
        most_moved(matching.names, told_by),
        tuple(lost for columns in many if (lost := _lost(matching.names, columns)).ids),
        tuple(Gone(one.name, one.encoder) for one in only_in(before, after)),
        matching.only_before,
        matching.only_after,
        matching.reworded,
        notes_of(before, after, small=small),
    )


def compare_runs(
    store: EvalStore, before: Run, after: Run, *, alpha: float = 0.05, metric: str | None = None
) -> QaComparison:
    """Hold a kept run against an earlier one; where their sets differ, also by how questions are worded."""
    if before.key == after.key:
        raise SpecError(f"the run {after.key} cannot be compared with itself; wanted two runs")
    same = before.set.key == after.set.key
    asked = None if same else (Asked.in_run(store, before), Asked.in_run(store, after))
    tables = ordered(store.table(before)), ordered(store.table(after))
    return compare_tables(*tables, alpha=alpha, metric=metric, asked=asked)


def _columns(before: RunTable, after: RunTable, matching: Matching) -> list[Columns]:
    """The metrics that both runs have, by the same encoder: numbers of two encoders are not alike."""
    old = {_known_by(metric): at for at, metric in enumerate(before.metrics)}
    found = [
        Columns(
            metric.name,
            metric.encoder,
            metric.fingerprint,
            before.values[matching.before, old[_known_by(metric)]],
            after.values[matching.after, at],
        )
        for at, metric in enumerate(after.metrics)
        if _known_by(metric) in old
    ]
    if not found:
        raise SpecError(
            f"the runs {before.run.key} and {after.run.key} have no metric in common, by the same encoder: "
            f"found {_list(before.metrics)} and {_list(after.metrics)}"
        )
    return found


def _labels(before: RunTable, after: RunTable, matching: Matching) -> list[Columns]:
    """The labels that both runs have; of answers without one, nothing is known."""
    return [
        Columns(name, "", "", before.labels[name][matching.before], after.labels[name][matching.after])
        for name in before.labels
        if name in after.labels
    ]


def _known_by(metric: Metric) -> tuple[str, str]:
    return metric.name, metric.fingerprint


def _list(metrics: Sequence[Metric]) -> str:
    return ", ".join(named(one.name, one.encoder) for one in metrics) or "none"


def _chosen(many: Sequence[Columns], metric: str | None, own: str) -> Columns:
    """The metric by which questions are told; of several encoders, by the run's own."""
    names = [columns.metric for columns in many]
    wanted = telling(names) if metric is None else metric
    if wanted not in names:
        raise SpecError(unknown("metric of both runs", wanted, set(names)))
    found = [columns for columns in many if columns.metric == wanted]
    return next((columns for columns in found if columns.fingerprint == own), found[0])


def _lost(names: Sequence[str], columns: Columns) -> Lost:
    gone = np.flatnonzero(~np.isnan(columns.before) & np.isnan(columns.after))[:MOST_LOST]
    return Lost(columns.metric, columns.encoder, tuple(names[at] for at in gone))
