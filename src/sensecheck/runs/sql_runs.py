"""Runs in the store: begun, ended, and found by number, `latest`, name or id.

Projects and tests are made when they are first named.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Engine, RowMapping, Select, func, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import QuestionSet, Run, Test, digest_of, storable
from sensecheck.core.serialization import unknown
from sensecheck.store.address import store_option
from sensecheck.store.bulk import add_missing, project_key
from sensecheck.store.columns import in_utc, kept_name, now
from sensecheck.store.engine import reading, writing
from sensecheck.store.retry import Patience
from sensecheck.store.tables import batches, projects, run_events, runs, sets, tests

Event = Literal["started", "resumed"]
LATEST, PREVIOUS = "latest", "previous"
BY_NUMBER, BY_ID, BY_NAME = "number:", "id:", "name:"
"""What people write before a word that could be several of these."""
_DIGITS = 10
"""A number of a run has fewer."""


def keep_test(
    engine: Engine, project: str, name: str, embedding: Mapping[str, Any], generation: Mapping[str, Any]
) -> Test:
    """The test of this name and configuration; with another configuration it is another one."""
    key, name = project_key(engine, project), kept_name(name, "the name of a test")
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
        "name": kept_name(name, "the name of a run"),
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


def note_finished(engine: Engine, run: Run) -> None:
    """Write down that a run is whole, once: who says so first is right."""
    this = select(runs.c.key).where(runs.c.key == run.key).with_for_update(key_share=True)
    said = select(run_events.c.key).where(run_events.c.run == run.key, run_events.c.kind == "finished")
    with writing(engine) as connection:
        connection.execute(this)  # two who finish it at once take turns
        if connection.execute(said).first() is None:
            event = {"run": run.key, "kind": "finished", "note": "", "at": now()}
            connection.execute(run_events.insert(), event)


def find_run(engine: Engine, named: str, *, project: str | None = None) -> Run:
    """The run that is meant: by number, as `latest` or `previous`, by name, by its id or how that begins.

    Digits are the number, unless they are also the id of another run, which one that was copied may have:
    `number:7`, `id:7` and `name:7` say which is meant.
    """
    with reading(engine) as connection:
        found = _candidates(connection, runs_query(project), storable(named)) if named else []
        if not found and project is not None:
            _require_project(connection, project)
        if len(found) != 1:
            raise SpecError(_why_not_one(connection, named, found, project))
    return found[0]


def run_by_key(engine: Engine, key: int) -> Run:
    """The run of this number, for whoever has it from the store itself."""
    with reading(engine) as connection:
        found = runs_found(connection, runs_query(None).where(runs.c.key == key))
    if not found:
        raise SpecError(f"there is no run {key}")
    return found[0]


def all_runs(engine: Engine, *, project: str | None = None, test: str | None = None) -> list[Run]:
    """The runs that are there, the oldest first."""
    query = runs_query(project).order_by(runs.c.key)
    if test is not None:
        query = query.where(tests.c.name == storable(test))
    with reading(engine) as connection:
        return runs_found(connection, query)


def must_be_a_project(engine: Engine, name: str) -> None:
    """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
    with reading(engine) as connection:
        _require_project(connection, name)


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


def _require_project(connection: Connection, name: str) -> None:
    known = list(connection.execute(select(projects.c.name)).scalars())
    if not known:
        raise SpecError(
            f"there is no project `{name}`: no evaluation is kept yet; {_how_to_make_one(connection)}"
        )
    if storable(name) not in known:
        raise SpecError(unknown("project", name, known))


def _candidates(connection: Connection, query: Select[Any], named: str) -> list[Run]:
    if named in (LATEST, PREVIOUS):
        latest = _newest(connection, query)
        return latest if named == LATEST or not latest else _before(connection, query, latest[0])
    for where in (_has_number_or_id(named), _has_name(named)):
        exact = runs_found(connection, query.where(where).order_by(runs.c.key))
        if exact:
            return exact
    if _is_number(named):
        return []
    return runs_found(connection, query.where(runs.c.id.startswith(named, autoescape=True)).limit(2))


def _newest(connection: Connection, query: Select[Any], *, after: int = 0) -> list[Run]:
    """The run that began last, if there is one: one that was copied may have begun before its number."""
    newest = query.order_by(runs.c.started_at.desc(), runs.c.key.desc())
    return runs_found(connection, newest.offset(after).limit(1))


def _before(connection: Connection, query: Select[Any], run: Run) -> list[Run]:
    """The run before the newest one, of the same project and test."""
    same = query.where(projects.c.name == run.test.project, tests.c.name == run.test.name)
    return _newest(connection, same, after=1)


def _has_number_or_id(named: str) -> "ColumnElement[bool]":
    """By what its number or its id is; digits may be either."""
    if named.startswith(BY_NUMBER) and _is_number(number := named.removeprefix(BY_NUMBER)):
        return runs.c.key == int(number)
    if named.startswith(BY_ID):
        return runs.c.id == named.removeprefix(BY_ID)
    by_id = runs.c.id == named
    return (runs.c.key == int(named)) | by_id if _is_number(named) else by_id


def _has_name(named: str) -> "ColumnElement[bool]":
    """By its name; a run without one is not called so."""
    return (runs.c.name == named.removeprefix(BY_NAME)) & (runs.c.name != "")


def _is_number(named: str) -> bool:
    return named.isascii() and named.isdigit() and len(named) < _DIGITS


def _why_not_one(connection: Connection, named: str, found: list[Run], project: str | None) -> str:
    within = "" if project is None else f" in the project `{project}`"
    if found:
        return _why_several(named, found, within)
    if not (latest := _newest(connection, runs_query(project))):
        none = "" if named in (LATEST, PREVIOUS) else f"there is no run `{named}`{within}: "
        return f"{none}no evaluation is kept yet{within}; {_how_to_make_one(connection)}"
    if named == PREVIOUS:
        return _why_no_previous(connection, latest[0], project)
    names = connection.execute(runs_query(project).with_only_columns(runs.c.name).distinct()).scalars()
    close = get_close_matches(named, filter(None, names), n=1, cutoff=0.5)
    hint = f"did you mean `{close[0]}`? " if close else ""
    listed = f"sensecheck history list{store_option(connection.engine.url)}"
    return (
        f"there is no run `{named}`{within}; {hint}wanted its number, `{LATEST}`, `{PREVIOUS}`, its name, "
        f"or its id; `{listed}` shows them"
    )


def _why_several(named: str, found: list[Run], within: str) -> str:
    name = named.removeprefix(BY_NAME)
    if all(run.name == name for run in found):
        numbers = ", ".join(str(run.key) for run in found)
        return f"`{name}` is the name of several runs{within}: {numbers}; name one by its number"
    if _is_number(named):
        other = next(run for run in found if run.id == named)
        return (
            f"`{named}` is the number of a run{within}, and the id of another, the run {other.key}; "
            f"write `{BY_NUMBER}{named}` or `{BY_ID}{named}`"
        )
    return f"`{named}` begins the ids of several runs{within}; write more of it"


def _why_no_previous(connection: Connection, latest: Run, project: str | None) -> str:
    """Why there is no run before the latest."""
    if not _newest(connection, runs_query(project), after=1):
        return "there is one run only; a comparison wants two"
    return (
        f"the run {latest.key} is the only one of the test `{latest.test.name}` of the project "
        f"`{latest.test.project}`; a comparison wants two: name the other one by its number"
    )


def _how_to_make_one(connection: Connection) -> str:
    return f"make one with `sensecheck eval QUESTIONS{store_option(connection.engine.url)}`"
