"""Going from one step to another, up or down, with all that is kept."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from sensecheck.core.errors import NotKept, SensecheckError, SpecError
from sensecheck.store.address import shown
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.found import Found, look, look_at
from sensecheck.store.migrations.locks import SESSION
from sensecheck.store.migrations.planning import BASE_WORD, Way, must_be_ours, planned
from sensecheck.store.migrations.revisions import FOLDER, SHIPPED
from sensecheck.store.migrations.telling import Step, Tell, nobody
from sensecheck.store.migrations.turns import one_at_a_time
from sensecheck.store.schema import metadata
from sensecheck.store.waiting import first_line


@dataclass(frozen=True, slots=True)
class Moved:
    """Where a database was, and where it is now."""

    store: str
    """Its address, without a password."""
    before: str | None
    after: str | None
    steps: tuple[str, ...]
    """Those that were made, or undone; none where it was there already."""


@dataclass(frozen=True, slots=True)
class Mover:
    """Who brings a database to another step."""

    url: URL
    tell: Tell = nobody
    versions: Sequence[Path] = (SHIPPED,)
    """The folders of the steps."""

    def move(self, way: Way, to: str) -> Moved:
        """Go there: a step is one transaction, or on SQLite all of them are.

        Raises `NotKept` where a step fails, and says at which one the database is.
        """
        found = self._look()
        if not self._plan(found, way, to):
            return Moved(shown(self.url), found.revision, found.revision, ())
        with self._loudly(way), one_at_a_time(self.url, self.tell) as connection:
            found = look_at(connection)
            steps = self._plan(found, way, to)
            if connection.dialect.name == "postgresql":
                connection.commit()  # it has only read; each step begins its own transaction
            for step in steps:
                self._make(connection, way, step)
        return Moved(shown(self.url), found.revision, self._look().revision, steps)

    def written(self, to: str) -> str:
        """The steps from where the database is, as SQL for people to read or to run themselves."""
        found = self._look()
        if not self._plan(found, "up", to):
            return ""
        text, config = StringIO(), self._config()
        config.output_buffer = text
        dialect = self.url.get_backend_name()
        first = SESSION if dialect == "postgresql" else ()
        config.attributes |= {"dialect": dialect, "first": first}
        command.upgrade(config, f"{found.revision or BASE_WORD}:{to}", sql=True)
        return text.getvalue()

    def known(self) -> tuple[str, ...]:
        """The names of all steps, the oldest first."""
        every = ScriptDirectory.from_config(self._config()).walk_revisions()
        return tuple(script.revision for script in every)[::-1]

    def _plan(self, found: Found, way: Way, to: str) -> tuple[str, ...]:
        must_be_ours(self.url, found, frozenset(metadata.tables))
        return planned(self.url, found, self.known(), way, to)

    def _make(self, connection: Connection, way: Way, step: str) -> None:
        config = self._config()
        config.attributes |= {"connection": connection, "tell": self.tell}
        script = ScriptDirectory.from_config(config).get_revision(step)
        if script is None:
            raise NotKept(f"the step `{step}` is gone")
        self.tell(Step(f"{'to' if way == 'up' else 'back from'} {step}: {script.doc}"))
        if way == "up":
            command.upgrade(config, step)
        else:
            command.downgrade(config, str(script.down_revision or BASE_WORD))

    @contextmanager
    def _loudly(self, way: Way) -> Iterator[None]:
        """What goes wrong is told with the step at which the database is."""
        try:
            yield
        except (SQLAlchemyError, CommandError, SensecheckError) as wrong:
            said = first_line(wrong) if isinstance(wrong, DBAPIError) else str(wrong)
            word = f"the {way}grade of `{shown(self.url)}` failed: {said}; {self._where()}"
            raise (SpecError if isinstance(wrong, SpecError) else NotKept)(word) from wrong

    def _where(self) -> str:
        try:
            at = self._look().revision or BASE_WORD
        except SensecheckError:
            return "where it stands is not known, since it does not answer; look with `sensecheck db check`"
        return f"it is at the revision `{at}`, with all that it held; mend that, then go on from there"

    def _look(self) -> Found:
        engine = engine_of(self.url)
        try:
            return look(engine)
        finally:
            engine.dispose()

    def _config(self) -> Config:
        config = Config()
        folders = "\n".join(str(folder) for folder in self.versions)
        config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
        config.set_main_option("path_separator", "newline")
        config.set_main_option("version_locations", folders.replace("%", "%%"))
        return config
