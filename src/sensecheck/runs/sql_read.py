"""Stored runs read back: their numbers as a table, their answers, and what is missing and why."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Column, ColumnElement, Connection, ScalarSelect, case, func, select

from sensecheck.core.run import MetricScore, Run, ScoredAnswer
from sensecheck.measures.metric_reader import WORDLESS
from sensecheck.runs.figures import RunFigures
from sensecheck.runs.record import (
    NO_REASON,
    AnsweredItem,
    Label,
    MetricGaps,
    Numbers,
    RunMetric,
    RunOutline,
    RunReasons,
    RunTable,
)
from sensecheck.runs.scanned_place import label_columns, label_means
from sensecheck.runs.sql_items import AT_ONCE, StoredQuestions, pair_of, patiently
from sensecheck.runs.stored_values import LabelKey
from sensecheck.store.engine import reading
from sensecheck.store.tables import CURRENT_LABEL, answers, labels, metrics, pairs, readings, set_pairs


@dataclass(frozen=True, slots=True)
class StoredAnswers(StoredQuestions):
    """What one database holds of each run."""

    @patiently
    def table(self, run: Run) -> RunTable:
        """All numbers of a run, as far as it has come."""
        with reading(self.engine) as connection:
            names, slices, unanswered = _questions(connection, run)
            columns = _metric_columns(connection, run, len(names))
            metrics = _metrics_of(connection, columns)
            labels_by_name = label_columns(_label_values(connection, run), len(names))
        values = np.empty((len(names), len(metrics)))
        for at, metric in enumerate(metrics):
            values[:, at] = columns[metric.key].values
        unread = tuple(columns[metric.key].unread for metric in metrics)
        nothing = tuple(columns[metric.key].nothing for metric in metrics)
        return RunTable(run, names, slices, metrics, values, unread, labels_by_name, unanswered, nothing)

    def chunks(self, run: Run, *, by: Sequence[str] = ()) -> Iterator[RunTable]:
        """All numbers at once."""
        yield self.table(run)

    def aggregates(self, run: Run) -> RunFigures | None:
        """None: the rows must be read."""
        return None

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredItem]:
        """The answers of a run in their order, or those at some positions, read as they are wanted."""
        ordered: Sequence[int] = sorted(set(positions or ()))
        if positions is None:
            ordered = range(self._count_positions(run))
        for first in range(0, len(ordered), AT_ONCE):
            yield from self._answers_at(run, ordered[first : first + AT_ONCE])

    def columns(self, run: Run) -> Iterator[tuple[RunMetric, Numbers]]:
        """The known numbers of each metric in the order of the questions; one metric at a time."""
        for metric in self._metrics(run):
            yield metric, self._values(run, metric)

    @patiently
    def reached(self, run: Run) -> list[int]:
        """The positions that have an answer or a reason why not, in order; there may be gaps."""
        query = select(answers.c.position).where(answers.c.run == run.key).order_by(answers.c.position)
        with self.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    @patiently
    def answered(self, run: Run) -> int:
        """How many questions have an answer."""
        query = select(func.count(answers.c.answer)).where(answers.c.run == run.key)
        with self.engine.connect() as connection:
            return int(connection.execute(query).scalar_one())

    @patiently
    def reasons(self, run: Run) -> RunReasons:
        """How far a run has come, and why numbers and answers are missing, at one moment."""
        last = func.coalesce(func.max(answers.c.position), -1)
        counts = select(last + 1, func.count(answers.c.answer)).where(answers.c.run == run.key)
        with reading(self.engine) as connection:
            questions, answered = connection.execute(counts).one()
            gaps = _gaps_by_metric(connection, run, unanswered=questions - answered)
            silent = answers.c.run == run.key, answers.c.answer.is_(None)
            why = _most_frequent(connection, answers.c.error, *silent) if answered < questions else None
        return RunReasons(questions, answered, why, gaps)

    @patiently
    def outline(self, run: Run) -> RunOutline:
        """Which metrics, labels and slices a run has; its numbers are not read for that."""
        here = labels.c.run == run.key
        named = select(labels.c.name).where(here, CURRENT_LABEL).distinct().order_by(labels.c.name)
        kinds = select(pairs.c.slices).join(set_pairs, pairs.c.key == set_pairs.c.pair)
        in_set = kinds.where(set_pairs.c.set == run.set.key).execution_options(yield_per=AT_ONCE)
        with reading(self.engine) as connection:
            slices = {key for each in connection.execute(in_set).scalars() for key in each}
            label_names = tuple(connection.execute(named).scalars())
            return RunOutline(_metrics_used(connection, run), label_names, tuple(sorted(slices)))

    def later_labels(self, run: Run) -> None:
        """All labels are in one table: `labels` has them as they are now."""

    def labels(self, run: Run) -> Iterator[Label]:
        """What people said, in the order of the answers, each with who said it."""
        return iter(self._labels(run))

    @patiently
    def _labels(self, run: Run) -> list[Label]:
        here = (answers.c.run == labels.c.run) & (answers.c.position == labels.c.position)
        query = (
            select(pairs.c.id, labels.c.name, labels.c.value, labels.c.rater)
            .select_from(labels)
            .join(answers, here)
            .join(pairs, pairs.c.key == answers.c.pair)
            .where(labels.c.run == run.key, CURRENT_LABEL)
            .order_by(labels.c.position, labels.c.name, labels.c.rater)
        )
        with self.engine.connect() as connection:
            return [Label(*row) for row in connection.execute(query)]

    @patiently
    def _metrics(self, run: Run) -> tuple[RunMetric, ...]:
        with reading(self.engine) as connection:
            return _metrics_used(connection, run)

    @patiently
    def _values(self, run: Run, metric: RunMetric) -> Numbers:
        query = (
            select(readings.c.value)
            .where(readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_not(None))
            .order_by(readings.c.position)
            .execution_options(yield_per=10 * AT_ONCE)
        )
        with reading(self.engine) as connection:
            return np.fromiter(connection.execute(query).scalars(), np.float64)

    @patiently
    def _count_positions(self, run: Run) -> int:
        """How many positions there are up to the last one that has an answer."""
        with self.engine.connect() as connection:
            return int(connection.execute(select(_last_position(run))).scalar_one()) + 1

    @patiently
    def _answers_at(self, run: Run, positions: Sequence[int]) -> list[AnsweredItem]:
        at = answers.c.position.in_(positions)
        if isinstance(positions, range):
            at = answers.c.position.between(positions.start, positions.stop - 1)
        query = (
            select(answers, *(column.label(f"pair_{column.name}") for column in pairs.c))
            .join(pairs, pairs.c.key == answers.c.pair)
            .where(answers.c.run == run.key, at)
            .order_by(answers.c.position)
        )
        with reading(self.engine) as connection:
            rows = connection.execute(query).mappings().all()
            scores_by_position = _readings_at(connection, run, [row["position"] for row in rows])
            said = _label_values(connection, run, labels.c.position.in_([row["position"] for row in rows]))
        labels_by_position: dict[int, dict[str, float]] = {}
        for (position, name), value in label_means(said):
            labels_by_position.setdefault(position, {})[name] = value
        return [
            AnsweredItem(
                row["position"],
                pair_of({column.name: row[f"pair_{column.name}"] for column in pairs.c}),
                ScoredAnswer(
                    row["answer"],
                    tuple(scores_by_position.get(row["position"], ())),
                    row["error"],
                    None if row["passages"] is None else tuple(row["passages"]),
                    row["latency_ms"],
                    row["cost"],
                    labels_by_position.get(row["position"], {}),
                    row["id"],
                ),
            )
            for row in rows
        ]


def _metrics_of(connection: Connection, keys: Iterable[int]) -> tuple[RunMetric, ...]:
    query = (
        select(metrics.c.key, metrics.c.name, metrics.c.encoder, metrics.c.fingerprint)
        .where(metrics.c.key.in_(keys))
        .order_by(metrics.c.key)
    )
    return tuple(RunMetric(*row) for row in connection.execute(query))


def _metrics_used(connection: Connection, run: Run) -> tuple[RunMetric, ...]:
    """The metrics of a run, each by the encoder that read it."""
    used = select(readings.c.metric).where(readings.c.run == run.key).distinct()
    return _metrics_of(connection, list(connection.execute(used).scalars()))


@dataclass(slots=True)
class _MetricColumn:
    """The numbers of one metric, while they are read."""

    values: Numbers
    unread: int = 0
    nothing: int = 0


def _questions(connection: Connection, run: Run) -> tuple[tuple[str, ...], tuple[dict[str, str], ...], int]:
    here = (answers.c.run == run.key) & (answers.c.position == set_pairs.c.position)
    query = (
        select(pairs.c.id, pairs.c.slices, answers.c.answer.is_(None))
        .select_from(set_pairs)
        .join(pairs, pairs.c.key == set_pairs.c.pair)
        .outerjoin(answers, here)  # a service may answer them in any order: what is left between is NaN
        .where(set_pairs.c.set == run.set.key, set_pairs.c.position <= _last_position(run))
        .order_by(set_pairs.c.position)
    )
    rows = connection.execute(query).all()
    return tuple(row[0] for row in rows), tuple(row[1] for row in rows), sum(row[2] for row in rows)


def _metric_columns(connection: Connection, run: Run, size: int) -> dict[int, _MetricColumn]:
    """The numbers of each metric, by its key; all of them in one look along the primary key."""
    query = (
        select(readings.c.position, readings.c.metric, readings.c.value, readings.c.error.is_not(None))
        .where(readings.c.run == run.key)
        .execution_options(yield_per=AT_ONCE)
    )
    columns: dict[int, _MetricColumn] = {}
    for position, key, value, wrong in connection.execute(query):
        if (column := columns.get(key)) is None:
            column = columns[key] = _MetricColumn(np.full(size, np.nan))
        if value is not None:
            column.values[position] = value
        column.unread += wrong
        column.nothing += value is None and not wrong
    return columns


def _label_values(connection: Connection, run: Run, *where: ColumnElement[bool]) -> dict[LabelKey, float]:
    """What people say of some answers now, or of all."""
    query = select(labels.c.position, labels.c.name, labels.c.rater, labels.c.value)
    rows = connection.execute(query.where(labels.c.run == run.key, CURRENT_LABEL, *where))
    return {(position, name, rater): value for position, name, rater, value in rows}


def _last_position(run: Run) -> ScalarSelect[int]:
    """The last position that has an answer; -1 without any."""
    last = func.coalesce(func.max(answers.c.position), -1)
    return select(last).where(answers.c.run == run.key).scalar_subquery()


def _readings_at(connection: Connection, run: Run, positions: list[int]) -> dict[int, list[MetricScore]]:
    score = (metrics.c.name, *(readings.c[part] for part in ("value", "because", "error")))
    query = (
        select(readings.c.position, *score, metrics.c.encoder, metrics.c.fingerprint)
        .join(metrics, metrics.c.key == readings.c.metric)
        .where(readings.c.run == run.key, readings.c.position.in_(positions))
        .order_by(readings.c.position, metrics.c.key)
    )
    scores: dict[int, list[MetricScore]] = {}
    for position, *parts in connection.execute(query):
        scores.setdefault(position, []).append(MetricScore(*parts))
    return scores


def _gaps_by_metric(connection: Connection, run: Run, *, unanswered: int) -> dict[RunMetric, MetricGaps]:
    is_wordless = readings.c.because.in_(sorted(WORDLESS))
    query = (
        select(
            readings.c.metric,
            func.count(readings.c.error),
            func.count() - func.count(readings.c.value) - func.count(readings.c.error),
            func.count(case((is_wordless, 1))),
        )
        .where(readings.c.run == run.key)
        .group_by(readings.c.metric)
    )
    counted = {metric: counts for metric, *counts in connection.execute(query)}
    silent = select(answers.c.position).where(answers.c.run == run.key, answers.c.answer.is_(None))
    empty = select(answers.c.position).where(answers.c.run == run.key, func.trim(answers.c.answer) == "")
    beside = _count_readings(connection, run, readings.c.position.in_(silent)) if unanswered else {}
    lacking = any(words for *_, words in counted.values())
    wordless = (
        _count_readings(connection, run, is_wordless & readings.c.position.not_in(empty)) if lacking else {}
    )
    gaps = {}
    for metric in _metrics_of(connection, counted):
        failed, nothing, _ = counted[metric.key]
        at = readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_(None)
        gaps[metric] = MetricGaps(
            failed,
            nothing,
            beside.get(metric.key, 0),
            wordless.get(metric.key, 0),
            _most_frequent(connection, readings.c.error, *at, otherwise=NO_REASON) if failed else None,
            _most_frequent(connection, readings.c.because, *at, otherwise=NO_REASON) if nothing else None,
        )
    return gaps


def _count_readings(connection: Connection, run: Run, where: ColumnElement[bool]) -> dict[int, int]:
    query = select(readings.c.metric, func.count()).where(readings.c.run == run.key, where)
    rows = connection.execute(query.group_by(readings.c.metric)).all()
    return {row[0]: row[1] for row in rows}


def _most_frequent(
    connection: Connection, column: Column[Any], *where: ColumnElement[bool], otherwise: str | None = None
) -> str | None:
    """The most frequent text of a column in some rows; `otherwise` where none of them has one."""
    query = select(column).where(*where, column.is_not(None)).group_by(column)
    most = query.order_by(func.count().desc(), column).limit(1)
    text: str | None = connection.execute(most).scalar_one_or_none()
    return otherwise if text is None else text
