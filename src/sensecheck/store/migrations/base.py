"""Revisions, progress, and what state a database is in, without alembic: opening a store needs no more."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from sqlalchemy import URL, Connection, Engine, Text, column, inspect, select, table
from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError

from sensecheck.core.errors import SpecError, Unreachable
from sensecheck.store.address import shown, store_option
from sensecheck.store.retry import first_line, is_away

REVISIONS = ("v0001", "v0002")
"""The oldest first; listed here so that a store is opened without loading them."""
HEAD = REVISIONS[-1]
DEVELOPMENT_REVISIONS = ("0001", "0002", "0003")
"""Made before the first release, and squashed into `v0001`; no upgrade leads from them."""
FOLDER = Path(__file__).parent
VERSIONS_FOLDER = FOLDER / "versions"
VERSION_TABLE = "sensecheck_version"
"""Our own: a shared database may have the `alembic_version` of another program."""
VIEW = "evals"
_NO_DATABASE = re.compile(r'database ".*" does not exist')
"""What PostgreSQL says; the driver has no code for what goes wrong while it connects."""


OnProgress = Callable[[str], None]
"""Called with a sentence about what a migration does now."""


def silent(_: str) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """The tables of a database, and the revision that made them."""

    revision: str | None
    """None where no revision was applied."""
    names: frozenset[str]
    """All tables and views, also those of other programs."""


@contextmanager
def connected(engine: Engine) -> Iterator[Connection]:
    """A connection; what goes wrong is reported without a password."""
    where = shown(engine.url)
    try:
        connection = engine.connect()
    except (OperationalError, InterfaceError) as error:
        reason, hint = first_line(error), _what_to_do(engine.url, error)
        raise Unreachable(f"the store `{where}` cannot be reached: {reason}; {hint}") from None
    except DatabaseError as error:
        raise SpecError(f"`{where}` is no store: {first_line(error)}") from None
    try:
        with connection:
            yield connection
    except DBAPIError as error:
        if is_away(error):
            raise Unreachable(f"the store `{where}` went away: {first_line(error)}") from None
        raise SpecError(f"the store `{where}` cannot be read: {first_line(error)}") from None


def _what_to_do(url: URL, error: DBAPIError) -> str:
    """Make a database that is not there, or name another one."""
    another = "name another one with SENSECHECK_STORE or `--store`"
    if _NO_DATABASE.search(str(error.orig)):
        upgrade = f"sensecheck db upgrade{store_option(url)}"
        return f"make it with `createdb {quote(url.database or '')}`, then `{upgrade}`, or {another}"
    return f"start it, or {another}"


def database_state(engine: Engine) -> DatabaseState:
    """The state of a database; a file that does not exist is not created by looking."""
    if engine.dialect.name == "sqlite" and not Path(engine.url.database or "").exists():
        return DatabaseState(None, frozenset())
    with connected(engine) as connection:
        return state_of(connection)


def state_of(connection: Connection) -> DatabaseState:
    """The state of a database, by a connection that is open."""
    inspector = inspect(connection)
    names = frozenset((*inspector.get_table_names(), *inspector.get_view_names()))
    if VERSION_TABLE not in names:
        return DatabaseState(None, names)
    version = select(column("version_num", Text)).select_from(table(VERSION_TABLE))
    return DatabaseState(connection.execute(version).scalar_one_or_none(), names)


def check_revision(url: URL, state: DatabaseState, known: Sequence[str]) -> None:
    """Raise `SpecError` for a revision that this version does not know."""
    if state.revision is None or state.revision in known:
        return
    at = f"`{shown(url)}` is at the revision `{state.revision}`"
    if state.revision in DEVELOPMENT_REVISIONS:
        raise SpecError(
            f"{at}, made by a development version from before the first release, and cannot be upgraded; "
            "create a new database: name another one with `--store`, or delete this one, "
            "then run `sensecheck db upgrade`"
        )
    raise SpecError(
        f"{at}, which this version does not know (it knows up to `{known[-1]}`): a later version made it; "
        "upgrade sensecheck itself"
    )


def check_owner(url: URL, state: DatabaseState, ours: frozenset[str]) -> None:
    """Raise `SpecError` for tables of another program where ours would be."""
    others = state.names - {VERSION_TABLE}
    in_the_way = others if url.get_backend_name() == "sqlite" else others & (ours | {VIEW})
    if state.revision is None and in_the_way:
        names = ", ".join(f"`{name}`" for name in sorted(in_the_way)[:5])
        raise SpecError(
            f"`{shown(url)}` holds tables that sensecheck did not make: {names}; name another database"
        )
