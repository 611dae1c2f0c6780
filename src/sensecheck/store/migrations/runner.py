"""Apply or undo revisions, one process at a time, and keep every row."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from sqlite3 import SQLITE_BUSY, OperationalError
from time import monotonic, sleep
from typing import Literal

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection, Engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry

from sensecheck.core.errors import SensecheckError, SpecError, StorageError
from sensecheck.core.serialization import did_you_mean
from sensecheck.io.retry import RetryPolicy, run_with_retries
from sensecheck.store.address import shown, store_option
from sensecheck.store.engine import SECONDS_FOR_A_LOCK, engine_of, writing
from sensecheck.store.migrations.base import (
    FOLDER,
    VERSION_TABLE,
    VERSIONS_FOLDER,
    DatabaseState,
    OnProgress,
    check_owner,
    check_revision,
    database_state,
    silent,
    state_of,
)
from sensecheck.store.migrations.online import SESSION
from sensecheck.store.retry import first_line
from sensecheck.store.service_tables import metadata

Direction = Literal["up", "down"]
HEAD_WORD, BASE_WORD = "head", "base"
MAX_WAIT_SECONDS = 1800.0
_PAUSE_SECONDS = 0.2
WRITE_AHEAD_RETRIES = RetryPolicy(first_pause=0.01, max_pause=0.01, seconds=SECONDS_FOR_A_LOCK)
_LOCK_KEY = 0x73656E7365  # "sense" in ASCII, unlikely to be taken by another program in a shared database


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """The revision of a database before and after."""

    store: str
    """Its address, without a password."""
    before: str | None
    after: str | None
    steps: tuple[str, ...]
    """The revisions that were applied, or undone; none where there was nothing to do."""


@dataclass(frozen=True, slots=True)
class MigrationRunner:
    """Takes a database to another revision."""

    url: URL
    progress: OnProgress = silent
    versions: Sequence[Path] = (VERSIONS_FOLDER,)
    """The folders of the revisions."""

    def migrate(self, direction: Direction, to: str) -> MigrationResult:
        """Go there: one transaction per revision, or on SQLite one for all of them.

        A downgrade that one of its revisions refuses undoes none. Raises `StorageError` where a revision
        fails, and reports at which one the database is.
        """
        state = self._state()
        if not self._plan(state, direction, to):
            return MigrationResult(shown(self.url), state.revision, state.revision, ())
        with self._failures(direction), exclusive(self.url, self.progress) as connection:
            state = state_of(connection)
            steps = self._plan(state, direction, to)
            if direction == "down":
                self._check_downgrades(connection, steps)
            if connection.dialect.name == "postgresql":
                connection.commit()  # it has only read; each revision begins its own transaction
            for step in steps:
                self._apply(connection, direction, step)
            if direction == "down" and to == BASE_WORD:
                connection.exec_driver_sql(f"DROP TABLE IF EXISTS {VERSION_TABLE}")
            if connection.dialect.name == "postgresql":
                connection.commit()
            after = state_of(connection).revision  # read before another process may change it
        return MigrationResult(shown(self.url), state.revision, after, steps)

    def as_sql(self, to: str) -> str:
        """The revisions from where the database is, as SQL to read or to run by hand."""
        state = self._state()
        if not self._plan(state, "up", to):
            return ""
        script, config = StringIO(), self._config()
        config.output_buffer = script
        dialect = self.url.get_backend_name()
        first = SESSION if dialect == "postgresql" else ()
        config.attributes |= {"dialect": dialect, "first": first}
        command.upgrade(config, f"{state.revision or BASE_WORD}:{to}", sql=True)
        return script.getvalue()

    def known(self) -> tuple[str, ...]:
        """All revisions, the oldest first."""
        scripts = ScriptDirectory.from_config(self._config()).walk_revisions()
        return tuple(script.revision for script in scripts)[::-1]

    def _plan(self, state: DatabaseState, direction: Direction, to: str) -> tuple[str, ...]:
        """The revisions to apply, or to undo, in their order; `SpecError` where none lead there."""
        revisions = self.known()
        check_owner(self.url, state, frozenset(metadata.tables))
        check_revision(self.url, state, revisions)
        if to not in (*revisions, HEAD_WORD, BASE_WORD):
            raise SpecError(did_you_mean("revision", to, (*revisions, HEAD_WORD, BASE_WORD)))
        target = {HEAD_WORD: len(revisions), BASE_WORD: 0}.get(to)
        target = revisions.index(to) + 1 if target is None else target
        current = 0 if state.revision is None else revisions.index(state.revision) + 1
        at = f"`{shown(self.url)}` is at `{state.revision or BASE_WORD}`"
        if direction == "up" and target < current:
            raise SpecError(f"{at}, after `{to}`; to go back, run `{self._command('downgrade', to)}`")
        if direction == "down" and target > current:
            raise SpecError(f"{at}, before `{to}`; to get there, run `{self._command('upgrade', to)}`")
        return revisions[current:target] if direction == "up" else revisions[target:current][::-1]

    def _command(self, verb: str, to: str) -> str:
        return f"sensecheck db {verb} --to {to}{store_option(self.url)}"

    def _check_downgrades(self, connection: Connection, steps: Sequence[str]) -> None:
        """Ask each revision that is to be undone, before the first one is: each commits by itself."""
        scripts = ScriptDirectory.from_config(self._config())
        for step in steps:
            script = scripts.get_revision(step)
            check = getattr(script.module, "check_downgrade", None) if script is not None else None
            if check is not None:
                check(connection)

    def _apply(self, connection: Connection, direction: Direction, step: str) -> None:
        config = self._config()
        config.attributes |= {"connection": connection, "progress": self.progress}
        script = ScriptDirectory.from_config(config).get_revision(step)
        if script is None:
            raise StorageError(f"the file of the revision `{step}` is gone")
        self.progress(f"{'to' if direction == 'up' else 'back from'} {step}: {script.doc}")
        if direction == "up":
            command.upgrade(config, step)
        else:
            command.downgrade(config, str(script.down_revision or BASE_WORD))

    @contextmanager
    def _failures(self, direction: Direction) -> Iterator[None]:
        """Report what goes wrong with the revision at which the database is."""
        try:
            yield
        except (SQLAlchemyError, CommandError, SensecheckError) as error:
            reason = first_line(error) if isinstance(error, DBAPIError) else str(error)
            message = f"the {direction}grade of `{shown(self.url)}` failed: {reason}; {self._position()}"
            raise (SpecError if isinstance(error, SpecError) else StorageError)(message) from error

    def _position(self) -> str:
        try:
            revision = self._state().revision or BASE_WORD
        except SensecheckError:
            check = f"sensecheck db check{store_option(self.url)}"
            return f"its revision is unknown, since it does not answer; run `{check}`"
        return f"it is at the revision `{revision}`, and no row was lost; fix the cause, then run it again"

    def _state(self) -> DatabaseState:
        engine = engine_of(self.url)
        try:
            return database_state(engine)
        finally:
            engine.dispose()

    def _config(self) -> Config:
        config = Config()
        folders = "\n".join(str(folder) for folder in self.versions)
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", folders.replace("%", "%%"))
        return config


@contextmanager
def exclusive(url: URL, progress: OnProgress) -> Iterator[Connection]:
    """A connection while no other process migrates this database; the next one waits, and finds it done."""
    engine = engine_of(url)
    try:
        with _sqlite(engine) if engine.dialect.name == "sqlite" else _postgresql(engine, progress) as opened:
            yield opened
    finally:
        engine.dispose()


@contextmanager
def _sqlite(engine: Engine) -> Iterator[Connection]:
    """All revisions in one transaction: it waits for other writers, and keeps them out."""
    Path(engine.url.database or "").absolute().parent.mkdir(parents=True, exist_ok=True)
    event.listen(engine, "connect", _write_ahead)
    with writing(engine) as connection:
        yield connection


@contextmanager
def _postgresql(engine: Engine, progress: OnProgress) -> Iterator[Connection]:
    """The lock belongs to the session: it outlasts transactions, and ends with the connection."""
    with engine.connect() as connection:
        for setting in SESSION:
            connection.exec_driver_sql(setting)
        connection.commit()
        _wait_for_lock(connection, progress)
        yield connection


def _wait_for_lock(connection: Connection, progress: OnProgress) -> None:
    """Ask again and again: one long query that waits would block an index that is built concurrently."""
    deadline, reported = monotonic() + MAX_WAIT_SECONDS, False
    while not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _LOCK_KEY}).scalar_one():
        connection.commit()
        if monotonic() > deadline:
            raise StorageError(
                f"another process has been migrating this database for {MAX_WAIT_SECONDS:g} seconds"
            )
        if not reported:
            progress("another process is migrating this database; waiting for it")
        reported = True
        sleep(_PAUSE_SECONDS)
    connection.commit()


def _write_ahead(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    """Readers do not wait for writers: the file itself remembers that, for whoever opens it later.

    SQLite does not wait for its lock here when another one changes the same file: it is asked again.
    """
    with closing(connection.cursor()) as cursor:
        run_with_retries(
            WRITE_AHEAD_RETRIES,
            lambda: cursor.execute("PRAGMA journal_mode = WAL"),
            errors=OperationalError,
            is_transient=lambda error: error.sqlite_errorcode & 0xFF == SQLITE_BUSY,
        )
