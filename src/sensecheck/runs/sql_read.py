"""A stored run read back: its numbers as a table, and its answers one by one."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from sqlalchemy import Connection, Engine, ScalarSelect, func, select

from sensecheck.core.run import MetricScore, Run, ScoredAnswer
from sensecheck.runs.record import AnsweredItem, Label, Numbers, RunMetric, RunOutline, RunTable
from sensecheck.runs.sql_items import pair_of
from sensecheck.store.engine import reading
from sensecheck.store.retry import Patience
from sensecheck.store.tables import CURRENT_LABEL, answers, labels, metrics, pairs, readings, set_pairs

AT_ONCE = 1000


def run_table(engine: Engine, run: Run) -> RunTable:
    """The numbers of a run, as far as it has come."""
    with reading(engine) as connection:
        names, slices, unanswered = _questions(connection, run)
        columns = _metric_columns(connection, run, len(names))
        metrics = metrics_of(connection, columns)
        labels_by_name = _label_columns(connection, run, len(names))
    values = np.empty((len(names), len(metrics)))
    for at, metric in enumerate(metrics):
        values[:, at] = columns[metric.key].values
    unread = tuple(columns[metric.key].unread for metric in metrics)
    nothing = tuple(columns[metric.key].nothing for metric in metrics)
    return RunTable(run, names, slices, metrics, values, unread, labels_by_name, unanswered, nothing)


def each_answer(
    engine: Engine, run: Run, patience: Patience, positions: Sequence[int] | None = None
) -> Iterator[AnsweredItem]:
    """The answers of a run in their order, or those at some positions, read as they are wanted."""
    ordered: Sequence[int] = sorted(set(positions or ()))
    if positions is None:
        ordered = range(patience.until_done(lambda: _count_positions(engine, run)))
    for first in range(0, len(ordered), AT_ONCE):
        yield from patience.until_done(partial(_answers_at, engine, run, ordered[first : first + AT_ONCE]))


def metrics_in(engine: Engine, run: Run) -> tuple[RunMetric, ...]:
    """The metrics of a run, each by the encoder that read it."""
    with reading(engine) as connection:
        return _metrics_used(connection, run)


def values_of(engine: Engine, run: Run, metric: RunMetric) -> Numbers:
    """The known numbers of one metric, in the order of the questions."""
    query = (
        select(readings.c.value)
        .where(readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_not(None))
        .order_by(readings.c.position)
        .execution_options(yield_per=10 * AT_ONCE)
    )
    with reading(engine) as connection:
        return np.fromiter(connection.execute(query).scalars(), np.float64)


def positions_in(engine: Engine, run: Run) -> list[int]:
    """The positions that have an answer or a reason why not, in order."""
    query = select(answers.c.position).where(answers.c.run == run.key).order_by(answers.c.position)
    with engine.connect() as connection:
        return list(connection.execute(query).scalars())


def outline_of(engine: Engine, run: Run) -> RunOutline:
    """Which metrics, labels and slices a run has; its numbers are not read for that."""
    named = (
        select(labels.c.name).where(labels.c.run == run.key, CURRENT_LABEL).distinct().order_by(labels.c.name)
    )
    kinds = select(pairs.c.slices).join(set_pairs, pairs.c.key == set_pairs.c.pair)
    in_set = kinds.where(set_pairs.c.set == run.set.key).execution_options(yield_per=AT_ONCE)
    with reading(engine) as connection:
        slices = {key for each in connection.execute(in_set).scalars() for key in each}
        label_names = tuple(connection.execute(named.order_by(labels.c.name)).scalars())
        return RunOutline(_metrics_used(connection, run), label_names, tuple(sorted(slices)))


def labels_of(engine: Engine, run: Run) -> list[Label]:
    """What people said, in the order of the answers, each with who said it."""
    here = (answers.c.run == labels.c.run) & (answers.c.position == labels.c.position)
    query = (
        select(pairs.c.id, labels.c.name, labels.c.value, labels.c.rater)
        .select_from(labels)
        .join(answers, here)
        .join(pairs, pairs.c.key == answers.c.pair)
        .where(labels.c.run == run.key, CURRENT_LABEL)
        .order_by(labels.c.position, labels.c.name, labels.c.rater)
    )
    with engine.connect() as connection:
        return [Label(*row) for row in connection.execute(query)]


def metrics_of(connection: Connection, keys: Iterable[int]) -> tuple[RunMetric, ...]:
    """The metrics of these keys."""
    query = (
        select(metrics.c.key, metrics.c.name, metrics.c.encoder, metrics.c.fingerprint)
        .where(metrics.c.key.in_(keys))
        .order_by(metrics.c.key)
    )
    return tuple(RunMetric(*row) for row in connection.execute(query))


def _metrics_used(connection: Connection, run: Run) -> tuple[RunMetric, ...]:
    used = select(readings.c.metric).where(readings.c.run == run.key).distinct()
    return metrics_of(connection, list(connection.execute(used).scalars()))


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


def _label_columns(connection: Connection, run: Run, size: int) -> dict[str, Numbers]:
    sums: dict[str, Numbers] = {}
    counts: dict[str, Numbers] = {}
    query = select(labels.c.name, labels.c.position, labels.c.value)
    for name, position, value in connection.execute(query.where(labels.c.run == run.key, CURRENT_LABEL)):
        sums.setdefault(name, np.zeros(size))[position] += value
        counts.setdefault(name, np.zeros(size))[position] += 1
    with np.errstate(invalid="ignore"):
        return {name: total / counts[name] for name, total in sorted(sums.items())}


def _count_positions(engine: Engine, run: Run) -> int:
    """How many positions there are up to the last one that has an answer."""
    with engine.connect() as connection:
        return int(connection.execute(select(_last_position(run))).scalar_one()) + 1


def _last_position(run: Run) -> ScalarSelect[int]:
    """The last position that has an answer; -1 without any."""
    last = func.coalesce(func.max(answers.c.position), -1)
    return select(last).where(answers.c.run == run.key).scalar_subquery()


def _answers_at(engine: Engine, run: Run, positions: Sequence[int]) -> list[AnsweredItem]:
    at = answers.c.position.in_(positions)
    if isinstance(positions, range):
        at = answers.c.position.between(positions.start, positions.stop - 1)
    query = (
        select(answers, *(column.label(f"pair_{column.name}") for column in pairs.c))
        .join(pairs, pairs.c.key == answers.c.pair)
        .where(answers.c.run == run.key, at)
        .order_by(answers.c.position)
    )
    with reading(engine) as connection:
        rows = connection.execute(query).mappings().all()
        scores_by_position = _readings_at(connection, run, [row["position"] for row in rows])
        labels_by_position = _labels_at(connection, run, [row["position"] for row in rows])
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


def _readings_at(connection: Connection, run: Run, positions: list[int]) -> dict[int, list[MetricScore]]:
    query = (
        select(
            readings.c.position,
            metrics.c.name,
            readings.c.value,
            readings.c.because,
            readings.c.error,
            metrics.c.encoder,
            metrics.c.fingerprint,
        )
        .join(metrics, metrics.c.key == readings.c.metric)
        .where(readings.c.run == run.key, readings.c.position.in_(positions))
        .order_by(readings.c.position, metrics.c.key)
    )
    scores: dict[int, list[MetricScore]] = {}
    for position, *score in connection.execute(query):
        scores.setdefault(position, []).append(MetricScore(*score))
    return scores


def _labels_at(connection: Connection, run: Run, positions: list[int]) -> dict[int, dict[str, float]]:
    """The labels of these answers; the mean where several people gave one."""
    query = (
        select(labels.c.position, labels.c.name, func.avg(labels.c.value))
        .where(labels.c.run == run.key, labels.c.position.in_(positions), CURRENT_LABEL)
        .group_by(labels.c.position, labels.c.name)
        .order_by(labels.c.position, labels.c.name)
    )
    labels_by_position: dict[int, dict[str, float]] = {}
    for position, name, value in connection.execute(query):
        labels_by_position.setdefault(position, {})[name] = float(value)
    return labels_by_position
