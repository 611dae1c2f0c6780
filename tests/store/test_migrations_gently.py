"""Tables are changed while others write to them, and nobody waits longer than a moment."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from benchmarks.speed.migrations import SHORT, measure, steps
from sqlalchemy import Connection, Engine, create_engine, text

from sensecheck.core.errors import NotKept
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.migrations.filling import Filling
from sensecheck.store.migrations.locks import SESSION, until_locked
from sensecheck.store.migrations.revisions import HEAD
from sensecheck.store.migrations.telling import Step, nobody
from sensecheck.store.records import KeptAnswer, KeptReading, Pair
from sensecheck.store.upgrading import check, downgrade, upgrade
from tests.databases import postgresql_database

INDEX = "ix_readings_metric_run_value"


@pytest.fixture
def server() -> Iterator[str]:
    """A PostgreSQL alone: SQLite has one writer at a time."""
    with postgresql_database() as address:
        yield address


@pytest.fixture
def engine(server: str) -> Iterator[Engine]:
    """Its database."""
    made = engine_of(database_url(server))
    yield made
    made.dispose()


def written(address: str) -> EvalStore:
    """A store with one answer and two readings."""
    upgrade(address)
    store = EvalStore.open(address)
    chosen = store.keep_set("atlas", [Pair("What is it?", "It.")])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, chosen, encoder="", conditions={})
    readings = (KeptReading("bleu", 0.5), KeptReading("rouge_l", None, error="it broke"))
    store.writer(run).add([(one, KeptAnswer("It.", readings)) for one in store.questions(chosen)])
    return store


def grades(store: EvalStore) -> list[Any]:
    with store.engine.connect() as connection:
        return list(connection.execute(text("SELECT grade FROM readings ORDER BY metric")).scalars())


def test_no_write_waits_longer_than_a_second_while_tables_are_changed(server: str) -> None:
    found = measure(server, SHORT)

    assert {row["name"]: row["met"] for row in found["measured"] if row["goal"]} == {
        "longest write while an index is built": True,
        "longest write while a column is added and filled": True,
        "longest write while the column is required": True,
        "longest write while the column is given up again": True,
        "longest write while the index is dropped": True,
    }


def test_a_column_comes_filled_and_required_and_goes_again(address: str, tmp_path: Path) -> None:
    store, versions = written(address), steps(tmp_path)
    before = list(store.answers(store.run("latest")))

    upgrade(address, "m001", versions=versions)
    assert grades(store) == [5.0, 0.0]
    upgrade(address, "m002", versions=versions)
    assert grades(store) == [5.0, 0.0]
    with pytest.raises(Exception, match=r"(?i)null"), store.engine.begin() as connection:
        connection.execute(text("INSERT INTO readings (run, position, metric) VALUES (1, 0, 3)"))
    with pytest.raises(Exception, match="kept as it is"), store.engine.begin() as connection:
        connection.execute(text("UPDATE readings SET grade = 1"))

    downgrade(address, HEAD, versions=versions)
    assert list(store.answers(store.run("latest"))) == before
    assert all(looked.sound for looked in check(store.engine))
    store.close()


def test_a_step_that_was_cut_off_goes_on_where_it_was(server: str, engine: Engine, tmp_path: Path) -> None:
    versions, store = steps(tmp_path), written(server)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE readings ADD COLUMN grade DOUBLE PRECISION"))
    upgrade(server, "m001", versions=versions)
    given = "ADD CONSTRAINT ck_readings_grade_given CHECK (grade IS NOT NULL) NOT VALID"
    with engine.begin() as connection:
        connection.execute(text(f"ALTER TABLE readings {given}"))

    upgrade(server, "m002", versions=versions)

    assert grades(store) == [5.0, 0.0]
    with engine.connect() as connection:
        left = text("SELECT count(*) FROM pg_constraint WHERE conname = 'ck_readings_grade_given'")
        assert connection.execute(left).scalar_one() == 0
    store.close()


def test_a_row_without_a_value_stops_the_contraction_and_nothing_is_lost(server: str, tmp_path: Path) -> None:
    versions, store = steps(tmp_path), written(server)
    contract = tmp_path / "m002_contract.py"
    contract.write_text(
        "\n".join(line for line in contract.read_text().splitlines() if "backfill" not in line)
    )
    upgrade(server, "m001", versions=versions)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE readings SET grade = NULL"))

    with pytest.raises(NotKept, match=r"is violated by some row; it is at the revision `m001`"):
        upgrade(server, "m002", versions=versions)

    assert grades(store) == [None, None]
    store.close()


def test_a_column_is_filled_whatever_the_size_of_a_batch(server: str, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE pairs_of (a INT, b INT, twice INT, PRIMARY KEY (a, b))"))
        connection.execute(
            text("INSERT INTO pairs_of SELECT n / 7, n % 7, NULL FROM generate_series(1, 50) n")
        )

    for size in (1, 7, 25, 50, 51):
        with upgrading(server) as connection:
            connection.execute(text("UPDATE pairs_of SET twice = NULL"))
            Filling(connection, "pairs_of", "twice", "2 * b", ("a", "b"), size).fill(nobody)
            wrong = text("SELECT count(*) FROM pairs_of WHERE twice IS DISTINCT FROM 2 * b")
            assert connection.execute(wrong).scalar_one() == 0


def test_an_index_that_was_left_half_built_is_built_anew(server: str, engine: Engine) -> None:
    upgrade(server, "0001")
    with engine.begin() as connection:
        connection.execute(text(f"CREATE INDEX {INDEX} ON readings (metric)"))
        half = f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{INDEX}'::regclass"
        connection.execute(text(half))

    upgrade(server)

    assert all(looked.sound for looked in check(engine))
    with engine.begin() as connection:
        connection.execute(text(half))
    (wrong,) = [looked for looked in check(engine) if not looked.sound]
    assert wrong.mend == f"REINDEX INDEX CONCURRENTLY {INDEX}"


def test_a_lock_that_is_not_to_be_had_is_asked_for_again_until_it_is(server: str, engine: Engine) -> None:
    upgrade(server)
    told: list[Step] = []
    with engine.connect() as holder, upgrading(server) as connection:
        holder.execute(text("LOCK TABLE readings IN ROW EXCLUSIVE MODE"))
        threading.Timer(0.6, holder.rollback).start()
        started = time.monotonic()
        until_locked(connection, "readings", lambda: locked(connection), told.append)

    assert time.monotonic() - started > 0.5
    assert "`readings` is in use" in told[0].says


def test_a_lock_that_is_never_had_is_given_up_loudly(server: str, engine: Engine) -> None:
    upgrade(server)
    with engine.connect() as holder, upgrading(server) as connection:
        pid = holder.execute(text("SELECT pg_backend_pid()")).scalar_one()
        holder.execute(text("LOCK TABLE readings IN ROW EXCLUSIVE MODE"))

        with pytest.raises(NotKept, match=rf"`readings` could not be locked in 0\.5 seconds.*: {pid};"):
            until_locked(connection, "readings", lambda: locked(connection), nobody, seconds=0.5)


def locked(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE readings ALTER COLUMN value DROP NOT NULL")


@contextmanager
def upgrading(address: str) -> Iterator[Connection]:
    """A connection as an upgrade has it outside of transactions."""
    engine = create_engine(database_url(address), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for setting in SESSION:
            connection.exec_driver_sql(setting)
        yield connection
    engine.dispose()
