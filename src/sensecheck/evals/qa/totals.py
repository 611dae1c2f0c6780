"""What a run came to: each metric in brief, what could not be read, and what nobody answered."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Column, ColumnElement, Connection, case, func, select

from sensecheck.core.run import Run
from sensecheck.evals.qa.metric_order import in_order, ordered
from sensecheck.evals.qa.metric_summary import MetricSummary
from sensecheck.measures.metric_reader import NOBODY, WORDLESS
from sensecheck.measures.metrics import KNOWN
from sensecheck.store.engine import reading
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import Metric, Numbers, RunTable, metrics_of
from sensecheck.store.tables import answers, readings

NO_KEY = 0
"""In the place of a metric's key, where it has no readings."""
AT_ONCE = 10_000


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


class _Gaps(NamedTuple):
    """What was found where a metric has no number, or one that says little."""

    failed: int = 0
    nothing: int = 0
    """Readings without a number that are no failures: there was nothing to read."""
    beside: int = 0
    """Readings of questions that have no answer, as another database may have kept them."""
    wordless: int = 0
    """Numbers that are 0 since there were no words to compare, though the answer is not empty."""


def totals_of(store: EvalStore, run: Run | RunTable) -> Totals:
    """What a run came to, as far as it is; unless its numbers are there, they are read a metric at a time."""

    def read() -> Totals:
        with reading(store.engine) as connection:
            if isinstance(run, RunTable):
                return _of_table(connection, ordered(run))
            return _of_run(connection, run)

    return store.patience.until_done(read)


def errors_of(store: EvalStore, table: RunTable) -> dict[int, str]:
    """By the key of each metric with readings that failed: the most frequent reason."""

    def read() -> dict[int, str]:
        with reading(store.engine) as connection:
            return _errors(connection, table)

    return store.patience.until_done(read)


def summaries_of(table: RunTable, errors: Mapping[int, str] | None = None) -> tuple[MetricSummary, ...]:
    """All metrics of a table, in its order."""
    found = errors or {}
    return tuple(
        MetricSummary.of_column(table, at, error=found.get(metric.key))
        for at, metric in enumerate(table.metrics)
    )


def _of_table(connection: Connection, table: RunTable) -> Totals:
    def numbers(metric: Metric) -> Numbers:
        column: Numbers = table.values[:, table.metrics.index(metric)]
        return column

    return _told(connection, table.run, numbers, (len(table.names), table.unanswered))


def _of_run(connection: Connection, run: Run) -> Totals:
    return _told(connection, run, lambda metric: _numbers(connection, run, metric), _answers(connection, run))


def _told(
    connection: Connection,
    run: Run,
    numbers: Callable[[Metric], Numbers],
    counts: tuple[int, int],
) -> Totals:
    """A metric that has read nothing is told as well: nobody shall take it for one that was not asked."""
    questions, unanswered = counts
    gaps = _gaps(connection, run, unanswered)
    read = metrics_of(connection, gaps)
    each = []
    for metric in in_order(run, [*read, *_silent(run, read)]):
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


def _answers(connection: Connection, run: Run) -> tuple[int, int]:
    """How many questions the run has come to, and how many of them have no answer.

    A service may answer them in any order: those that it has passed over are not answered yet.
    """
    last = func.coalesce(func.max(answers.c.position), -1)
    query = select(last + 1, func.count(answers.c.answer)).where(answers.c.run == run.key)
    questions, answered = connection.execute(query).one()
    return questions, questions - answered


def _silent(run: Run, read: Sequence[Metric]) -> Iterator[Metric]:
    """The metrics of a run that have no readings, by whoever would have read them."""
    there = {metric.name for metric in read}
    encoders = [(name, mark) for name, mark in run.conditions.get("encoders", ())]
    for name in run.conditions.get("metrics", ()):
        kind = KNOWN[name].kind if name in KNOWN else None
        by = encoders if kind == "semantic" else encoders[:1] if kind in ("combined", "context") else []
        if name not in there:
            yield from (Metric(NO_KEY, name, *mark) for mark in by or [NOBODY])


def _gaps(connection: Connection, run: Run, unanswered: int) -> dict[int, _Gaps]:
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
    beside = _counted(connection, run, readings.c.position.in_(silent)) if unanswered else {}
    lacking = any(words for *_, words in counted)
    wordless = _counted(connection, run, said & readings.c.position.not_in(empty)) if lacking else {}
    return {
        metric: _Gaps(failed, nothing, beside.get(metric, 0), wordless.get(metric, 0))
        for metric, failed, nothing, _ in counted
    }


def _counted(connection: Connection, run: Run, where: ColumnElement[bool]) -> dict[int, int]:
    query = select(readings.c.metric, func.count()).where(readings.c.run == run.key, where)
    rows = connection.execute(query.group_by(readings.c.metric)).all()
    return {row[0]: row[1] for row in rows}


def _notes(
    connection: Connection, run: Run, read: Sequence[Metric], gaps: Mapping[int, _Gaps]
) -> Iterator[str]:
    """What counts alone do not tell."""
    for metric in in_order(run, read):
        found = gaps.get(metric.key, _Gaps())
        if found.wordless:
            yield f"`{metric.name}` had no words to compare in {_some(found.wordless)}, and reads 0 there"
        if found.nothing:
            why = _most_frequent(connection, run, metric, readings.c.because)
            yield f"`{metric.name}` found nothing to read in {_some(found.nothing)}: {why}"


def _some(answers: int) -> str:
    return f"{answers:,} {'answer' if answers == 1 else 'answers'}"


def _numbers(connection: Connection, run: Run, metric: Metric) -> Numbers:
    query = (
        select(readings.c.value)
        .where(readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_not(None))
        .order_by(readings.c.position)
        .execution_options(yield_per=AT_ONCE)
    )
    return np.fromiter(connection.execute(query).scalars(), np.float64)


def _errors(connection: Connection, table: RunTable) -> dict[int, str]:
    failed = [metric for metric, unread in zip(table.metrics, table.unread, strict=True) if unread]
    return {one.key: _most_frequent(connection, table.run, one, readings.c.error) for one in failed}


def _most_frequent(connection: Connection, run: Run, metric: Metric, column: Column[Any]) -> str:
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
