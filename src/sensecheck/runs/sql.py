"""The store of evaluations in SQLite or PostgreSQL: questions, runs, answers, readings and labels."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from sqlalchemy import Column, ColumnElement, Connection, Engine, case, func, select
from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import StorageError
from sensecheck.core.run import Item, PlacedItem, QuestionSet, Run, Test
from sensecheck.measures.metric_reader import WORDLESS
from sensecheck.runs.figures import RunFigures
from sensecheck.runs.place import Wording
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
    means_of,
)
from sensecheck.runs.run_names import chosen_run, require_project
from sensecheck.runs.sql_items import each_question, each_wording, keep_set, latest_set
from sensecheck.runs.sql_read import (
    each_answer,
    labels_of,
    metrics_in,
    metrics_of,
    outline_of,
    positions_in,
    run_table,
    values_of,
)
from sensecheck.runs.sql_runs import (
    all_projects,
    all_runs,
    begin_run,
    finished_note,
    keep_test,
    note_event,
    note_finished,
    run_by_key,
)
from sensecheck.runs.sql_write import RunWriter, add_labels, change_label
from sensecheck.store.address import database_url, shown, store_option
from sensecheck.store.bulk import project_key
from sensecheck.store.engine import engine_of, reading
from sensecheck.store.retry import Patience, first_line
from sensecheck.store.tables import answers, readings
from sensecheck.store.upgrade import make_ready


@dataclass(frozen=True, slots=True)
class EvalStore:
    """One database; the same whether it is PostgreSQL or a file of SQLite."""

    engine: Engine
    patience: Patience = field(default_factory=Patience)

    @classmethod
    def open(cls, address: str, *, patience: float = 120.0) -> Self:
        """The store at an address; a file that is not there yet is made.

        Raises `SpecError` where the tables are missing, or are those of another version.
        """
        engine = engine_of(database_url(address))
        make_ready(engine)
        return cls(engine, Patience(patience))

    @property
    def address(self) -> str:
        """Where it is, without a password."""
        return shown(self.engine.url)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    @contextmanager
    def session(self) -> Iterator[Self]:
        """The store, closed at the end; what its database refuses meanwhile is `StorageError`."""
        try:
            yield self
        except DBAPIError as wrong:
            raise StorageError(f"the store `{self.address}` refused: {first_line(wrong)}") from wrong
        finally:
            self.close()

    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        return self.patience.until_done(lambda: keep_test(self.engine, project, name, embedding, generation))

    def keep_set(self, project: str, questions: Iterable[Item]) -> QuestionSet:
        """The set of these questions, kept if it is new."""
        key = self.patience.until_done(lambda: project_key(self.engine, project))
        return keep_set(self.engine, key, questions, self.patience)

    def latest_set(self, project: str) -> QuestionSet:
        """The questions that a project was last given."""
        return self.patience.until_done(lambda: latest_set(self.engine, project))

    def begin(
        self, test: Test, chosen: QuestionSet, *, name: str = "", encoder: str, conditions: Mapping[str, Any]
    ) -> Run:
        """A new run."""
        return begin_run(
            self.engine, test, chosen, self.patience, name=name, encoder=encoder, conditions=conditions
        )

    def resumed(self, run: Run) -> None:
        """Write down that a run goes on."""
        self.patience.until_done(lambda: note_event(self.engine, run, "resumed", f"at {run.done}"))

    def finish(self, run: Run) -> None:
        """Write down that a run is whole, and the means of its metrics; only once."""
        means = json.dumps(means_of(run, self.columns(run)))
        self.patience.until_done(lambda: note_finished(self.engine, run, means))

    def require_project(self, project: str) -> None:
        """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
        require_project(project, self._projects(), store_option(self.engine.url))

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, by its name, or by its id or how that begins."""
        option = store_option(self.engine.url)
        return chosen_run(
            self.runs(project=project), named, project=project, projects=self._projects, option=option
        )

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        return self.patience.until_done(lambda: run_by_key(self.engine, key))

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        return self.patience.until_done(lambda: all_runs(self.engine, project=project, test=test))

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The questions of a set from a position on, in their order."""
        return each_question(self.engine, chosen, self.patience, after=after)

    def writer(self, run: Run) -> RunWriter:
        """The one who writes the answers of a run."""
        return RunWriter(self.engine, run, self.patience)

    def table(self, run: Run) -> RunTable:
        """All numbers of a run."""
        return self.patience.until_done(lambda: run_table(self.engine, run))

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredItem]:
        """The answers of a run with their readings, in their order."""
        return each_answer(self.engine, run, self.patience, positions)

    def wordings(self, chosen: QuestionSet) -> Iterator[Wording]:
        """How the questions of a set are called and worded, in their order."""
        return each_wording(self.engine, chosen, self.patience)

    def chunks(self, run: Run, *, by: Sequence[str] = ()) -> Iterator[RunTable]:
        """All numbers at once."""
        yield self.table(run)

    def aggregates(self, run: Run) -> RunFigures | None:
        """None: the rows must be read."""
        return None

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric by the run's own encoder, as written down when the run was finished."""
        noted = self.patience.until_done(lambda: finished_note(self.engine, run))
        return json.loads(noted) if noted else means_of(run, self.columns(run))

    def columns(self, run: Run) -> Iterator[tuple[RunMetric, Numbers]]:
        """The known numbers of each metric in the order of the questions; one metric at a time."""
        for metric in self.patience.until_done(lambda: metrics_in(self.engine, run)):
            yield metric, self.patience.until_done(partial(values_of, self.engine, run, metric))

    def reached(self, run: Run) -> list[int]:
        """The positions that have an answer or a reason why not, in order; there may be gaps."""
        return self.patience.until_done(lambda: positions_in(self.engine, run))

    def answered(self, run: Run) -> int:
        """How many questions have an answer."""
        return self.patience.until_done(lambda: count_answers(self.engine, run))

    def reasons(self, run: Run) -> RunReasons:
        """How far a run has come, and why numbers and answers are missing."""
        return self.patience.until_done(lambda: reasons_of(self.engine, run))

    def outline(self, run: Run) -> RunOutline:
        """Which metrics, labels and slices a run has."""
        return self.patience.until_done(lambda: outline_of(self.engine, run))

    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        return self.patience.until_done(lambda: add_labels(self.engine, run, given))

    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed."""
        return self.patience.until_done(lambda: change_label(self.engine, run, given, withdraw=withdraw))

    def later_labels(self, run: Run) -> None:
        """All labels are in one table: `labels` has them as they are now."""

    def labels(self, run: Run) -> Iterator[Label]:
        """What people said of the answers of a run, each with who said it."""
        return iter(self.patience.until_done(lambda: labels_of(self.engine, run)))

    def _projects(self) -> list[str]:
        return self.patience.until_done(lambda: all_projects(self.engine))


def reasons_of(engine: Engine, run: Run) -> RunReasons:
    """As it is at one moment."""
    with reading(engine) as connection:
        questions, answered = _count_questions(connection, run)
        gaps = _gaps_by_metric(connection, run, unanswered=questions - answered)
        why = _why_unanswered(connection, run) if answered < questions else None
    return RunReasons(questions, answered, why, gaps)


def count_answers(engine: Engine, run: Run) -> int:
    """How many questions have an answer."""
    query = select(func.count(answers.c.answer)).where(answers.c.run == run.key)
    with engine.connect() as connection:
        return int(connection.execute(query).scalar_one())


def _count_questions(connection: Connection, run: Run) -> tuple[int, int]:
    """How many positions the run has come to, and how many of them have an answer."""
    last = func.coalesce(func.max(answers.c.position), -1)
    query = select(last + 1, func.count(answers.c.answer)).where(answers.c.run == run.key)
    questions, answered = connection.execute(query).one()
    return questions, answered


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
    for metric in metrics_of(connection, counted):
        failed, nothing, _ = counted[metric.key]
        gaps[metric] = MetricGaps(
            failed,
            nothing,
            beside.get(metric.key, 0),
            wordless.get(metric.key, 0),
            _most_frequent(connection, run, metric, readings.c.error) if failed else None,
            _most_frequent(connection, run, metric, readings.c.because) if nothing else None,
        )
    return gaps


def _count_readings(connection: Connection, run: Run, where: ColumnElement[bool]) -> dict[int, int]:
    query = select(readings.c.metric, func.count()).where(readings.c.run == run.key, where)
    rows = connection.execute(query.group_by(readings.c.metric)).all()
    return {row[0]: row[1] for row in rows}


def _most_frequent(connection: Connection, run: Run, metric: RunMetric, column: Column[str]) -> str:
    """The most frequent value of a column, among the readings that have no number."""
    at = (readings.c.run == run.key, readings.c.metric == metric.key, readings.c.value.is_(None))
    query = select(column).where(*at, column.is_not(None)).group_by(column)
    reason = connection.execute(query.order_by(func.count().desc(), column).limit(1)).scalar_one_or_none()
    return NO_REASON if reason is None else str(reason)


def _why_unanswered(connection: Connection, run: Run) -> str | None:
    query = select(answers.c.error).where(
        answers.c.run == run.key, answers.c.answer.is_(None), answers.c.error.is_not(None)
    )
    most = query.group_by(answers.c.error).order_by(func.count().desc(), answers.c.error).limit(1)
    reason: str | None = connection.execute(most).scalar_one_or_none()
    return reason
