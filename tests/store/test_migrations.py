"""Tables go up and down with all that is kept in them, or stay where they are and say so."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from sensecheck.core.errors import NotKept, SpecError, Unreachable
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.migrations.moving import Moved, Mover
from sensecheck.store.migrations.revisions import HEAD, REVISIONS, SHIPPED
from sensecheck.store.records import KeptAnswer, KeptReading, Pair
from sensecheck.store.run_reading import AnsweredPair
from sensecheck.store.upgrading import Status, check, downgrade, make_ready, status, upgrade
from tests.databases import postgresql_database

BROKEN = '''"""A step that fails when it is half done."""

from alembic import op

revision, down_revision = "x001", "0003"


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


def filled(engine: Engine) -> list[AnsweredPair]:
    """A run of three answers, in whatever revision the tables are."""
    store = EvalStore(engine)
    chosen = store.keep_set("atlas", [Pair(f"What is {n}?", str(n)) for n in range(3)])
    test = store.test("atlas", "nightly", embedding={"encoder": "minilm"}, generation={})
    run = store.begin(test, chosen, encoder="mark-1", conditions={"metrics": ["bleu"]})
    readings = (KeptReading("bleu", 0.1 + 0.2), KeptReading("rouge_l", None, error="it broke"))
    told = [(one, KeptAnswer(f"It is {one.position}.", readings)) for one in store.questions(chosen)]
    store.writer(run).add(told)
    return kept(engine)


def kept(engine: Engine) -> list[AnsweredPair]:
    store = EvalStore(engine)
    return list(store.answers(store.run("latest")))


def sound(engine: Engine) -> bool:
    return all(looked.sound for looked in check(engine))


def step(folder: Path, then: str) -> tuple[Path, ...]:
    (folder / "x001_half.py").write_text(BROKEN.format(then=then), encoding="utf-8")
    return SHIPPED, folder


def test_the_steps_that_a_store_knows_are_those_in_the_folder(address: str) -> None:
    assert Mover(database_url(address)).known() == REVISIONS


def test_answers_survive_every_step_down_and_up(address: str, engine: Engine) -> None:
    upgrade(address)
    before = filled(engine)

    for revision in reversed(REVISIONS[:-1]):
        assert downgrade(address, revision).after == revision
        assert kept(engine) == before
    for revision in REVISIONS[1:]:
        assert upgrade(address, revision).after == revision
        assert kept(engine) == before
    assert sound(engine)


def test_what_was_written_at_the_first_revision_is_there_at_the_newest(address: str, engine: Engine) -> None:
    upgrade(address, "0001")
    before = filled(engine)

    assert upgrade(address).steps == REVISIONS[1:]
    assert kept(engine) == before
    assert sound(engine)


def test_an_upgrade_of_what_is_up_to_date_does_nothing(address: str, engine: Engine) -> None:
    upgrade(address)

    again = upgrade(address)

    assert (again.before, again.after, again.steps) == (HEAD, HEAD, ())
    assert status(engine) == Status(HEAD, HEAD, ())


def test_going_back_before_the_first_revision_loses_no_rows(address: str, engine: Engine) -> None:
    upgrade(address)
    before = filled(engine)

    with pytest.raises(SpecError, match=r"the table `projects` holds rows.* it is at the revision `000\d`"):
        downgrade(address, "base")
    assert kept(engine) == before


def test_empty_tables_can_go_and_come_again(address: str, engine: Engine) -> None:
    upgrade(address)

    assert downgrade(address, "base").after is None
    assert status(engine) == Status(None, HEAD, REVISIONS)
    upgrade(address)
    assert sound(engine)


def test_a_step_that_fails_leaves_the_revision_before_it_and_says_so(
    address: str, engine: Engine, tmp_path: Path
) -> None:
    upgrade(address)
    before = filled(engine)

    with pytest.raises(NotKept, match=rf"upgrade of .* failed: .*nowhere.*; it is at the revision `{HEAD}`"):
        upgrade(address, versions=step(tmp_path, "INSERT INTO nowhere VALUES (1)"))

    assert sound(engine)
    assert kept(engine) == before
    with engine.connect() as connection, pytest.raises(Exception, match="half"):
        connection.execute(text("SELECT * FROM half"))


def test_a_step_that_was_mended_goes_on_from_there(address: str, tmp_path: Path) -> None:
    upgrade(address)
    with pytest.raises(NotKept):
        upgrade(address, versions=step(tmp_path, "INSERT INTO nowhere VALUES (1)"))

    assert upgrade(address, versions=step(tmp_path, "INSERT INTO half VALUES (1)")).steps == ("x001",)


def test_tables_of_a_later_version_are_not_touched(address: str, engine: Engine, tmp_path: Path) -> None:
    upgrade(address, versions=step(tmp_path, "INSERT INTO half VALUES (1)"))

    for ask in (lambda: make_ready(engine), lambda: upgrade(address), lambda: downgrade(address, "0001")):
        with pytest.raises(SpecError, match=r"the revision `x001`, which this version does not know"):
            ask()
    assert not sound(engine)


def test_tables_of_an_earlier_version_are_not_opened(address: str) -> None:
    upgrade(address, "0001")

    with pytest.raises(
        SpecError, match=f"revision `0001`, and this version wants `{HEAD}`; run `sensecheck db"
    ):
        EvalStore.open(address)


def test_tables_of_somebody_else_are_not_touched(address: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE evals (id TEXT)"))

    with pytest.raises(SpecError, match="holds tables that sensecheck did not make: `evals`"):
        EvalStore.open(address)
    with pytest.raises(SpecError, match="holds tables that sensecheck did not make: `evals`"):
        upgrade(address)


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
    [("0009", "`0009` is not a known revision; did you mean `000"), ("base", "is at `0003`, beyond `base`")],
)
def test_a_revision_that_is_none_is_told(address: str, to: str, says: str) -> None:
    upgrade(address)

    with pytest.raises(SpecError, match=says):
        upgrade(address, to)


def test_a_downgrade_does_not_go_up(address: str) -> None:
    upgrade(address, "0001")

    with pytest.raises(SpecError, match="is at `0001`, before `0002`; `sensecheck db upgrade` goes on"):
        downgrade(address, "0002")


def test_two_who_upgrade_at_once_make_each_step_once(address: str, engine: Engine) -> None:
    found: list[Moved] = []
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
