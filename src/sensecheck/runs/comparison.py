"""Two runs compared item by item: batteries test by test, evaluations question by question.

A comparison says what has changed, whether that is more than chance, and what was not compared.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run, RunBrief
from sensecheck.core.serialization import encode, to_data, unknown
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.pairing import (
    Brief,
    CellPair,
    Matching,
    Pairing,
    QuestionWordings,
    match_questions,
    pair_runs,
)
from sensecheck.runs.shift import (
    ENOUGH_TO_CLAIM,
    ENOUGH_TO_COMPARE,
    Change,
    ChangeKind,
    MeanShift,
    MetricShift,
    Moved,
    PairedColumns,
    SliceShift,
    Tested,
    are_too_few,
    kind_of,
    most_moved,
    most_moved_answers,
    parted,
    shift_of,
    shifts_of,
    slice_shifts,
    telling,
)

if TYPE_CHECKING:  # they bring SQLAlchemy along
    from sensecheck.runs.sql import EvalStore
    from sensecheck.runs.sql_read import RunMetric, RunTable

MOST_SLICES = 5
MOST_LOST = 100
"""So many questions that are n/a now are named, a metric; `MetricShift.lost` counts them all."""


@dataclass(frozen=True, slots=True)
class BatteryComparison:
    """Two runs of a battery, compared."""

    before: str
    after: str
    alpha: float
    """A difference with a smaller p is taken for more than chance; intervals hold with 1 - alpha."""
    notes: tuple[str, ...]
    compared: int
    """Tests that both runs judged; several prompts and sources of one test count by themselves here."""
    passes: MeanShift | None
    """None when no test was judged in both runs."""
    scores: MeanShift | None
    regressions: tuple[Change, ...]
    """Passed before; now judged, and no longer a pass."""
    fixes: tuple[Change, ...]
    """Did not pass before; passes now."""
    other: tuple[Change, ...]
    """From one outcome that is no pass to another."""
    to_error: tuple[Change, ...]
    from_error: tuple[Change, ...]
    moved: tuple[Change, ...]
    """The same outcome, but another score: those that changed most."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    errors: int
    """Tests of the new run that could not be judged, or are missing since it was interrupted."""

    @property
    def regressed(self) -> bool:
        """Whether any test that passed before no longer does."""
        return bool(self.regressions)

    @property
    def significantly_worse(self) -> bool:
        """Whether the pass rate fell by more than chance."""
        return self.passes is not None and self.passes.difference.value < 0 and self.passes.p < self.alpha

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data, ready for JSON."""
        return to_data(self)


def compare_runs(before: RunFile, after: RunFile, *, alpha: float = 0.05) -> BatteryComparison:
    """Compare a battery run with an earlier one, test by test."""
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` wants a number between 0 and 1; found {alpha}")
    return _battery_comparison(pair_runs(before, after), before.path.name, after.path.name, alpha)


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
    """Two evaluations, compared question by question."""

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
    """The metric by which slices and questions are reported."""
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
            counts = (f"{one.lost:,} of {named(one.metric, one.encoder)}" for one in lost)
            yield f"read before and n/a now: {', '.join(counts)}"
        if are_too_few((*self.labels, *self.metrics)):
            few = f"fewer than {ENOUGH_TO_CLAIM} questions were read in both"
            yield f"{few}, too few to tell a fall from chance"

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}


def compare_evaluations(
    store: "EvalStore", before: Run, after: Run, *, alpha: float = 0.05, metric: str | None = None
) -> QaComparison:
    """Compare a stored run with an earlier one; where their sets differ, also by how questions are worded."""
    if before.key == after.key:
        raise SpecError(f"the run {after.key} cannot be compared with itself; wanted two runs")
    same = before.set.key == after.set.key
    asked = None if same else (QuestionWordings.in_run(store, before), QuestionWordings.in_run(store, after))
    from sensecheck.runs.summary import ordered  # noqa: PLC0415 - it brings SQLAlchemy along

    tables = ordered(store.table(before)), ordered(store.table(after))
    return compare_tables(*tables, alpha=alpha, metric=metric, asked=asked)


def compare_tables(
    before: "RunTable",
    after: "RunTable",
    *,
    alpha: float = 0.05,
    metric: str | None = None,
    asked: tuple[QuestionWordings, QuestionWordings] | None = None,
) -> QaComparison:
    """Compare a run with an earlier one; `metric` is the one by which questions that moved are reported.

    `asked` says how the questions of both are worded; without it a question is known by its id alone.
    """
    if not 0 < alpha < 1:
        raise SpecError(f"`alpha` wants a number between 0 and 1; found {alpha}")
    matching = match_questions(before, after, asked)
    headline, parts = parted(_columns(before, after, matching))
    many = [*headline, *parts]
    told_by = _reported_columns(many, metric, after.run.encoder)
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
        most_moved_answers(matching.names, told_by),
        tuple(lost for columns in many if (lost := _lost(matching.names, columns)).ids),
        tuple(Gone(one.name, one.encoder) for one in _only_in(before, after)),
        matching.only_before,
        matching.only_after,
        matching.reworded,
        _notes(before, after, small=small),
    )


def named(metric: str, encoder: str) -> str:
    """A metric, with its encoder if it has one."""
    return f"`{metric}`" + (f" by `{encoder}`" if encoder else "")


def _battery_comparison(pairing: Pairing, before: str, after: str, alpha: float) -> BatteryComparison:
    kinds: dict[ChangeKind, list[Change]] = {}
    for pair in pairing.pairs:
        kinds.setdefault(kind_of(pair.before.outcome, pair.after.outcome), []).append(Change.of(pair))
    judged = [pair for pair in pairing.pairs if "error" not in (pair.before.outcome, pair.after.outcome)]

    def changes(kind: ChangeKind) -> tuple[Change, ...]:
        return tuple(kinds.get(kind, ()))

    return BatteryComparison(
        before,
        after,
        alpha,
        pairing.notes,
        len(judged),
        shift_of([(pair.after.key, *_passed(pair)) for pair in judged], alpha=alpha, rates=True),
        shift_of(
            [(pair.after.key, *scores) for pair in judged if (scores := _scores(pair))],
            alpha=alpha,
            rates=False,
        ),
        changes("regression"),
        changes("fix"),
        changes("other"),
        changes("to error"),
        changes("from error"),
        most_moved(changes("same")),
        _titles(pairing.only_before),
        _titles(pairing.only_after),
        pairing.errors,
    )


def _passed(pair: CellPair) -> tuple[float, float]:
    return float(pair.before.outcome == "pass"), float(pair.after.outcome == "pass")


def _scores(pair: CellPair) -> tuple[float, float] | None:
    old, new = pair.before.score, pair.after.score
    return None if old is None or new is None else (old, new)


def _titles(briefs: Iterable[Brief]) -> tuple[str, ...]:
    return tuple(brief.title for brief in briefs)


def _columns(before: "RunTable", after: "RunTable", matching: Matching) -> list[PairedColumns]:
    """The metrics that both runs have, by the same encoder: numbers of two encoders are not alike."""
    old = {_key(metric): at for at, metric in enumerate(before.metrics)}
    found = [
        PairedColumns(
            metric.name,
            metric.encoder,
            metric.fingerprint,
            before.values[matching.before, old[_key(metric)]],
            after.values[matching.after, at],
        )
        for at, metric in enumerate(after.metrics)
        if _key(metric) in old
    ]
    if not found:
        raise SpecError(
            f"the runs {before.run.key} and {after.run.key} have no metric in common, by the same encoder: "
            f"found {_listed(before.metrics)} and {_listed(after.metrics)}"
        )
    return found


def _labels(before: "RunTable", after: "RunTable", matching: Matching) -> list[PairedColumns]:
    """The labels that both runs have; of answers without one, nothing is known."""
    return [
        PairedColumns(name, "", "", before.labels[name][matching.before], after.labels[name][matching.after])
        for name in before.labels
        if name in after.labels
    ]


def _key(metric: "RunMetric") -> tuple[str, str]:
    return metric.name, metric.fingerprint


def _listed(metrics: Sequence["RunMetric"]) -> str:
    return ", ".join(named(one.name, one.encoder) for one in metrics) or "none"


def _reported_columns(many: Sequence[PairedColumns], metric: str | None, own: str) -> PairedColumns:
    """The metric by which questions are reported; of several encoders, by the run's own."""
    names = [columns.metric for columns in many]
    wanted = telling(names) if metric is None else metric
    if wanted not in names:
        raise SpecError(unknown("metric of both runs", wanted, set(names)))
    found = [columns for columns in many if columns.metric == wanted]
    return next((columns for columns in found if columns.fingerprint == own), found[0])


def _lost(names: Sequence[str], columns: PairedColumns) -> Lost:
    gone = np.flatnonzero(~np.isnan(columns.before) & np.isnan(columns.after))[:MOST_LOST]
    return Lost(columns.metric, columns.encoder, tuple(names[at] for at in gone))


def _only_in(one: "RunTable", other: "RunTable") -> list["RunMetric"]:
    """The metrics that one run has and the other has not, by the same encoder."""
    known = {_key(metric) for metric in other.metrics}
    return [metric for metric in one.metrics if _key(metric) not in known]


def _notes(before: "RunTable", after: "RunTable", *, small: Sequence[str]) -> tuple[str, ...]:
    """What differs between the runs, and what was not compared."""
    return (
        *_gaps(before.run),
        *_gaps(after.run),
        *_differences(before.run, after.run),
        *_not_compared(before, after),
        *_small_slices(small),
    )


def _gaps(run: Run) -> Iterator[str]:
    if not run.whole:
        yield f"the run {run.key} is not whole: {run.done:,} of its {run.set.size:,} questions are there"


def _differences(before: Run, after: Run) -> Iterator[str]:
    """What was not the same, so that it may be the reason for what has changed."""
    if before.test.project != after.test.project:
        yield f"the project was `{before.test.project}` and is `{after.test.project}`"
    if before.test.name != after.test.name:
        yield f"the test was `{before.test.name}` and is `{after.test.name}`"
    changed = [
        key
        for key in sorted({*before.conditions, *after.conditions})
        if before.conditions.get(key) != after.conditions.get(key)
    ]
    if changed:
        yield "the conditions of the runs differ in: " + ", ".join(f"`{key}`" for key in changed)


def _not_compared(before: "RunTable", after: "RunTable") -> Iterator[str]:
    for when, lone in (("before", _only_in(before, after)), ("now", _only_in(after, before))):
        if lone:
            yield f"only {when}, so not compared: {', '.join(named(one.name, one.encoder) for one in lone)}"


def _small_slices(small: Sequence[str]) -> Iterator[str]:
    if small:
        more = f" and {len(small) - MOST_SLICES} more" if len(small) > MOST_SLICES else ""
        names = ", ".join(f"`{name}`" for name in small[:MOST_SLICES])
        yield f"slices with fewer than {ENOUGH_TO_COMPARE} questions are not compared: {names}{more}"
