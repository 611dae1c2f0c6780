"""What a run came to: each metric's mean with its interval, and what could not be read."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from sensecheck.evals.compare.paired import mean_interval
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import Run
from sensecheck.store.tables import answers, metrics, readings

CONFIDENCE = 0.95
FEW = 200
"""Of so few readings the interval is drawn by the bootstrap; the mean of more is as good as normal."""
_Z = 1.959963984540054
_EQUAL = 1e-14
"""A variance below this is that of equal numbers, of which others may yet come."""
_DOES_NOT_APPLY = "does not apply: the question lacks what it compares"


@dataclass(frozen=True, slots=True)
class MetricTotal:
    """One metric over all answers of a run."""

    metric: str
    encoder: str
    """What the encoder is called, for metrics that compare meaning."""
    n: int
    """How many answers it read."""
    mean: float | None
    low: float | None
    high: float | None
    """Where the mean of all such answers lies, with a confidence of 95 %."""
    missing: int
    """Answers that have no number, for whatever reason."""
    unread: int
    """Those of them that should have one: reading them failed."""
    because: str | None
    """The most frequent reason of those that are missing."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The whole of a run, in figures; memory is flat in the number of its questions."""

    questions: int
    answered: int
    unanswered: int
    unanswered_because: str | None
    """The most frequent reason."""
    metrics: tuple[MetricTotal, ...]

    @property
    def all_read(self) -> bool:
        """Whether every question has an answer, and all that applies to it was read."""
        return not self.unanswered and not any(one.unread for one in self.metrics)

    @property
    def unread(self) -> int:
        """Readings that failed."""
        return sum(one.unread for one in self.metrics)


def totals_of(store: EvalStore, run: Run) -> Totals:
    """What a run came to, as far as it is."""

    def read() -> Totals:
        with store.engine.connect() as connection:
            done, without = _answers(connection, run)
            rows = sorted(_rows(connection, run), key=lambda row: _rank(run, row))
            each = tuple(_total(connection, run, row, done - without) for row in rows)
            why = _why_unanswered(connection, run) if without else None
        return Totals(done, done - without, without, why, each)

    return store.patience.until_done(read)


def _rank(run: Run, row: Row[Any]) -> tuple[int, int]:
    """Metrics and encoders in the order in which the run was told them."""
    metrics, encoders = run.conditions.get("metrics", []), run.conditions.get("encoders", [])
    names = [name for name, _ in encoders]
    return _index(metrics, row.name), _index(names, row.encoder)


def _index(held: Sequence[str], one: str) -> int:
    return held.index(one) if one in held else len(held)


def _answers(connection: Connection, run: Run) -> tuple[int, int]:
    query = select(func.count(), func.count(answers.c.answer)).where(answers.c.run == run.key)
    done, with_answer = connection.execute(query).one()
    return done, done - with_answer


def _rows(connection: Connection, run: Run) -> Sequence[Row[Any]]:
    """Each metric with the count, mean and mean square of its numbers, and how many could not be read."""
    value = readings.c.value
    query = (
        select(
            metrics.c.key,
            metrics.c.name,
            metrics.c.encoder,
            func.count(value).label("n"),
            func.avg(value).label("mean"),
            func.avg(value * value).label("square"),
            func.count(readings.c.error).label("unread"),
        )
        .join(metrics, metrics.c.key == readings.c.metric)
        .where(readings.c.run == run.key)
        .group_by(metrics.c.key, metrics.c.name, metrics.c.encoder)
        .order_by(metrics.c.key)
    )
    return connection.execute(query).all()


def _total(connection: Connection, run: Run, row: Row[Any], answered: int) -> MetricTotal:
    low, high = _interval(connection, run, row)
    missing, because = answered - row.n, None
    if missing:
        because = _why_unread(connection, run, row.key) if row.unread else _DOES_NOT_APPLY
    return MetricTotal(row.name, row.encoder, row.n, row.mean, low, high, missing, row.unread, because)


def _interval(connection: Connection, run: Run, row: Row[Any]) -> tuple[float | None, float | None]:
    if not row.n:
        return None, None
    if row.n > FEW:
        spread = max(0.0, row.square - row.mean**2)
        if spread > _EQUAL:
            reach = _Z * math.sqrt(spread / (row.n - 1))
            return row.mean - reach, row.mean + reach
        return mean_interval([row.mean] * row.n, confidence=CONFIDENCE, within=(0.0, 1.0))
    query = (
        select(readings.c.value)
        .where(readings.c.run == run.key, readings.c.metric == row.key, readings.c.value.is_not(None))
        .order_by(readings.c.position)
    )
    values = connection.execute(query).scalars().all()
    within = min(0.0, *values), max(1.0, *values)
    return mean_interval(values, confidence=CONFIDENCE, within=within)


def _why_unread(connection: Connection, run: Run, metric: int) -> str:
    query = select(readings.c.error).where(
        readings.c.run == run.key, readings.c.metric == metric, readings.c.error.is_not(None)
    )
    return str(connection.execute(_most_frequent(query, readings.c.error)).scalar_one())


def _why_unanswered(connection: Connection, run: Run) -> str | None:
    query = select(answers.c.error).where(answers.c.run == run.key, answers.c.answer.is_(None))
    found: str | None = connection.execute(_most_frequent(query, answers.c.error)).scalar_one()
    return found


def _most_frequent(query: Any, column: Any) -> Any:
    return query.group_by(column).order_by(func.count().desc(), column).limit(1)
