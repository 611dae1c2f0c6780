"""Whether a database is as it should be: its tables, its triggers, and the rows in them."""

from collections.abc import Iterator
from dataclasses import dataclass

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Engine, func, inspect, select, text

from sensecheck.core.errors import SpecError
from sensecheck.store.address import store_option
from sensecheck.store.migrations.base import (
    HEAD,
    REVISIONS,
    DatabaseState,
    check_owner,
    check_revision,
    connected,
    database_state,
)
from sensecheck.store.migrations.online import trigger_name
from sensecheck.store.service_tables import metadata
from sensecheck.store.tables import answers, batches, evals, runs

CHANGEABLE = ("projects", "api_keys", "daily_figures", "idempotency")


@dataclass(frozen=True, slots=True)
class IntegrityFinding:
    """One thing that was checked."""

    name: str
    sound: bool
    says: str
    hint: str = ""
    """What to do, where something is wrong."""


def check(engine: Engine) -> Iterator[IntegrityFinding]:
    """Look at everything, the slow things last; at another revision there is nothing else to see."""
    revision = _revision(engine, database_state(engine))
    yield revision
    if not revision.sound:
        return
    with connected(engine) as connection:
        yield _tables(connection)
        yield _view(connection)
        yield _guards(connection)
        if connection.dialect.name == "postgresql":
            yield _indexes(connection)
        else:
            yield _file(connection)
        yield _rows(connection)


def _revision(engine: Engine, state: DatabaseState) -> IntegrityFinding:
    try:
        check_owner(engine.url, state, frozenset(metadata.tables))
        check_revision(engine.url, state, REVISIONS)
    except SpecError as error:
        return IntegrityFinding("revision", False, str(error))
    upgrade = f"sensecheck db upgrade{store_option(engine.url)}"
    if state.revision is None:
        return IntegrityFinding("revision", False, "there are no tables yet", upgrade)
    if state.revision != HEAD:
        return IntegrityFinding("revision", False, f"must be `{HEAD}`; got `{state.revision}`", upgrade)
    return IntegrityFinding("revision", True, f"{HEAD}, the newest")


def _tables(connection: Connection) -> IntegrityFinding:
    def ours(name: str | None, kind: str, _: object) -> bool:
        return kind != "table" or name in metadata.tables

    options = {"include_name": ours, "compare_server_default": True}
    differences = compare_metadata(MigrationContext.configure(connection, opts=options), metadata)
    if differences:
        return _wrong("tables", f"{len(differences)} differences, the first: {_in_words(differences[0])}")
    return IntegrityFinding(
        "tables", True, f"{len(metadata.tables)}, each with the columns and indexes that it should have"
    )


def _in_words(difference: object) -> str:
    """The kind of the difference, and what it is about."""
    if isinstance(difference, list) and difference:
        return _in_words(difference[0])
    if not isinstance(difference, tuple):
        return str(difference)
    kind, *about = difference
    names = (
        str(getattr(item, "name", item)) for item in about if isinstance(item, str) or hasattr(item, "name")
    )
    return f"{str(kind).replace('_', ' ')}: {', '.join(f'`{name}`' for name in names)}"


def _view(connection: Connection) -> IntegrityFinding:
    inspector, expected = inspect(connection), [column.name for column in evals.c]
    if evals.name not in inspector.get_view_names():
        return _wrong("view", f"`{evals.name}` is missing")
    actual = [column["name"] for column in inspector.get_columns(evals.name)]
    if actual != expected:
        return _wrong("view", f"`{evals.name}` has other columns: {', '.join(actual)}")
    return IntegrityFinding("view", True, f"{evals.name}, {len(actual)} columns")


def _guards(connection: Connection) -> IntegrityFinding:
    expected = {(table, trigger_name(table)) for table in metadata.tables if table not in CHANGEABLE}
    query = {
        "postgresql": (
            "SELECT c.relname, t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid "
            "WHERE t.tgenabled IN ('O', 'A') AND c.relnamespace = current_schema()::regnamespace"
        ),
        "sqlite": "SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'",
    }[connection.dialect.name]
    actual = {(table, name) for table, name in connection.execute(text(query))}
    missing = sorted(name for _, name in expected - actual)
    if missing:
        return _wrong("guards", f"rows can be changed: the triggers {', '.join(missing)} are missing or off")
    return IntegrityFinding("guards", True, f"{len(expected)} tables whose rows cannot be changed")


def _indexes(connection: Connection) -> IntegrityFinding:
    query = (
        "SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid "
        "WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace"
    )
    broken = list(connection.execute(text(query)).scalars())
    if broken:
        hint = "; ".join(f"REINDEX INDEX CONCURRENTLY {name}" for name in broken)
        return IntegrityFinding("indexes", False, f"half built: {', '.join(broken)}", hint)
    return IntegrityFinding("indexes", True, "all of them whole")


def _file(connection: Connection) -> IntegrityFinding:
    damage = connection.exec_driver_sql("PRAGMA integrity_check(1)").scalar_one()
    if damage != "ok":
        return _wrong("file", f"it is damaged: {str(damage).splitlines()[0]}")
    dangling = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if dangling is not None:
        return _wrong("file", f"rows of `{dangling[0]}` point at rows of `{dangling[2]}` that are not there")
    return IntegrityFinding("file", True, "undamaged, and every row points at rows that are there")


def _rows(connection: Connection) -> IntegrityFinding:
    written = select(batches.c.run, func.sum(batches.c.size).label("n")).group_by(batches.c.run).subquery()
    stored = select(answers.c.run, func.count().label("n")).group_by(answers.c.run).subquery()
    query = (
        select(runs.c.key)
        .outerjoin(written, written.c.run == runs.c.key)
        .outerjoin(stored, stored.c.run == runs.c.key)
        .where(func.coalesce(written.c.n, 0) != func.coalesce(stored.c.n, 0))
        .order_by(runs.c.key)
    )
    differing = list(connection.execute(query).scalars())
    if differing:
        names = ", ".join(map(str, differing[:5]))
        return _wrong(
            "rows", f"{len(differing)} runs have more or fewer answers than were written to them: {names}"
        )
    counted = connection.execute(select(func.count()).select_from(runs)).scalar_one()
    return IntegrityFinding(
        "rows", True, f"runs: {counted:,}, each with all the answers that were written to it"
    )


def _wrong(name: str, says: str) -> IntegrityFinding:
    return IntegrityFinding(name, False, says, "restore a backup of the database, or fix it by hand")
