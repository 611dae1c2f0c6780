"""The tables of a database: created, upgraded, downgraded and checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Engine

from sensecheck.core.errors import SensecheckError, SpecError
from sensecheck.store.address import as_written, database_url, store_option
from sensecheck.store.migrations.base import (
    HEAD,
    REVISIONS,
    VERSIONS_FOLDER,
    OnProgress,
    check_owner,
    check_revision,
    database_state,
    silent,
)
from sensecheck.store.service_tables import metadata

if TYPE_CHECKING:
    from sensecheck.store.migrations.integrity import IntegrityFinding
    from sensecheck.store.migrations.runner import MigrationResult


# ruff: noqa: PLC0415 - a store that is up to date is opened without alembic


@dataclass(frozen=True, slots=True)
class Status:
    """Which revision a database is at, and which ones are to come."""

    found: str | None
    head: str
    pending: tuple[str, ...]


def make_ready(engine: Engine) -> None:
    """Raise `SpecError` unless the tables are those of this version; those of a new file are created."""
    try:
        _check_tables(engine)
    except SensecheckError:
        engine.dispose()  # no one closes what could not be opened
        raise


def status(engine: Engine) -> Status:
    """The revision of a database; `SpecError` for one of another program or version."""
    state = database_state(engine)
    check_owner(engine.url, state, frozenset(metadata.tables))
    check_revision(engine.url, state, REVISIONS)
    done = 0 if state.revision is None else REVISIONS.index(state.revision) + 1
    return Status(state.revision, HEAD, REVISIONS[done:])


def upgrade(
    address: str,
    to: str = "head",
    *,
    progress: OnProgress = silent,
    versions: Sequence[Path] = (VERSIONS_FOLDER,),
) -> "MigrationResult":
    """Take the tables to the newest revision, or to another one; every row stays."""
    from sensecheck.store.migrations.runner import MigrationRunner

    return MigrationRunner(database_url(address), progress, versions).migrate("up", to)


def downgrade(
    address: str, to: str, *, progress: OnProgress = silent, versions: Sequence[Path] = (VERSIONS_FOLDER,)
) -> "MigrationResult":
    """Take the tables back to an earlier revision; every row stays."""
    from sensecheck.store.migrations.runner import MigrationRunner

    return MigrationRunner(database_url(address), progress, versions).migrate("down", to)


def upgrade_in_sql(address: str, to: str = "head") -> str:
    """What `upgrade` would do, as SQL; nothing is done."""
    from sensecheck.store.migrations.runner import MigrationRunner

    return MigrationRunner(database_url(address)).as_sql(to)


def check(engine: Engine) -> "Iterator[IntegrityFinding]":
    """Check whether the tables are what they should be, and whether their rows belong together."""
    from sensecheck.store.migrations import integrity

    return integrity.check(engine)


def _check_tables(engine: Engine) -> None:
    state = database_state(engine)
    if state.revision == HEAD:
        return
    if not state.names and engine.dialect.name == "sqlite":
        from sensecheck.store.migrations.runner import MigrationRunner

        MigrationRunner(engine.url).migrate("up", "head")
        return
    found, address = status(engine).found, as_written(engine.url)
    hint = f"run `sensecheck db upgrade{store_option(engine.url)}`"
    if found is None:
        raise SpecError(f"`{address}` has no tables of sensecheck yet; {hint}")
    if found != HEAD:  # else someone has just upgraded it
        raise SpecError(f"`{address}` is at the revision `{found}`, and this version needs `{HEAD}`; {hint}")
