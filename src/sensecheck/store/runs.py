"""Beginning runs, ending them, and finding them again."""

from collections.abc import Mapping
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Engine, RowMapping, Select, func, select

from sensecheck.core.errors import SpecError
from sensecheck.store.bulk import add_missing
from sensecheck.store.configurations import test_in, tests_query
from sensecheck.store.engine import writing
from sensecheck.store.moments import in_utc, now
from sensecheck.store.records import QuestionSet, Run, Test
from sensecheck.store.tables import batches, projects, run_events, runs, sets, tests
from sensecheck.store.waiting import Patience

Event = Literal["started", "resumed", "finished"]
LATEST, PREVIOUS = "latest", "previous"


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
        "name": name,
        "encoder": encoder,
        "conditions": dict(conditions),
        "started_at": now(),
    }
    patience.until_done(lambda: _begun(engine, row))
    return find_run(engine, str(row["id"]))


def _begun(engine: Engine, row: Mapping[str, Any]) -> None:
    """Begin it, unless it has begun: its id was made before, so that it can be tried again."""
    with writing(engine) as connection:
        add_missing(connection, runs, [row])
        key = connection.execute(select(runs.c.key).where(runs.c.id == row["id"])).scalar_one()
        if connection.execute(select(run_events.c.key).where(run_events.c.run == key)).first() is None:
            event = {"run": key, "kind": "started", "note": "", "at": row["started_at"]}
            connection.execute(run_events.insert(), event)


def note_event(engine: Engine, run: Run, kind: Event, note: str = "") -> None:
    """Write down that something happened to a run."""
    with writing(engine) as connection:
        connection.execute(run_events.insert().values(run=run.key, kind=kind, note=note, at=now()))


def find_run(engine: Engine, named: str, *, project: str | None = None) -> Run:
    """The run that is meant: by its id, its number, as `latest` or `previous`, or by how its id begins."""
    query = _query(project)
    with engine.connect() as connection:
        found = connection.execute(query.where(runs.c.id == named)).mappings().all()
        if not found and named:
            found = connection.execute(_meant(query, named)).mappings().all()
    if len(found) != 1:
        raise SpecError(_not_one(named, len(found), project))
    return run_in(found[0])


def _meant(query: Select[Any], named: str) -> Select[Any]:
    if named in (LATEST, PREVIOUS):
        return query.order_by(runs.c.key.desc()).offset(named == PREVIOUS).limit(1)
    if named.isascii() and named.isdigit() and len(named) < 10:
        return query.where(runs.c.key == int(named))
    return query.where(runs.c.id.startswith(named, autoescape=True)).limit(2)


def all_runs(engine: Engine, *, project: str | None = None, test: str | None = None) -> list[Run]:
    """The runs that are there, the oldest first."""
    query = _query(project).order_by(runs.c.key)
    if test is not None:
        query = query.where(tests.c.name == test)
    with engine.connect() as connection:
        return [run_in(row) for row in connection.execute(query).mappings()]


def run_in(row: RowMapping) -> Run:
    """The run in a row of the query below."""
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


def _query(project: str | None) -> Select[Any]:
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
    return query if project is None else query.where(projects.c.name == project)


def _not_one(named: str, found: int, project: str | None) -> str:
    within = "" if project is None else f" in the project `{project}`"
    if found:
        return f"`{named}` begins the ids of several runs{within}; write more of it"
    return f"there is no run `{named}`{within}; wanted its number, `{LATEST}`, `{PREVIOUS}`, or its id"
