"""Tables go from one revision to another with all their rows, or stay where they are and say so."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text

from sensecheck.core.errors import SpecError, StorageError, Unreachable
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.record import AnsweredItem
from sensecheck.runs.sql import EvalStore
from sensecheck.store.address import as_written, database_url, shown
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.base import (
    DEVELOPMENT_REVISIONS,
    HEAD,
    REVISIONS,
    VERSION_TABLE,
    VERSIONS_FOLDER,
)
from sensecheck.store.migrations.runner import MigrationResult, MigrationRunner
from sensecheck.store.upgrade import Status, check, downgrade, make_ready, status, upgrade, upgrade_in_sql
from tests.databases import postgresql_database

HALF = '''"""A revision that may fail when it is half done."""

from alembic import op

revision, down_revision = "x001", "{before}"


def upgrade() -> None:
    op.execute("CREATE TABLE half (n INTEGER)")
    op.execute("{then}")


def downgrade() -> None:
    op.execute("DROP TABLE half")
'''


@pytest.fixture
def engine(address: str) -> Iterator[Engine]:
    """The database, whatever tables it has."""
    made = engine_of(database_url(address))
    yield made
    made.dispose()


def filled(engine: Engine) -> list[AnsweredItem]:
    """A run of three answers, in whatever revision the tables are."""
    store = EvalStore(engine)
    chosen = store.keep_set("atlas", [Item(f"What is {n}?", str(n)) for n in range(3)])
    test = store.test("atlas", "nightly", embedding={"encoder": "minilm"}, generation={})
    run = store.begin(test, chosen, encoder="mark-1", conditions={"metrics": ["bleu"]})
    readings = (MetricScore("bleu", 0.1 + 0.2), MetricScore("rouge_l", None, error="it broke"))
    told = [(one, ScoredAnswer(f"It is {one.position}.", readings)) for one in store.questions(chosen)]
    store.writer(run).add(told)
    return kept(engine)


def kept(engine: Engine) -> list[AnsweredItem]:
    store = EvalStore(engine)
    return list(store.answers(store.run("latest")))


def sound(engine: Engine) -> bool:
    return all(looked.sound for looked in check(engine))


def step(folder: Path, then: str) -> tuple[Path, ...]:
    (folder / "x001_half.py").write_text(HALF.format(before=HEAD, then=then), encoding="utf-8")
    return VERSIONS_FOLDER, folder


def test_the_revisions_that_a_store_knows_are_those_in_the_folder(address: str) -> None:
    assert MigrationRunner(database_url(address)).known() == REVISIONS


def test_answers_survive_a_revision_up_and_down(address: str, engine: Engine, tmp_path: Path) -> None:
    upgrade(address)
    before, versions = filled(engine), step(tmp_path, "INSERT INTO half VALUES (1)")

    assert upgrade(address, versions=versions).steps == ("x001",)
    assert kept(engine) == before
    assert downgrade(address, HEAD, versions=versions).steps == ("x001",)
    assert kept(engine) == before
    assert sound(engine)


def test_an_upgrade_of_what_is_up_to_date_does_nothing(address: str, engine: Engine) -> None:
    upgrade(address)

    again = upgrade(address)

    assert (again.before, again.after, again.steps) == (HEAD, HEAD, ())
    assert status(engine) == Status(HEAD, HEAD, ())


def test_a_downgrade_to_base_loses_no_rows(address: str, engine: Engine) -> None:
    upgrade(address)
    before = filled(engine)

    with pytest.raises(SpecError, match=rf"these have rows: `projects`, .* it is at the revision `{HEAD}`"):
        downgrade(address, "base")
    assert kept(engine) == before


def test_a_downgrade_that_is_refused_undoes_none_of_its_revisions(
    address: str, engine: Engine, tmp_path: Path
) -> None:
    upgrade(address)
    before, versions = filled(engine), step(tmp_path, "INSERT INTO half VALUES (1)")
    upgrade(address, versions=versions)

    with pytest.raises(SpecError, match=r"these have rows: .* it is at the revision `x001`"):
        downgrade(address, "base", versions=versions)

    assert revision_in(engine) == "x001"
    with engine.connect() as connection:
        assert connection.execute(text("SELECT n FROM half")).scalar_one() == 1
    assert kept(engine) == before


@pytest.mark.parametrize(("to", "steps"), [(HEAD, ("x001",)), ("base", ("x001", *REVISIONS[::-1]))])
def test_after_a_downgrade_the_database_is_at_the_revision_that_was_named(
    address: str, engine: Engine, tmp_path: Path, to: str, steps: tuple[str, ...]
) -> None:
    versions = step(tmp_path, "INSERT INTO half VALUES (1)")
    upgrade(address, versions=versions)

    done = downgrade(address, to, versions=versions)

    assert done == MigrationResult(shown(engine.url), "x001", None if to == "base" else to, steps)
    assert revision_in(engine) == done.after


def revision_in(engine: Engine) -> str | None:
    """The revision that stands in the database itself."""
    with engine.connect() as connection:
        if not inspect(connection).has_table(VERSION_TABLE):
            return None
        found = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one()
        return str(found)


def test_a_downgrade_to_base_drops_all_that_was_made_and_it_can_be_made_again(
    address: str, engine: Engine
) -> None:
    upgrade(address)

    assert downgrade(address, "base") == MigrationResult(shown(engine.url), HEAD, None, REVISIONS[::-1])

    assert objects(engine) == []
    assert status(engine) == Status(None, HEAD, REVISIONS)
    assert downgrade(address, "base").steps == ()
    upgrade(address)
    assert sound(engine)


def objects(engine: Engine) -> list[str]:
    """The names of everything in a database: tables, indexes, views, triggers, functions."""
    query = {
        "sqlite": "SELECT name FROM sqlite_master",
        "postgresql": (
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace "
            "UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        ),
    }[engine.dialect.name]
    with engine.connect() as connection:
        return list(connection.execute(text(query)).scalars())


@pytest.mark.parametrize("revision", DEVELOPMENT_REVISIONS)
def test_a_database_of_a_development_version_is_refused_with_what_to_do(
    address: str, engine: Engine, revision: str
) -> None:
    upgrade(address)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '{revision}'"))
    before = objects(engine)

    for ask in (
        lambda: EvalStore.open(address),
        lambda: make_ready(engine),
        lambda: status(engine),
        lambda: upgrade(address),
        lambda: upgrade_in_sql(address),
        lambda: downgrade(address, "base"),
    ):
        with pytest.raises(SpecError) as refused:
            ask()
        assert str(refused.value) == (
            f"`{shown(engine.url)}` is at the revision `{revision}`, made by a development version from "
            "before the first release, and cannot be upgraded; create a new database: name another one with "
            "`--store`, or delete this one, then run `sensecheck db upgrade`"
        )
    (finding,) = check(engine)
    assert (finding.sound, finding.says) == (False, str(refused.value))
    assert objects(engine) == before


def test_a_step_that_fails_leaves_the_revision_before_it_and_says_so(
    address: str, engine: Engine, tmp_path: Path
) -> None:
    upgrade(address)
    before = filled(engine)

    with pytest.raises(
        StorageError, match=rf"upgrade of .* failed: .*nowhere.*; it is at the revision `{HEAD}`"
    ):
        upgrade(address, versions=step(tmp_path, "INSERT INTO nowhere VALUES (1)"))

    assert sound(engine)
    assert kept(engine) == before
    with engine.connect() as connection, pytest.raises(Exception, match="half"):
        connection.execute(text("SELECT * FROM half"))


def test_a_step_that_was_mended_goes_on_from_there(address: str, tmp_path: Path) -> None:
    upgrade(address)
    with pytest.raises(StorageError):
        upgrade(address, versions=step(tmp_path, "INSERT INTO nowhere VALUES (1)"))

    assert upgrade(address, versions=step(tmp_path, "INSERT INTO half VALUES (1)")).steps == ("x001",)


def test_tables_of_a_later_version_are_not_touched(address: str, engine: Engine, tmp_path: Path) -> None:
    upgrade(address, versions=step(tmp_path, "INSERT INTO half VALUES (1)"))

    for ask in (lambda: make_ready(engine), lambda: upgrade(address), lambda: downgrade(address, HEAD)):
        with pytest.raises(SpecError, match=r"the revision `x001`, which this version does not know"):
            ask()
    assert not sound(engine)


def test_tables_of_an_earlier_version_are_not_opened(address: str) -> None:
    upgrade(address, "v0001")

    with pytest.raises(
        SpecError, match=f"revision `v0001`, and this version needs `{HEAD}`; run `sensecheck db upgrade"
    ):
        EvalStore.open(address)


def test_tables_of_somebody_else_are_not_touched(address: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE evals (id TEXT)"))

    with pytest.raises(SpecError, match="holds tables that sensecheck did not make: `evals`"):
        EvalStore.open(address)
    with pytest.raises(SpecError, match="holds tables that sensecheck did not make: `evals`"):
        upgrade(address)


@pytest.mark.database
def test_a_new_file_gets_its_tables_and_an_empty_server_is_asked_for_first(tmp_path: Path) -> None:
    EvalStore.open(str(tmp_path / "deep" / "new.sqlite3")).close()

    with postgresql_database() as address:
        with pytest.raises(SpecError) as told:
            EvalStore.open(address)
        where = f"postgresql://{address.partition('://')[2]}"
        assert str(told.value) == (
            f"`{where}` has no tables of sensecheck yet; run `sensecheck db upgrade --store {where}`"
        )


@pytest.mark.parametrize(
    ("to", "says"),
    [
        ("v0009", f"`v0009` is not a known revision; did you mean `{HEAD}`"),
        ("base", f"is at `{HEAD}`, after `base`"),
    ],
)
def test_a_revision_that_is_none_is_told(address: str, to: str, says: str) -> None:
    upgrade(address)

    with pytest.raises(SpecError, match=says):
        upgrade(address, to)


def test_a_hint_names_the_revision_and_the_store(address: str, engine: Engine) -> None:
    upgrade(address)

    with pytest.raises(SpecError) as caught:
        upgrade(address, "base")
    named = f"sensecheck db downgrade --to base --store {as_written(engine.url)}"
    assert str(caught.value).endswith(f"to go back, run `{named}`")


def test_a_downgrade_does_not_go_up(address: str) -> None:
    with pytest.raises(
        SpecError, match=f"is at `base`, before `{HEAD}`; to get there, run `sensecheck db upgr"
    ):
        downgrade(address, HEAD)


def test_two_who_upgrade_at_once_make_each_table_once(address: str, engine: Engine) -> None:
    found: list[MigrationResult] = []
    together = [threading.Thread(target=lambda: found.append(upgrade(address))) for _ in range(4)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()

    assert sorted(moved.steps for moved in found) == [(), (), (), REVISIONS]
    assert sound(engine)


def test_a_database_that_does_not_answer_is_told_without_its_password() -> None:
    with pytest.raises(Unreachable) as told:
        upgrade("postgresql://somebody:my-secret@127.0.0.1:1/evals")

    assert "my-secret" not in str(told.value)
    assert "127.0.0.1" in str(told.value)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("Not a database, but long enough to look like one." * 20)

    with pytest.raises(SpecError, match=r"notes\.txt` is no store: file is not a database"):
        EvalStore.open(str(tmp_path / "notes.txt"))


def test_looking_makes_no_file(tmp_path: Path) -> None:
    engine = engine_of(database_url(str(tmp_path / "none.sqlite3")))

    (only,) = check(engine)

    assert "no tables yet" in only.says
    assert not (tmp_path / "none.sqlite3").exists()


@pytest.mark.parametrize(
    ("harm", "name", "says"),
    [
        ("DROP INDEX ix_runs_test", "tables", "1 differences, the first: add index: `ix_runs_test`"),
        ("ALTER TABLE runs ADD COLUMN more TEXT", "tables", "remove column: `runs`, `more`"),
        ("DROP VIEW evals", "view", "`evals` is missing"),
        ("DROP TRIGGER readings_kept_as_it_is", "guards", "readings_kept_as_it_is"),
        (
            "INSERT INTO batches SELECT key, 99, 7, 'x', started_at FROM runs",
            "rows",
            "than were written to them: 1",
        ),
    ],
)
def test_what_was_done_to_a_database_behind_our_back_is_found(
    address: str, engine: Engine, harm: str, name: str, says: str
) -> None:
    upgrade(address)
    filled(engine)
    if harm.startswith("DROP TRIGGER") and engine.dialect.name == "postgresql":
        harm = "ALTER TABLE readings DISABLE TRIGGER readings_kept_as_it_is"
    with engine.begin() as connection:
        connection.execute(text(harm))

    (wrong,) = [looked for looked in check(engine) if not looked.sound]

    assert wrong.name == name
    assert says in wrong.says


@pytest.mark.database
def test_the_tables_of_others_beside_ours_are_left_alone() -> None:
    with postgresql_database() as address:
        engine = engine_of(database_url(address))
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
            connection.execute(text("INSERT INTO alembic_version VALUES ('theirs')"))

        upgrade(address)

        assert sound(engine)
        with engine.connect() as connection:
            assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "theirs"
        engine.dispose()
