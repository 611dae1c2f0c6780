"""The store of evaluations in SQLite or PostgreSQL, and its rows for export.

It keeps questions, runs, answers and readings. As rows, a run has the columns of the view `evals`, and its
own metrics, labels, slices and texts besides.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Self, TypeVar

from sqlalchemy import Connection, Engine, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Pair, Placed, QuestionSet, Run, Test
from sensecheck.runs.export import ColumnTypes, Row
from sensecheck.runs.sql_items import each_question, keep_set, latest_set
from sensecheck.runs.sql_read import AnsweredPair, RunMetric, RunTable, each_answer, run_table
from sensecheck.runs.sql_runs import (
    all_runs,
    begin_run,
    find_run,
    keep_test,
    note_event,
    note_finished,
    run_by_key,
)
from sensecheck.runs.sql_write import RunWriter
from sensecheck.store.address import database_url, shown, store_option
from sensecheck.store.bulk import project_key
from sensecheck.store.engine import engine_of
from sensecheck.store.retry import Patience
from sensecheck.store.tables import (
    JUDGED,
    LEXICAL,
    REASONS,
    SEMANTIC,
    evals,
    labels,
    metrics,
    pairs,
    readings,
    set_pairs,
)
from sensecheck.store.upgrade import make_ready

AT_ONCE = 1000
READING: ColumnTypes = {
    "test_run_id": str,
    "qa_pair_id": str,
    "metric": str,
    "encoder": str,
    "fingerprint": str,
    "value": float,
    "because": str,
    "error": str,
}
_VIEW_METRICS = (*LEXICAL, *JUDGED, *SEMANTIC)
_TEXTS = ("question", "expected")
_VIEW: ColumnTypes = {
    name: float if name in (*_VIEW_METRICS, "latency_ms", "cost") else str
    for name in evals.columns.keys()  # noqa: SIM118 - a collection of columns goes through columns
    if name != "created_at"  # when a batch was written says nothing of an answer
}
_PREFIXES = ("metric_", "label_", "slice_")
_Found = TypeVar("_Found")
_Selected = TypeVar("_Selected")
_MetricKey = tuple[str, str]
"""A metric's name, and the fingerprint of its encoder."""


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

    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        return self.patience.until_done(lambda: keep_test(self.engine, project, name, embedding, generation))

    def keep_set(self, project: str, questions: Iterable[Pair]) -> QuestionSet:
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
        """Write down that a run is whole; only once."""
        self.patience.until_done(lambda: note_finished(self.engine, run))

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, or by its id or how that begins."""
        return self.patience.until_done(lambda: find_run(self.engine, named, project=project))

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        return self.patience.until_done(lambda: run_by_key(self.engine, key))

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        return self.patience.until_done(lambda: all_runs(self.engine, project=project, test=test))

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[Placed]:
        """The questions of a set from a position on, in their order."""
        return each_question(self.engine, chosen, self.patience, after=after)

    def writer(self, run: Run) -> RunWriter:
        """The one who writes the answers of a run."""
        return RunWriter(self.engine, run, self.patience)

    def table(self, run: Run) -> RunTable:
        """All numbers of a run."""
        return self.patience.until_done(lambda: run_table(self.engine, run))

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredPair]:
        """The answers of a run with their readings, in their order."""
        return each_answer(self.engine, run, self.patience, positions)


@dataclass(frozen=True, slots=True)
class AnswerRows:
    """A run as a table: a row an answer, with all metrics as columns."""

    store: EvalStore
    run: Run
    metrics: dict[_MetricKey, str]
    """The column of each metric."""
    labels: tuple[str, ...]
    slices: tuple[str, ...]

    @classmethod
    def of(cls, store: EvalStore, run: Run) -> "AnswerRows":
        """Which columns a run has; its numbers are not read for that."""
        named = _metric_columns(run, metrics_in(store, run))
        return cls(store, run, named, labels_in(store, run), slices_in(store, run))

    @property
    def columns(self) -> ColumnTypes:
        """Those of the view, then the other metrics of this run, its labels, its slices and its texts."""
        return {
            **_VIEW,
            **{name: float for name in self.metrics.values() if name not in _VIEW_METRICS},
            **{f"label_{name}": float for name in self.labels},
            **{f"slice_{name}": str for name in self.slices},
            **dict.fromkeys(_TEXTS, str),
        }

    def rows(self) -> Iterator[Row]:
        """What could not be read, or does not apply, is not there."""
        for found in self.store.answers(self.run):
            yield {**_answer_row(self.run, found), **self._readings(found)}

    def _readings(self, found: AnsweredPair) -> Row:
        row: dict[str, float | str | None] = {}
        for one in found.told.readings:
            column = self.metrics.get((one.metric, one.fingerprint))
            if column is not None:  # else it was read since the columns were written
                row[column] = one.value
            if (reason := f"{one.metric}_reasoning") in REASONS:
                row[reason] = one.because
        return row


def reading_rows(store: EvalStore, run: Run) -> Iterator[Row]:
    """A row a reading, with why it is so or why there is none."""
    for found in store.answers(run):
        for one in found.told.readings:
            values = (run.id, found.pair.name, one.metric, one.encoder, one.fingerprint)
            yield dict(zip(READING, (*values, one.value, one.because, one.error), strict=True))


def position_in(store: EvalStore, run: Run, question: str) -> int:
    """Where a question stands; an error that names one like it where the run has none of that id."""
    query = _in_set(select(set_pairs.c.position), run).where(pairs.c.id == question)
    found = _read_all(store, lambda connection: connection.execute(query).scalar_one_or_none())
    if found is None:
        raise SpecError(_unknown_question(store, run, question))
    return int(found)


def metrics_in(store: EvalStore, run: Run) -> tuple[RunMetric, ...]:
    """The metrics of a run, each by the encoder that read it."""
    used = select(readings.c.metric).where(readings.c.run == run.key).distinct()
    query = (
        select(metrics.c.key, metrics.c.name, metrics.c.encoder, metrics.c.fingerprint)
        .where(metrics.c.key.in_(used))
        .order_by(metrics.c.key)
    )
    return _read_all(store, lambda connection: tuple(RunMetric(*row) for row in connection.execute(query)))


def labels_in(store: EvalStore, run: Run) -> tuple[str, ...]:
    """The names of the labels that people gave its answers."""
    query = select(labels.c.name).where(labels.c.run == run.key).distinct().order_by(labels.c.name)
    return _read_all(store, lambda connection: tuple(connection.execute(query).scalars()))


def slices_in(store: EvalStore, run: Run) -> tuple[str, ...]:
    """The keys by which its questions are grouped into slices."""
    query = _in_set(select(pairs.c.slices), run).execution_options(yield_per=AT_ONCE)

    def read(connection: Connection) -> tuple[str, ...]:
        return tuple(sorted({key for kinds in connection.execute(query).scalars() for key in kinds}))

    return _read_all(store, read)


def _answer_row(run: Run, found: AnsweredPair) -> Row:
    pair, kept = found.pair, found.told
    return {
        "id": kept.id or f"{run.id}-{found.position}",
        "test_run_id": run.id,
        "qa_pair_id": pair.name,
        "answer": kept.answer,
        "error": kept.error,
        "latency_ms": kept.latency_ms,
        "cost": kept.cost,
        **{f"label_{name}": value for name, value in kept.labels.items()},
        **{f"slice_{name}": value for name, value in pair.slices.items()},
        "question": pair.question,
        "expected": pair.expected,
    }


def _metric_columns(run: Run, metrics: tuple[RunMetric, ...]) -> dict[_MetricKey, str]:
    """Each metric's column, of which no two are the same."""
    named = {(one.name, one.fingerprint): _metric_column(run, one) for one in metrics}
    given = list(named.values())
    return {
        key: column if given.count(column) == 1 else f"{column}#{key[1]}" for key, column in named.items()
    }


def _metric_column(run: Run, metric: RunMetric) -> str:
    """The metric's own name, by the run's own encoder or by none; else with the name of the encoder.

    A name that a column of another kind has, or may have, gets a prefix.
    """
    own = metric.fingerprint in ("", run.encoder)
    name = metric.name if own else f"{metric.name}@{metric.encoder}"
    taken = name in (*_VIEW, *_TEXTS) and name not in _VIEW_METRICS
    return f"metric_{name}" if taken or name.startswith(_PREFIXES) else name


def _unknown_question(store: EvalStore, run: Run, question: str) -> str:
    query = _in_set(select(pairs.c.id), run)
    names = _read_all(store, lambda connection: list(connection.execute(query).scalars()))
    close = get_close_matches(question, names, n=1, cutoff=0.5)
    export = f"sensecheck history export {run.key}{store_option(store.address)}"
    hint = f"; did you mean `{close[0]}`?" if close else f"; `{export}` lists them all"
    return f"the run {run.key} has no question `{question}`{hint}"


def _in_set(query: "Select[tuple[_Selected]]", run: Run) -> "Select[tuple[_Selected]]":
    """Of the questions of the run's set."""
    both = set_pairs.join(pairs, pairs.c.key == set_pairs.c.pair)
    return query.select_from(both).where(set_pairs.c.set == run.set.key)


def _read_all(store: EvalStore, ask: Callable[[Connection], _Found]) -> _Found:
    def read() -> _Found:
        with store.engine.connect() as connection:
            return ask(connection)

    return store.patience.until_done(read)
