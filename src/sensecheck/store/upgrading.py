"""The tables of a database: made, brought up to date, and found to be so."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from sqlalchemy import URL, Engine

from sensecheck.core.errors import SensecheckError, SpecError
from sensecheck.store.address import database_url
from sensecheck.store.default import DEFAULT_STORE
from sensecheck.store.migrations.found import look
from sensecheck.store.migrations.planning import must_be_known, must_be_ours
from sensecheck.store.migrations.revisions import HEAD, REVISIONS, SHIPPED
from sensecheck.store.migrations.telling import Tell, nobody
from sensecheck.store.schema import metadata

if TYPE_CHECKING:
    from sensecheck.store.migrations.checking import Looked
    from sensecheck.store.migrations.moving import Moved

# ruff: noqa: PLC0415 - a store that is up to date is opened without alembic


@dataclass(frozen=True, slots=True)
class Status:
    """Which revision a database is at, and which ones are to come."""

    found: str | None
    head: str
    pending: tuple[str, ...]


def make_ready(engine: Engine) -> None:
    """Raise `SpecError` unless the tables are those of this version; those of a new file are made."""
    try:
        _must_be_ready(engine)
    except SensecheckError:
        engine.dispose()  # nobody will close what could not be opened
        raise


def _must_be_ready(engine: Engine) -> None:
    found = look(engine)
    if found.revision == HEAD:
        return
    if not found.names and engine.dialect.name == "sqlite":
        from sensecheck.store.migrations.moving import Mover

        Mover(engine.url).move("up", "head")
        return
    _must_be_named(engine, status(engine))


def status(engine: Engine) -> Status:
    """Where a database is; `SpecError` for one of somebody else, or of a later version."""
    found = look(engine)
    must_be_ours(engine.url, found, frozenset(metadata.tables))
    must_be_known(engine.url, found, REVISIONS)
    done = 0 if found.revision is None else REVISIONS.index(found.revision) + 1
    return Status(found.revision, HEAD, REVISIONS[done:])


def upgrade(
    address: str, to: str = "head", *, tell: Tell = nobody, versions: Sequence[Path] = (SHIPPED,)
) -> "Moved":
    """Bring the tables up to date, or to a revision; all that is kept stays."""
    from sensecheck.store.migrations.moving import Mover

    return Mover(database_url(address), tell, versions).move("up", to)


def downgrade(
    address: str, to: str, *, tell: Tell = nobody, versions: Sequence[Path] = (SHIPPED,)
) -> "Moved":
    """Bring the tables back to an earlier revision; all that is kept stays."""
    from sensecheck.store.migrations.moving import Mover

    return Mover(database_url(address), tell, versions).move("down", to)


def upgrade_in_sql(address: str, to: str = "head") -> str:
    """What `upgrade` would do, as SQL; nothing is done."""
    from sensecheck.store.migrations.moving import Mover

    return Mover(database_url(address)).written(to)


def check(engine: Engine) -> "Iterator[Looked]":
    """Whether the tables are what they should be, and what is kept in them makes sense."""
    from sensecheck.store.migrations.checking import check as checked

    return checked(engine)


def _must_be_named(engine: Engine, found: Status) -> None:
    address = as_written(engine.url)
    is_default = engine.url.database == database_url(DEFAULT_STORE).database
    named = "" if is_default else f" --store {quote(address)}"
    do = f"run `sensecheck db upgrade{named}`"
    if found.found is None:
        raise SpecError(f"`{address}` has no tables of sensecheck yet; {do}")
    if found.found != found.head:
        raise SpecError(
            f"`{address}` is at the revision `{found.found}`, and this version wants `{found.head}`; {do}"
        )


def as_written(url: URL) -> str:
    """The address as people write it: without its password, its options, and the name of a driver."""
    plain = url.set(drivername=url.get_backend_name(), query={})
    bare = URL.create(plain.drivername, plain.username, None, plain.host, plain.port, plain.database)
    return bare.render_as_string()
