"""Who only looks at a database changes nothing there, and is told in a line what is in the way."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory

import psycopg
import pytest
from sqlalchemy import make_url, text

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item
from sensecheck.runs.sql import EvalStore
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.integrity import IntegrityFinding
from sensecheck.store.upgrade import check, status, upgrade
from tests.databases import postgresql_database

NOBODY = 65534


def looked_at(address: str) -> list[IntegrityFinding]:
    engine = engine_of(database_url(address))
    try:
        return list(check(engine))
    finally:
        engine.dispose()


def test_looking_where_nothing_is_makes_neither_folders_nor_files(tmp_path: Path) -> None:
    (found,) = looked_at(str(tmp_path / "a" / "b" / "evals.sqlite3"))

    assert not found.sound
    assert list(tmp_path.iterdir()) == []


def test_opening_a_new_file_makes_its_folders_and_lets_readers_by(tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "evals.sqlite3"
    EvalStore.open(str(file)).close()

    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_a_file_of_somebody_else_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "theirs.sqlite3"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE accounts (n INTEGER)")
    connection.close()
    before = file.read_bytes()

    assert [one.sound for one in looked_at(str(file))] == [False]
    with pytest.raises(SpecError, match="holds tables that sensecheck did not make: `accounts`"):
        EvalStore.open(str(file))

    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("This is no database at all. " * 100, encoding="utf-8")

    with pytest.raises(SpecError, match=r"notes\.txt` is no store: file is not a database"):
        looked_at(str(file))


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, for whom nothing is locked."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.mark.skipif(not hasattr(os, "setresuid"), reason="rights are tried as Linux has them")
@pytest.mark.parametrize("folder", [0o555, 0o777], ids=["the folder as well", "the file alone"])
def test_a_file_that_may_only_be_read_is_read(folder: int) -> None:
    with TemporaryDirectory() as made:
        file = Path(made) / "evals.sqlite3"
        store = EvalStore.open(str(file))
        store.keep_set("atlas", [Item("What is the capital of France?", "Paris.")])
        store.close()
        file.chmod(0o444)
        Path(made).chmod(folder)
        with as_nobody():
            again = EvalStore.open(str(file))
            assert again.latest_set("atlas").size == 1
            assert all(one.sound for one in check(again.engine))
            again.close()
        Path(made).chmod(0o755)


@pytest.mark.database
def test_a_database_without_the_right_to_read_it_is_told_without_a_traceback() -> None:
    role = f"sensecheck_{token_hex(4)}"
    with postgresql_database() as address:
        upgrade(address)
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role} LOGIN")
        theirs = make_url(address).set(username=role).render_as_string()
        try:
            with pytest.raises(SpecError, match="cannot be read: permission denied for table"):
                looked_at(theirs)
            with pytest.raises(SpecError, match="cannot be read: permission denied for table"):
                EvalStore.open(theirs)
        finally:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"DROP ROLE {role}")


@pytest.mark.database
def test_a_guard_of_the_same_name_on_another_table_guards_nothing() -> None:
    with postgresql_database() as address:
        upgrade(address)
        engine = engine_of(database_url(address))
        with engine.begin() as connection:
            connection.execute(text("DROP TRIGGER labels_kept_as_it_is ON labels"))
            connection.execute(text("CREATE SCHEMA copy"))
            connection.execute(text("CREATE TABLE copy.labels (LIKE labels)"))
            connection.execute(
                text(
                    "CREATE TRIGGER labels_kept_as_it_is BEFORE UPDATE ON copy.labels FOR EACH ROW "
                    "EXECUTE FUNCTION sensecheck_refuse_change()"
                )
            )

        assert status(engine).pending == ()
        (wrong,) = [one for one in check(engine) if not one.sound]
        assert wrong.says == "rows can be changed: the triggers labels_kept_as_it_is are missing or off"
        engine.dispose()
