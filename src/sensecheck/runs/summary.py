"""What a run came to, metric by metric: means with intervals, distributions, and what is missing and why."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run, RunBrief
from sensecheck.core.serialization import did_you_mean
from sensecheck.measures.metric_reader import NOBODY
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.figures import QUANTILES, ColumnBins, ColumnSums, RunFigures
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import MetricGaps, RunMetric, RunReasons, RunTable
from sensecheck.runs.shift import CATALOGUE_ORDER
from sensecheck.text.escaping import counted

CONFIDENCE = 0.95
FEW_ROWS = 1_000_000
"""So many rows are read whenever a run is summed up; of more, what its files have counted is shown."""
MAX_VALUES = 30
"""Of a slice with more values than this, the most frequent are listed and the others are counted."""
NOT_READ, NO_ANSWER, DOES_NOT_APPLY = "could not be read", "no answer", "does not apply"
NOTHING = "nothing to read"
NO_KEY = 0
"""Instead of a metric's key, where it has no readings."""


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all questions that a run has come to; wherever a run is shown, it is shown by this."""

    metric: str
    encoder: str
    """What the encoder is called, for metrics that compare meaning."""
    n: int
    """How many answers it read."""
    mean: float | None
    low: float | None
    high: float | None
    """Where the mean of all such answers lies, with a confidence of 95 % unless another was asked for."""
    unread: int
    """Answers that should have a number: reading them failed."""
    unanswered: int
    inapplicable: int
    """Answers to questions that lack what it compares."""
    nothing: int = 0
    """Answers that it applies to, and that hold nothing for it to read: blank ones, missing in its mean."""
    error: str | None = None
    """What was most often the reason why reading failed, where that was looked up."""

    @classmethod
    def of(
        cls,
        metric: RunMetric,
        sums: ColumnSums,
        *,
        questions: int,
        unread: int,
        unanswered: int,
        nothing: int = 0,
        error: str | None = None,
        confidence: float = CONFIDENCE,
    ) -> "MetricSummary":
        """Of the sums of those numbers that are known."""
        gone = questions - sums.n
        failed = min(unread, gone)
        silent = min(unanswered, gone - failed)
        empty = min(nothing, gone - failed - silent)
        counts = (failed, silent, gone - failed - silent - empty, empty)
        ends = sums.interval(confidence)
        return cls(metric.name, metric.encoder, sums.n, sums.mean, *ends, *counts, error)

    @classmethod
    def of_column(cls, table: RunTable, at: int, *, confidence: float = CONFIDENCE) -> "MetricSummary":
        """Of a column of numbers that have been read already."""
        return cls.of(
            table.metrics[at],
            ColumnSums.of(table.values[:, at]),
            questions=len(table.names),
            unread=table.unread[at],
            unanswered=table.unanswered,
            nothing=table.nothing[at] if table.nothing else 0,
            confidence=confidence,
        )

    @property
    def na(self) -> int:
        """Questions that have no number, for whatever reason."""
        return self.unread + self.unanswered + self.inapplicable + self.nothing

    @property
    def mean_blank_as_0(self) -> float | None:
        """The mean if each blank answer that is left out of it counted as 0: silence is no way to a score."""
        if self.mean is None or not self.nothing:
            return self.mean
        return self.mean * self.n / (self.n + self.nothing)

    @property
    def missing(self) -> dict[str, int]:
        """How many of them for which reason."""
        counts = {
            NOT_READ: self.unread,
            NO_ANSWER: self.unanswered,
            DOES_NOT_APPLY: self.inapplicable,
            NOTHING: self.nothing,
        }
        return {why: count for why, count in counts.items() if count}

    @property
    def because(self) -> str | None:
        """The most frequent reason; but a reading that failed is named before all that had to be n/a."""
        if self.unread:
            return self.error or NOT_READ
        return max(self.missing, key=self.missing.__getitem__, default=None)

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "metric": self.metric,
            "encoder": self.encoder,
            "n": self.n,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "mean_blank_as_0": self.mean_blank_as_0,
            "na": self.na,
            "unread": self.unread,
            "missing": self.missing,
            "because": self.because,
        }


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole of a run, in figures."""

    questions: int
    """How many it has come to."""
    answered: int
    unanswered: int
    unanswered_because: str | None
    """The most frequent reason."""
    metrics: tuple[MetricSummary, ...]
    notes: tuple[str, ...] = ()
    """What the counts alone do not tell."""

    @property
    def all_read(self) -> bool:
        """Whether every question has an answer, and all that applies to it was read.

        A blank answer that a metric has no number for is missing in its mean, as one that nobody gave.
        """
        return not self.unanswered and not self.unread and not any(one.nothing for one in self.metrics)

    @property
    def silent(self) -> tuple[MetricSummary, ...]:
        """Metrics that read none of the answers there are."""
        return tuple(one for one in self.metrics if self.answered and not one.n)

    @property
    def unread(self) -> int:
        """Readings that failed."""
        return sum(one.unread for one in self.metrics)

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "questions": self.questions,
            "answered": self.answered,
            "unanswered": self.unanswered,
            "unanswered_because": self.unanswered_because,
            "unread": self.unread,
            "metrics": [one.to_data() for one in self.metrics],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Distribution:
    """How the numbers of one metric lie; there are some."""

    low: float
    high: float
    counts: tuple[int, ...]
    """How many lie in each of as many equal steps from `low` to `high`."""
    least: float
    greatest: float
    quantiles: Mapping[str, float]
    """By the share of numbers below, in hundredths: `50` is the median."""

    @classmethod
    def of(cls, sums: ColumnSums, bins: ColumnBins) -> "Distribution":
        """Of what was counted."""
        shares = {f"{100 * share:g}": bins.quantile(share) for share in QUANTILES} if sums.n else {}
        ends = (sums.least, sums.greatest) if sums.n else bins.reach
        return cls(*bins.reach, tuple(map(int, bins.counts)), *ends, shares)

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        lie = {"from": rounded(self.low), "to": rounded(self.high), "counts": list(self.counts)}
        return {**lie, "least": self.least, "greatest": self.greatest, "quantiles": dict(self.quantiles)}


@dataclass(frozen=True, slots=True)
class SliceSummary:
    """The rows that have one value of a slice."""

    value: str | None
    questions: int
    metrics: tuple[MetricSummary, ...]

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        each = [one.to_data() for one in self.metrics]
        return {"value": self.value, "questions": self.questions, "metrics": each}


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run in figures, wherever it is stored."""

    run: Run
    totals: Totals
    lie: Mapping[tuple[str, str], Distribution]
    """How the numbers lie, by the names of the metric and of its encoder."""
    exact: bool = True
    """Whether all rows were read; otherwise quantiles are known to a twentieth."""
    labels: Mapping[str, int] = field(default_factory=dict)
    """How many answers have each label."""
    by: str | None = None
    slices: tuple[SliceSummary, ...] = ()
    others: int = 0
    """Values of the slice that are not listed."""

    def of(self, metric: MetricSummary) -> Distribution | None:
        """How the numbers of a metric lie; None where it has none."""
        return self.lie.get((metric.metric, metric.encoder))

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        distributions = ((summary, self.of(summary)) for summary in self.totals.metrics)
        metrics = [
            summary.to_data() | ({} if distribution is None else distribution.to_data())
            for summary, distribution in distributions
        ]
        slices = [summary.to_data() for summary in self.slices]
        sliced = {"by": self.by, "slices": slices, "others": self.others} if self.by else {}
        totals = {**self.totals.to_data(), "metrics": metrics}
        labels = {"exact": self.exact, "labels": dict(self.labels)}
        return {**RunBrief.of(self.run).to_data(), **totals, **labels, **sliced}


def summary_of(
    place: RunPlace, run: Run | RunTable, *, by: str | None = None, exact: bool | None = None
) -> RunSummary:
    """What a run came to, or its numbers where they have been read already.

    With `by`, also for each of the most frequent values of a slice.

    Unless `exact` says otherwise, the rows of very large runs are not read for it: their files have counted
    what is needed.
    """
    stored_run, slices = run.run if isinstance(run, RunTable) else run, () if by is None else (by,)
    validate_slices(place, stored_run, slices)
    if isinstance(run, Run) and by is None and not exact:
        aggregates = place.aggregates(run)
        if aggregates is not None and (exact is False or run.set.size > FEW_ROWS):
            return replace(_summary(place, run, aggregates, {}), exact=False)
    figures, labels, reach = RunFigures(), dict[str, int](), reach_in(place, stored_run)
    for part in (run,) if isinstance(run, RunTable) else place.chunks(run, by=slices):
        figures.add(ordered(part), reach, slices)
        for name, values in part.labels.items():
            labels[name] = labels.get(name, 0) + int((values == values).sum())
    return _summary(place, stored_run, figures, labels, by=by)


def reach_in(place: RunPlace, run: Run) -> Any:
    """From where to where each metric lies, where its files have counted that; else None for all."""
    figures = place.aggregates(run)
    return (lambda _: None) if figures is None else figures.reaches().get


def validate_slices(place: RunPlace, run: Run, by: Sequence[str]) -> None:
    """Raise `SpecError` for a slice that the run has not."""
    slices = place.outline(run).slices if by else ()
    for key in by:
        if key not in slices:
            raise SpecError(did_you_mean(f"slice of the run {run.key}", key, slices))


def totals_of(place: RunPlace, run: Run | RunTable) -> Totals:
    """What a run came to, as far as it is; unless its numbers are there, they are read a metric at a time."""
    if isinstance(run, RunTable):
        reasons, table = place.reasons(run.run), ordered(run)
        each = zip(table.metrics, table.values.T, strict=True)
        sums = {metric: ColumnSums.of(numbers) for metric, numbers in each}
        return _totals(run.run, reasons, sums, (len(table.names), table.unanswered))
    reasons = place.reasons(run)
    sums = {metric: ColumnSums.of(numbers) for metric, numbers in place.columns(run)}
    return _totals(run, reasons, sums, (reasons.questions, reasons.unanswered))


def ordered(table: RunTable) -> RunTable:
    """The same numbers, with their columns as `in_order` has the metrics."""
    metrics = tuple(in_order(table.run, table.metrics))
    if metrics == table.metrics:
        return table
    columns = [table.metrics.index(metric) for metric in metrics]
    unread = tuple(table.unread[at] for at in columns)
    nothing = tuple(table.nothing[at] for at in columns) if table.nothing else ()
    values = table.values[:, columns]
    return replace(table, metrics=metrics, values=values, unread=unread, nothing=nothing)


def in_order(run: Run, metrics: Iterable[RunMetric]) -> list[RunMetric]:
    """As the catalogue has them, kind by kind, others after; each by the encoders in the run's own order."""
    encoders = [name for name, _ in run.conditions.get("encoders", ())]

    def rank(metric: RunMetric) -> tuple[int, str, int, bool, int]:
        encoder = encoders.index(metric.encoder) if metric.encoder in encoders else len(encoders)
        place = CATALOGUE_ORDER.get(metric.name, len(CATALOGUE_ORDER))
        return place, metric.name, encoder, metric.fingerprint != run.encoder, metric.key

    return sorted(metrics, key=rank)


def rounded(value: float | None) -> float | None:
    """As many places as a page shows, and a few more; None for what is no number."""
    return None if value is None or not math.isfinite(value) else round(float(value), 5)


def _summary(
    place: RunPlace, run: Run, figures: RunFigures, labels: Mapping[str, int], *, by: str | None = None
) -> RunSummary:
    reasons = place.reasons(run)
    counts = zip(figures.metrics, figures.unread, figures.nothing, strict=True)
    gaps = {
        metric: replace(reasons.gaps.get(metric, MetricGaps()), failed=failed, nothing=nothing)
        for metric, failed, nothing in counts
    }
    sums = dict(zip(figures.metrics, figures.sums, strict=True))
    totals = _totals(run, replace(reasons, gaps=gaps), sums, (figures.questions, figures.unanswered))
    distributions = {
        (metric.name, metric.encoder): Distribution.of(column_sums, bins)
        for metric, column_sums, bins in zip(figures.metrics, figures.sums, figures.bins, strict=True)
        if column_sums.n
    }
    summary = RunSummary(run, totals, distributions, labels=labels)
    if by is None or by not in figures.slices:
        return summary
    slice_figures = figures.slices[by]
    listed: list[str | None] = [
        *slice_figures.most_frequent(MAX_VALUES),
        *([None] if None in slice_figures.sums else []),
    ]
    slices = tuple(_slice_summary(figures, by, value) for value in listed)
    return replace(summary, by=by, slices=slices, others=max(0, slice_figures.distinct - MAX_VALUES))


def _slice_summary(figures: RunFigures, by: str, value: str | None) -> SliceSummary:
    rows, sums = figures.slices[by].counts[value], figures.slices[by].sums[value]
    summaries = (
        MetricSummary.of(metric, column_sums, questions=rows, unread=0, unanswered=0)
        for metric, column_sums in zip(figures.metrics, sums, strict=True)
    )
    return SliceSummary(value, rows, tuple(summaries))


def _totals(
    run: Run, reasons: RunReasons, sums: Mapping[RunMetric, ColumnSums], counts: tuple[int, int]
) -> Totals:
    """A metric that has read nothing is listed as well, so that it is not taken for one that was not run."""
    questions, unanswered = counts
    empty = {metric: ColumnSums() for metric in _metrics_without_readings(run, reasons)}
    summaries = {}
    for metric, column_sums in {**sums, **empty}.items():
        gaps = reasons.gaps.get(metric, MetricGaps())
        summaries[metric] = MetricSummary.of(
            metric,
            column_sums,
            questions=questions,
            unread=gaps.failed,
            unanswered=max(0, unanswered - gaps.beside),
            nothing=gaps.nothing,
            error=gaps.error,
        )
    return Totals(
        questions,
        questions - unanswered,
        unanswered,
        reasons.unanswered_because if unanswered else None,
        tuple(summaries[metric] for metric in in_order(run, summaries)),
        (*_notes(run, reasons), *reasons.notes),
    )


def _metrics_without_readings(run: Run, reasons: RunReasons) -> Iterator[RunMetric]:
    """The metrics of a run that have no readings, with the encoders that would have read them."""
    there = {metric.name for metric in reasons.gaps}
    encoders = [(name, mark) for name, mark in run.conditions.get("encoders", ())]
    for name in run.conditions.get("metrics", ()):
        kind = KNOWN[name].kind if name in KNOWN else None
        by = encoders if kind == "semantic" else encoders[:1] if kind in ("combined", "context") else []
        if name not in there:
            yield from (RunMetric(NO_KEY, name, *mark) for mark in by or [NOBODY])


def _notes(run: Run, reasons: RunReasons) -> Iterator[str]:
    """What counts alone do not tell."""
    for metric in in_order(run, reasons.gaps):
        gaps = reasons.gaps[metric]
        wordless, nothing = (counted(count, "answer") for count in (gaps.wordless, gaps.nothing))
        if gaps.wordless:
            yield f"`{metric.name}` had no words to compare in {wordless}, and reads 0 there"
        if gaps.nothing:
            yield f"`{metric.name}` found nothing to read in {nothing}: {gaps.because}"
