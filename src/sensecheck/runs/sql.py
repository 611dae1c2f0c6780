"""The store of evaluations in SQLite or PostgreSQL: projects, tests and runs, and what they hold."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self
from uuid import uuid4

from sqlalchemy import RowMapping, Select, func, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from sensecheck.core.errors import SampleError, SpecError, StorageError
from sensecheck.core.run import QuestionSet, Run, Test, digest_of, storable
from sensecheck.runs.record import Label, means_of
from sensecheck.runs.run_names import chosen_run, require_project
from sensecheck.runs.sql_items import patiently
from sensecheck.runs.sql_read import StoredAnswers
from sensecheck.runs.sql_write import LabelHistory, RunWriter
from sensecheck.runs.stored_values import changed_label, new_labels, validate_labels
from sensecheck.store.address import database_url, shown, store_option
from sensecheck.store.bulk import add_missing, project_key
from sensecheck.store.columns import in_utc, now, stored_name
from sensecheck.store.engine import engine_of, reading, writing
from sensecheck.store.retry import Patience, first_line
from sensecheck.store.tables import batches, projects, run_events, runs, sets, tests
from sensecheck.store.upgrade import make_ready


@dataclass(frozen=True, slots=True)
class EvalStore(StoredAnswers):
    """One database; the same whether it is PostgreSQL or a file of SQLite."""

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

    @patiently
    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        key, name = project_key(self.engine, project), stored_name(name, "the name of a test")
        configured = {"embedding": dict(embedding), "generation": dict(generation)}
        digest = digest_of([name, *configured.values()])
        named = {"id": str(uuid4()), "project": key, "name": name}
        query = _tests_query().where(tests.c.project == key, tests.c.digest == digest)
        with writing(self.engine) as connection:
            add_missing(connection, tests, [{**named, **configured, "digest": digest, "created_at": now()}])
            return _test_in(connection.execute(query).mappings().one())

    def begin(
        self, test: Test, chosen: QuestionSet, *, name: str = "", encoder: str, conditions: Mapping[str, Any]
    ) -> Run:
        """A new run of these questions, of which none has been answered."""
        row = {
            "id": str(uuid4()),
            "test": test.key,
            "set": chosen.key,
            "name": stored_name(name, "the name of a run"),
            "encoder": storable(encoder),
            "conditions": dict(conditions),
            "started_at": now(),
        }
        return self.run_by_key(self._begin_once(row))

    @patiently
    def _begin_once(self, row: Mapping[str, Any]) -> int:
        """Begin it, unless it has begun: its id was made before, so that it can be tried again."""
        with writing(self.engine) as connection:
            add_missing(connection, runs, [row])
            key = int(connection.execute(select(runs.c.key).where(runs.c.id == row["id"])).scalar_one())
            if connection.execute(select(run_events.c.key).where(run_events.c.run == key)).first() is None:
                event = {"run": key, "kind": "started", "note": "", "at": row["started_at"]}
                connection.execute(run_events.insert(), event)
        return key

    @patiently
    def resumed(self, run: Run) -> None:
        """Write down that a run goes on."""
        with writing(self.engine) as connection:
            event = {"run": run.key, "kind": "resumed", "note": f"at {run.done}", "at": now()}
            connection.execute(run_events.insert(), event)

    def finish(self, run: Run) -> None:
        """Write down that a run is whole, and the means of its metrics; only once."""
        self._note_finished(run, json.dumps(means_of(run, self.columns(run))))

    @patiently
    def _note_finished(self, run: Run, note: str) -> None:
        """Who says so first is right."""
        lock_query = select(runs.c.key).where(runs.c.key == run.key).with_for_update(key_share=True)
        with writing(self.engine) as connection:
            connection.execute(lock_query)  # two who finish it concurrently take turns
            if connection.execute(_finished(run)).first() is None:
                event = {"run": run.key, "kind": "finished", "note": note, "at": now()}
                connection.execute(run_events.insert(), event)

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric by the run's own encoder, as written down when the run was finished."""
        noted = self._finished_note(run)
        return json.loads(noted) if noted else means_of(run, self.columns(run))

    @patiently
    def _finished_note(self, run: Run) -> str | None:
        """Empty before it is finished, and of runs of earlier versions."""
        with reading(self.engine) as connection:
            note: str | None = connection.execute(_finished(run).limit(1)).scalar_one_or_none()
        return note

    def require_project(self, project: str) -> None:
        """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
        require_project(project, self._projects(), store_option(self.engine.url))

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, by its name, or by its id or how that begins."""
        runs, option = self.runs(project=project), store_option(self.engine.url)
        return chosen_run(runs, named, project=project, projects=self._projects, option=option)

    @patiently
    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        with reading(self.engine) as connection:
            row = connection.execute(_runs_query(None).where(runs.c.key == key)).mappings().one_or_none()
        if row is None:
            raise SpecError(f"there is no run {key}")
        return _run_in(row)

    @patiently
    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        query = _runs_query(project).order_by(runs.c.key)
        if test is not None:
            query = query.where(tests.c.name == storable(test))
        with reading(self.engine) as connection:
            return [_run_in(row) for row in connection.execute(query).mappings()]

    @patiently
    def _projects(self) -> list[str]:
        """The names of the projects, also of those without runs."""
        with reading(self.engine) as connection:
            return list(connection.execute(select(projects.c.name)).scalars())

    def writer(self, run: Run) -> RunWriter:
        """The one who writes the answers of a run."""
        return RunWriter(self.engine, run, self.patience)

    @patiently
    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        validate_labels(given)
        try:
            with writing(self.engine) as connection:
                history = LabelHistory.of(connection, run)
                return history.add(connection, new_labels(run, given, history.answered, history.current))
        except IntegrityError as wrong:  # somebody else was quicker
            raise SampleError(
                f"the run {run.key} has been given some of these labels in the meantime"
            ) from wrong

    @patiently
    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed."""
        try:
            with writing(self.engine) as connection:
                history = LabelHistory.of(connection, run)
                change = changed_label(run, given, history.answered, history.current, withdraw=withdraw)
                return change is not None and history.add(connection, [change]) == 1
        except IntegrityError as wrong:
            raise SampleError(f"this label of the run {run.key} was changed in the meantime") from wrong


def _finished(run: Run) -> Select[Any]:
    """What was written down when a run was finished."""
    return select(run_events.c.note).where(run_events.c.run == run.key, run_events.c.kind == "finished")


def _tests_query() -> Select[Any]:
    """All tests, with the names that `_test_in` reads."""
    return select(
        tests.c.key.label("test_key"),
        tests.c.id.label("test_id"),
        projects.c.name.label("project"),
        tests.c.name.label("test_name"),
        tests.c.embedding,
        tests.c.generation,
    ).join(projects, projects.c.key == tests.c.project)


def _test_in(row: RowMapping) -> Test:
    """The test in a row of `_tests_query`."""
    return Test(
        row["test_key"], row["test_id"], row["project"], row["test_name"], row["embedding"], row["generation"]
    )


def _runs_query(project: str | None) -> Select[Any]:
    """All runs, or those of a project, with the names that `_run_in` reads."""
    done = select(func.coalesce(func.sum(batches.c.size), 0)).where(batches.c.run == runs.c.key)
    finished = select(func.max(run_events.c.at)).where(
        run_events.c.run == runs.c.key, run_events.c.kind == "finished"
    )
    query = (
        _tests_query()
        .join(runs, runs.c.test == tests.c.key)
        .join(sets, sets.c.key == runs.c.set)
        .add_columns(
            runs.c.key.label("run_key"),
            runs.c.id.label("run_id"),
            runs.c.name.label("run_name"),
            runs.c.encoder,
            runs.c.conditions,
            runs.c.started_at,
            sets.c.key.label("set_key"),
            sets.c.size,
            sets.c.digest.label("set_digest"),
            done.scalar_subquery().label("done"),
            finished.scalar_subquery().label("finished_at"),
        )
    )
    return query if project is None else query.where(projects.c.name == storable(project))


def _run_in(row: RowMapping) -> Run:
    """The run in a row of `_runs_query`."""
    finished = row["finished_at"]
    return Run(
        row["run_key"],
        row["run_id"],
        _test_in(row),
        QuestionSet(row["set_key"], row["size"], row["set_digest"]),
        row["run_name"],
        row["encoder"],
        row["conditions"],
        in_utc(row["started_at"]),
        None if finished is None else in_utc(finished),
        row["done"],
    )
