"""What a run came to, metric by metric: means with intervals, distributions, and what is missing and why."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Column, ColumnElement, Connection, case, func, select

from sensecheck.core.run import Run
from sensecheck.measures.metric_reader import NOBODY, WORDLESS
from sensecheck.measures.metrics import ALL, KNOWN
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.sql_read import Numbers, RunMetric, RunTable, metrics_of
from sensecheck.stats.paired import interval
from sensecheck.store.engine import reading
from sensecheck.store.tables import answers, readings

AT_ONCE = 10_000
BINS = 25
CONFIDENCE = 0.95
NOT_READ, NO_ANSWER, DOES_NOT_APPLY = "could not be read", "no answer", "does not apply"
NOTHING = "nothing to read"
NO_KEY = 0
"""Instead of a metric's key, where it has no readings."""
_CATALOGUE_ORDER = {name: at for at, name in enumerate(ALL)}


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
        numbers: Numbers,
        *,
        questions: int,
        unread: int,
        unanswered: int,
        nothing: int = 0,
        error: str | None = None,
        confidence: float = CONFIDENCE,
    ) -> "MetricSummary":
        """Of those numbers that are known, in the order of the questions."""
        known = numbers[np.isfinite(numbers)]
        gone = questions - len(known)
        failed = min(unread, gone)
        silent = min(unanswered, gone - failed)
        empty = min(nothing, gone - failed - silent)
        counts = (failed, silent, gone - failed - silent - empty, empty)
        return cls(metric.name, metric.encoder, len(known), *_estimate(known, confidence), *counts, error)

    @classmethod
    def of_column(
        cls, table: RunTable, at: int, *, error: str | None = None, confidence: float = CONFIDENCE
    ) -> "MetricSummary":
        """Of a column of numbers that have been read already."""
        return cls.of(
            table.metrics[at],
            table.values[:, at],
            questions=len(table.names),
            unread=table.unread[at],
            unanswered=table.unanswered,
            nothing=table.nothing[at] if table.nothing else 0,
            error=error,
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
class Spread:
    """The numbers of one metric."""

    summary: MetricSummary
    low: float
    high: float
    counts: tuple[int, ...]
    """How many lie in each of as many equal steps from `low` to `high`."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        lie = {"from": rounded(self.low), "to": rounded(self.high), "counts": list(self.counts)}
        return self.summary.to_data() | lie


def totals_of(store: EvalStore, run: Run | RunTable) -> Totals:
    """What a run came to, as far as it is; unless its numbers are there, they are read a metric at a time."""

    def read() -> Totals:
        with reading(store.engine) as connection:
            if isinstance(run, RunTable):
                return _totals_of_table(connection, ordered(run))
            counts = _count_questions(connection, run)
            return _totals(connection, run, lambda metric: _values_of(connection, run, metric), counts)

    return store.patience.until_done(read)


def errors_of(store: EvalStore, table: RunTable) -> dict[int, str]:
    """By the key of each metric with readings that failed: the most frequent reason."""

    def read() -> dict[int, str]:
        with reading(store.engine) as connection:
            return _errors_by_metric(connection, table)

    return store.patience.until_done(read)


def summaries_of(table: RunTable, errors: Mapping[int, str] | None = None) -> tuple[MetricSummary, ...]:
    """All metrics of a table, in its order."""
    found = errors or {}
    return tuple(
        MetricSummary.of_column(table, at, error=found.get(metric.key))
        for at, metric in enumerate(table.metrics)
    )


def spreads_of(table: RunTable, errors: Mapping[int, str] | None = None) -> list[Spread]:
    """Every metric of a run, in its order; `errors` says what was wrong, by the key of the metric."""
    each = summaries_of(table, errors)
    return [_spread(summary, table.values[:, at]) for at, summary in enumerate(each)]


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
        known = _CATALOGUE_ORDER.get(metric.name, len(ALL))
        return known, metric.name, encoder, metric.fingerprint != run.encoder, metric.key

    return sorted(metrics, key=rank)


def rounded(value: float | None) -> float | None:
    """As many places as a page shows, and a few more; None for what is no number."""
    return None if value is None or not math.isfinite(value) else round(float(value), 5)


def _estimate(known: Numbers, confidence: float) -> tuple[float | None, float | None, float | None]:
    if not len(known):
        return None, None, None
    bounds = min(0.0, float(known.min())), max(1.0, float(known.max()))
    return float(known.mean()), *interval(known, confidence=confidence, within=bounds)


class _Gaps(NamedTuple):
    """What was found where a metric has no number, or one that says little."""

    failed: int = 0
    nothing: int = 0
    """Readings without a number that are no failures: there was nothing to read."""
    beside: int = 0
    """Readings of questions that have no answer, as another database may have kept them."""
    wordless: int = 0
    """Numbers that are 0 since there were no words to compare, though the answer is not empty."""


def _totals_of_table(connection: Connection, table: RunTable) -> Totals:
    def numbers(metric: RunMetric) -> Numbers:
        column: Numbers = table.values[:, table.metrics.index(metric)]
        return column

    return _totals(connection, table.run, numbers, (len(table.names), table.unanswered))


def _totals(
    connection: Connection,
    run: Run,
    numbers: Callable[[RunMetric], Numbers],
    counts: tuple[int, int],
) -> Totals:
    """A metric that has read nothing is listed as well: nobody shall take it for one that was not run."""
    questions, unanswered = counts
    gaps = _gaps_by_metric(connection, run, unanswered)
    read = metrics_of(connection, gaps)
    each = []
    for metric in in_order(run, [*read, *_metrics_without_readings(run, read)]):
        found = gaps.get(metric.key, _Gaps())
        each.append(
            MetricSummary.of(
                metric,
                numbers(metric) if metric.key in gaps else np.empty(0),
                questions=questions,
                unread=found.failed,
                unanswered=max(0, unanswered - found.beside),
                nothing=found.nothing,
                error=_most_frequent(connection, run, metric, readings.c.error) if found.failed else None,
            )
        )
    why = _why_unanswered(connection, run) if unanswered else None
    notes = tuple(_notes(connection, run, read, gaps))
    return Totals(questions, questions - unanswered, unanswered, why, tuple(each), notes)


def _count_questions(connection: Connection, run: Run) -> tuple[int, int]:
    """How many questions the run has come to, and how many of them have no answer.

    A service may answer them in any order: those that it has passed over are not answered yet.
    """
    last = func.coalesce(func.max(answers.c.position), -1)
    query = select(last + 1, func.count(answers.c.answer)).where(answers.c.run == run.key)
    questions, answered = connection.execute(query).one()
    return questions, questions - answered


def _metrics_without_readings(run: Run, read: Sequence[RunMetric]) -> Iterator[RunMetric]:
    """The metrics of a run that have no readings, by whoever would have read them."""
    there = {metric.name for metric in read}
    encoders = [(name, mark) for name, mark in run.conditions.get("encoders", ())]
    for name in run.conditions.get("metrics", ()):
        kind = KNOWN[name].kind if name in KNOWN else None
        by = encoders if kind == "semantic" else encoders[:1] if kind in ("combined", "context") else []
        if name not in there:
            yield from (RunMetric(NO_KEY, name, *mark) for mark in by or [NOBODY])


def _gaps_by_metric(connection: Connection, run: Run, unanswered: int) -> dict[int, _Gaps]:
    """By the key of every metric that has readings."""
    said = readings.c.because.in_(sorted(WORDLESS))
    query = (
        select(
            readings.c.metric,
            func.count(readings.c.error),
            func.count() - func.count(readings.c.value) - func.count(readings.c.error),
            func.count(case((said, 1))),
        )
        .where(readings.c.run == run.key)
        .group_by(readings.c.metric)
    )
    counted = connection.execute(query).all()
    silent = select(answers.c.position).where(answers.c.run == run.key, answers.c.answer.is_(None))
    empty = select(answers.c.position).where(answers.c.run == run.key, func.trim(answers.c.answer) == "")
    beside = _count_readings(connection, run, readings.c.position.in_(silent)) if unanswered else {}
    lacking = any(words for *_, words in counted)
    wordless = _count_readings(connection, run, said & readings.c.position.not_in(empty)) if lacking else {}
    return {
        metric: _Gaps(failed, nothing, beside.get(metric, 0), wordless.get(metric, 0))
        for metric, failed, nothing, _ in counted
    }


def _count_readings(connection: Connection, run: Run, where: ColumnElement[bool]) -> dict[int, int]:
    query = select(readings.c.metric, func.count()).where(readings.c.run == run.key, where)
    rows = connection.execute(query.group_by(readings.c.metric)).all()
    return {row[0]: row[1] for row in rows}


def _notes(
    connection: Connection, run: Run, read: Sequence[RunMetric], gaps: Mapping[int, _Gaps]
) -> Iterator[str]:
    """What counts alone do not tell."""
    for metric in in_order(run, read):
        found = gaps.get(metric.key, _Gaps())
        if found.wordless:
            yield f"`{metric.name}` had no words to compare in {_answers(found.wordless)}, and reads 0 there"
        if found.nothing:
            why = _most_frequent(connection, run, metric, readings.c.because)
            yield f"`{metric.name}` found nothing to read in {_answers(found.nothing)}: {why}"


def _answers(answers: int) -> str:
    return f"{answers:,} {'answer' if answers == 1 else 'answers'}"


def _values_of(connection: Connection, run: Run, metric: RunMetric) -> Numbers:
    query = (
        select(readings.c.value)
        .where(readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_not(None))
        .order_by(readings.c.position)
        .execution_options(yield_per=AT_ONCE)
    )
    return np.fromiter(connection.execute(query).scalars(), np.float64)


def _errors_by_metric(connection: Connection, table: RunTable) -> dict[int, str]:
    failed = [metric for metric, unread in zip(table.metrics, table.unread, strict=True) if unread]
    return {one.key: _most_frequent(connection, table.run, one, readings.c.error) for one in failed}


def _most_frequent(connection: Connection, run: Run, metric: RunMetric, column: Column[Any]) -> str:
    """What stands most often in a column, beside readings that have no number."""
    at = (readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_(None))
    query = select(column).where(*at, column.is_not(None)).group_by(column)
    found = connection.execute(query.order_by(func.count().desc(), column).limit(1)).scalar_one_or_none()
    return "no reason was kept" if found is None else str(found)


def _why_unanswered(connection: Connection, run: Run) -> str | None:
    query = select(answers.c.error).where(
        answers.c.run == run.key, answers.c.answer.is_(None), answers.c.error.is_not(None)
    )
    most = query.group_by(answers.c.error).order_by(func.count().desc(), answers.c.error).limit(1)
    found: str | None = connection.execute(most).scalar_one_or_none()
    return found


def _spread(summary: MetricSummary, numbers: Numbers) -> Spread:
    known = numbers[np.isfinite(numbers)]
    low, high = min(0.0, float(known.min(initial=0))), max(1.0, float(known.max(initial=1)))
    counts, _ = np.histogram(known, bins=BINS, range=(low, high))
    return Spread(summary, low, high, tuple(map(int, counts)))
