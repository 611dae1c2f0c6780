"""Finding the run that is meant, by whatever people call it."""

from difflib import get_close_matches
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run, storable
from sensecheck.core.serialization import unknown
from sensecheck.store.address import store_option
from sensecheck.store.engine import reading
from sensecheck.store.runs import runs_found, runs_query
from sensecheck.store.tables import projects, runs, tests

LATEST, PREVIOUS = "latest", "previous"
BY_NUMBER, BY_ID, BY_NAME = "number:", "id:", "name:"
"""What people write before a word that could be several of these."""
_DIGITS = 10
"""A number of a run has fewer."""


def find_run(engine: Engine, named: str, *, project: str | None = None) -> Run:
    """The run that is meant: by number, as `latest` or `previous`, by name, by its id or how that begins.

    Digits are the number, unless they are also the id of another run, which one that was copied may have:
    `number:7`, `id:7` and `name:7` say which is meant.
    """
    with reading(engine) as connection:
        found = _meant(connection, runs_query(project), storable(named)) if named else []
        if not found and project is not None:
            _must_be_a_project(connection, project)
        if len(found) != 1:
            raise SpecError(_not_one(connection, named, found, project))
    return found[0]


def must_be_a_project(engine: Engine, name: str) -> None:
    """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
    with reading(engine) as connection:
        _must_be_a_project(connection, name)


def _must_be_a_project(connection: Connection, name: str) -> None:
    known = list(connection.execute(select(projects.c.name)).scalars())
    if not known:
        raise SpecError(f"there is no project `{name}`: no evaluation is kept yet; {_make_one(connection)}")
    if storable(name) not in known:
        raise SpecError(unknown("project", name, known))


def _meant(connection: Connection, query: Select[Any], named: str) -> list[Run]:
    if named in (LATEST, PREVIOUS):
        latest = _newest(connection, query)
        return latest if named == LATEST or not latest else _before(connection, query, latest[0])
    for where in (_is_known_by(named), _is_called(named)):
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


def _is_known_by(named: str) -> "ColumnElement[bool]":
    """By what its number or its id is; digits may be either."""
    if named.startswith(BY_NUMBER) and _is_number(number := named.removeprefix(BY_NUMBER)):
        return runs.c.key == int(number)
    if named.startswith(BY_ID):
        return runs.c.id == named.removeprefix(BY_ID)
    by_id = runs.c.id == named
    return (runs.c.key == int(named)) | by_id if _is_number(named) else by_id


def _is_called(named: str) -> "ColumnElement[bool]":
    """By its name; a run without one is not called so."""
    return (runs.c.name == named.removeprefix(BY_NAME)) & (runs.c.name != "")


def _is_number(named: str) -> bool:
    return named.isascii() and named.isdigit() and len(named) < _DIGITS


def _not_one(connection: Connection, named: str, found: list[Run], project: str | None) -> str:
    within = "" if project is None else f" in the project `{project}`"
    if found:
        return _several(named, found, within)
    if not (latest := _newest(connection, runs_query(project))):
        none = "" if named in (LATEST, PREVIOUS) else f"there is no run `{named}`{within}: "
        return f"{none}no evaluation is kept yet{within}; {_make_one(connection)}"
    if named == PREVIOUS:
        return _alone(connection, latest[0], project)
    names = connection.execute(runs_query(project).with_only_columns(runs.c.name).distinct()).scalars()
    close = get_close_matches(named, filter(None, names), n=1, cutoff=0.5)
    hint = f"did you mean `{close[0]}`? " if close else ""
    listed = f"sensecheck history list{store_option(connection.engine.url)}"
    return (
        f"there is no run `{named}`{within}; {hint}wanted its number, `{LATEST}`, `{PREVIOUS}`, its name, "
        f"or its id; `{listed}` shows them"
    )


def _make_one(connection: Connection) -> str:
    return f"make one with `sensecheck eval QUESTIONS{store_option(connection.engine.url)}`"


def _several(named: str, found: list[Run], within: str) -> str:
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


def _alone(connection: Connection, latest: Run, project: str | None) -> str:
    """Why there is no run before the latest."""
    if not _newest(connection, runs_query(project), after=1):
        return "there is one run only; a comparison wants two"
    return (
        f"the run {latest.key} is the only one of the test `{latest.test.name}` of the project "
        f"`{latest.test.project}`; a comparison wants two: name the other one by its number"
    )
