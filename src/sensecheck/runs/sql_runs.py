"""Runs in the store: begun, ended and listed.

Projects and tests are made when they are first named.
"""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Connection, Engine, RowMapping, Select, func, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import QuestionSet, Run, Test, digest_of, storable
from sensecheck.store.bulk import add_missing, project_key
from sensecheck.store.columns import in_utc, now, stored_name
from sensecheck.store.engine import reading, writing
from sensecheck.store.retry import Patience
from sensecheck.store.tables import batches, projects, run_events, runs, sets, tests

Event = Literal["started", "resumed"]


def keep_test(
    engine: Engine, project: str, name: str, embedding: Mapping[str, Any], generation: Mapping[str, Any]
) -> Test:
    """The test of this name and configuration; with another configuration it is another one."""
    key, name = project_key(engine, project), stored_name(name, "the name of a test")
    digest = digest_of([name, dict(embedding), dict(generation)])
    row = {
        "id": str(uuid4()),
        "project": key,
        "name": name,
        "embedding": dict(embedding),
        "generation": dict(generation),
        "digest": digest,
        "created_at": now(),
    }
    with writing(engine) as connection:
        add_missing(connection, tests, [row])
        query = tests_query().where(tests.c.project == key, tests.c.digest == digest)
        return test_in(connection.execute(query).mappings().one())


def begin_run(
    engine: Engine,
    test: Test,
    chosen: QuestionSet,
    patience: Patience,
    *,
    name: str,
    encoder: str,
    conditions: Mapping[str, Any],
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
    key = patience.until_done(lambda: _begin_once(engine, row))
    return patience.until_done(lambda: run_by_key(engine, key))


def note_event(engine: Engine, run: Run, kind: Event, note: str = "") -> None:
    """Write down that something happened to a run."""
    with writing(engine) as connection:
        connection.execute(run_events.insert().values(run=run.key, kind=kind, note=note, at=now()))


def note_finished(engine: Engine, run: Run, note: str) -> None:
    """Write down that a run is whole, once: who says so first is right."""
    lock_query = select(runs.c.key).where(runs.c.key == run.key).with_for_update(key_share=True)
    finished_query = select(run_events.c.key).where(
        run_events.c.run == run.key, run_events.c.kind == "finished"
    )
    with writing(engine) as connection:
        connection.execute(lock_query)  # two who finish it concurrently take turns
        if connection.execute(finished_query).first() is None:
            event = {"run": run.key, "kind": "finished", "note": note, "at": now()}
            connection.execute(run_events.insert(), event)


def finished_note(engine: Engine, run: Run) -> str:
    """What was written down when a run was finished; empty before, and of runs of earlier versions."""
    query = select(run_events.c.note).where(run_events.c.run == run.key, run_events.c.kind == "finished")
    with reading(engine) as connection:
        return str(connection.execute(query.limit(1)).scalar_one_or_none() or "")


def run_by_key(engine: Engine, key: int) -> Run:
    """The run of this number, for whoever has it from the store itself."""
    with reading(engine) as connection:
        matches = runs_found(connection, runs_query(None).where(runs.c.key == key))
    if not matches:
        raise SpecError(f"there is no run {key}")
    return matches[0]


def all_runs(engine: Engine, *, project: str | None = None, test: str | None = None) -> list[Run]:
    """The runs that are there, the oldest first."""
    query = runs_query(project).order_by(runs.c.key)
    if test is not None:
        query = query.where(tests.c.name == storable(test))
    with reading(engine) as connection:
        return runs_found(connection, query)


def all_projects(engine: Engine) -> list[str]:
    """The names of the projects, also of those without runs."""
    with reading(engine) as connection:
        return list(connection.execute(select(projects.c.name)).scalars())


def tests_query() -> Select[Any]:
    """All tests, with the names that `test_in` reads."""
    return select(
        tests.c.key.label("test_key"),
        tests.c.id.label("test_id"),
        projects.c.name.label("project"),
        tests.c.name.label("test_name"),
        tests.c.embedding,
        tests.c.generation,
    ).join(projects, projects.c.key == tests.c.project)


def test_in(row: RowMapping) -> Test:
    """The test in a row of `tests_query`."""
    return Test(
        row["test_key"], row["test_id"], row["project"], row["test_name"], row["embedding"], row["generation"]
    )


def runs_query(project: str | None) -> Select[Any]:
    """All runs, or those of a project, with the names that `run_in` reads."""
    done = select(func.coalesce(func.sum(batches.c.size), 0)).where(batches.c.run == runs.c.key)
    finished = select(func.max(run_events.c.at)).where(
        run_events.c.run == runs.c.key, run_events.c.kind == "finished"
    )
    query = (
        tests_query()
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


def run_in(row: RowMapping) -> Run:
    """The run in a row of `runs_query`."""
    finished = row["finished_at"]
    return Run(
        row["run_key"],
        row["run_id"],
        test_in(row),
        QuestionSet(row["set_key"], row["size"], row["set_digest"]),
        row["run_name"],
        row["encoder"],
        row["conditions"],
        in_utc(row["started_at"]),
        None if finished is None else in_utc(finished),
        row["done"],
    )


def runs_found(connection: Connection, query: Select[Any]) -> list[Run]:
    """The runs that such a query finds."""
    return [run_in(row) for row in connection.execute(query).mappings()]


def _begin_once(engine: Engine, row: Mapping[str, Any]) -> int:
    """Begin it, unless it has begun: its id was made before, so that it can be tried again."""
    with writing(engine) as connection:
        add_missing(connection, runs, [row])
        key = int(connection.execute(select(runs.c.key).where(runs.c.id == row["id"])).scalar_one())
        if connection.execute(select(run_events.c.key).where(run_events.c.run == key)).first() is None:
            event = {"run": key, "kind": "started", "note": "", "at": row["started_at"]}
            connection.execute(run_events.insert(), event)
    return key
