"""Columns and indexes come and go while others write, and no one waits longer than a moment."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from benchmarks.speed.migrations import SHORT, measure, steps
from sqlalchemy import Connection, Engine, create_engine, inspect, text

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.sql import EvalStore
from sensecheck.store.address import database_url
from sensecheck.store.engine import engine_of
from sensecheck.store.migrations.base import HEAD, silent
from sensecheck.store.migrations.online import SESSION, retry_until_locked
from sensecheck.store.service.retention import make_months
from sensecheck.store.upgrade import check, downgrade, upgrade
from tests.databases import postgresql_database
from tests.ready_tables import make_tables

INDEX = "ix_readings_value"
PARTITIONED = "ix_messages_outcome"
NOVEMBER = datetime(2026, 11, 16, tzinfo=UTC)


@pytest.fixture
def server() -> Iterator[str]:
    """A PostgreSQL with tables: SQLite has one writer at a time, and no locks to wait for."""
    with postgresql_database() as address:
        make_tables(address)
        yield address


@pytest.fixture
def engine(server: str) -> Iterator[Engine]:
    """Its database."""
    made = engine_of(database_url(server))
    yield made
    made.dispose()


def write_run(store: EvalStore) -> None:
    """A run of one answer and two readings."""
    chosen = store.keep_set("atlas", [Item("What is it?", "It.")])
    test = store.test("atlas", "nightly", embedding={}, generation={})
    run = store.begin(test, chosen, encoder="", conditions={})
    readings = (MetricScore("bleu", 0.5), MetricScore("rouge_l", None, error="it broke"))
    store.writer(run).add([(one, ScoredAnswer("It.", readings)) for one in store.questions(chosen)])


def index_names(engine: Engine, table: str) -> set[str | None]:
    return {index["name"] for index in inspect(engine).get_indexes(table)}


@pytest.mark.database
def test_no_write_waits_longer_than_a_second_while_tables_are_changed() -> None:
    with postgresql_database() as address:
        result = measure(address, SHORT)

    assert {row["name"]: row["met"] for row in result["measured"] if row["goal"]} == {
        "longest write while an index is built": True,
        "longest write while an index of a partitioned table is built": True,
        "longest write while a column is added": True,
        "longest write while the column is dropped": True,
        "longest write while the indexes are dropped": True,
    }


@pytest.mark.database
def test_no_run_is_lost_while_columns_and_indexes_come_and_go(address: str, tmp_path: Path) -> None:
    make_tables(address)
    store, versions, stop, written = EvalStore.open(address), steps(tmp_path), threading.Event(), list[int]()

    def write() -> None:
        while not stop.is_set():
            write_run(store)
            written.append(1)

    writers = [threading.Thread(target=write) for _ in range(2)]
    for writer in writers:
        writer.start()
    for _ in range(3):
        assert upgrade(address, versions=versions).steps == ("m001", "m002", "m003")
        assert downgrade(address, HEAD, versions=versions).steps == ("m003", "m002", "m001")
    stop.set()
    for writer in writers:
        writer.join()

    with store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM runs")).scalar_one() == len(written) > 0
        assert connection.execute(text("SELECT count(*) FROM readings")).scalar_one() == 2 * len(written)
    assert [finding.says for finding in check(store.engine) if not finding.sound] == []
    store.close()


@pytest.mark.database
def test_a_new_column_is_empty_in_old_rows_and_append_only_like_the_others(
    address: str, tmp_path: Path
) -> None:
    make_tables(address)
    store, versions = EvalStore.open(address), steps(tmp_path)
    write_run(store)
    before = list(store.answers(store.run("latest")))

    upgrade(address, versions=versions)

    with store.engine.begin() as connection:
        assert list(connection.execute(text("SELECT grade FROM readings")).scalars()) == [None, None]
    with pytest.raises(Exception, match="kept as it is"), store.engine.begin() as connection:
        connection.execute(text("UPDATE readings SET grade = 1"))
    assert {INDEX, "ix_readings_metric_run_value"} <= index_names(store.engine, "readings")
    assert PARTITIONED in index_names(store.engine, "messages")

    downgrade(address, HEAD, versions=versions)

    assert list(store.answers(store.run("latest"))) == before
    with pytest.raises(Exception, match="kept as it is"), store.engine.begin() as connection:
        connection.execute(text("UPDATE readings SET value = 1"))
    assert all(finding.sound for finding in check(store.engine))
    store.close()


@pytest.mark.parametrize(
    "column",
    ['sa.Column("grade", sa.Double, nullable=False)', 'sa.Column("grade", sa.Text, server_default="")'],
)
def test_a_column_that_would_rewrite_old_rows_is_refused(address: str, tmp_path: Path, column: str) -> None:
    make_tables(address)
    versions, file = steps(tmp_path), tmp_path / "m003.py"
    file.write_text(file.read_text().replace('sa.Column("grade", sa.Double)', column))

    with pytest.raises(SpecError, match=r"`readings\.grade` must be nullable and without a default"):
        upgrade(address, versions=versions)


@pytest.mark.database
def test_a_revision_that_was_cut_off_continues_where_it_was(
    server: str, engine: Engine, tmp_path: Path
) -> None:
    make_months(engine, NOVEMBER)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE readings ADD COLUMN grade DOUBLE PRECISION"))
        connection.execute(text(f"CREATE INDEX {INDEX} ON readings (value, run)"))
        half = f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{INDEX}'::regclass"
        connection.execute(text(half))
        connection.execute(text(f"CREATE INDEX {PARTITIONED} ON ONLY messages (project, outcome)"))

    upgrade(server, versions=steps(tmp_path))

    with engine.connect() as connection:
        invalid = text("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
        assert list(connection.execute(invalid).scalars()) == []


@pytest.mark.database
def test_an_index_of_messages_is_that_of_every_month_also_of_those_to_come(
    server: str, engine: Engine, tmp_path: Path
) -> None:
    early = make_months(engine, NOVEMBER)
    upgrade(server, versions=steps(tmp_path))
    late = make_months(engine, NOVEMBER.replace(year=2027))

    attached = text(
        "SELECT x.indrelid::regclass::text "
        "FROM pg_inherits AS i JOIN pg_index AS x ON x.indexrelid = i.inhrelid "
        "WHERE i.inhparent = to_regclass(:name) AND x.indisvalid"
    )
    with engine.connect() as connection:
        parts = set(connection.execute(attached, {"name": PARTITIONED}).scalars())
    assert parts == {"messages_default", *early, *late}
    downgrade(server, HEAD, versions=steps(tmp_path))
    assert all(finding.sound for finding in check(engine))


@pytest.mark.database
def test_an_index_that_is_half_built_is_found_by_a_check(server: str, engine: Engine) -> None:
    name = "ix_readings_metric_run_value"
    with engine.begin() as connection:
        half = f"UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{name}'::regclass"
        connection.execute(text(half))

    (wrong,) = [finding for finding in check(engine) if not finding.sound]

    assert wrong.hint == f"REINDEX INDEX CONCURRENTLY {name}"


@pytest.mark.database
def test_a_lock_that_is_not_free_is_requested_again_until_it_is(server: str, engine: Engine) -> None:
    messages: list[str] = []
    with engine.connect() as holder, migrating(server) as connection:
        holder.execute(text("LOCK TABLE readings IN ROW EXCLUSIVE MODE"))
        threading.Timer(0.6, holder.rollback).start()
        started = time.monotonic()
        retry_until_locked(connection, "readings", lambda: alter(connection), messages.append)

    assert time.monotonic() - started > 0.5
    assert "`readings` is in use" in messages[0]


@pytest.mark.database
def test_a_lock_that_is_never_free_is_an_error_that_names_who_holds_it(server: str, engine: Engine) -> None:
    with engine.connect() as holder, migrating(server) as connection:
        pid = holder.execute(text("SELECT pg_backend_pid()")).scalar_one()
        holder.execute(text("LOCK TABLE readings IN ROW EXCLUSIVE MODE"))

        with pytest.raises(
            StorageError, match=rf"`readings` could not be locked within 0\.5 seconds.*: {pid};"
        ):
            retry_until_locked(connection, "readings", lambda: alter(connection), silent, max_seconds=0.5)


def alter(connection: Connection) -> None:
    connection.exec_driver_sql("ALTER TABLE readings ALTER COLUMN value DROP NOT NULL")


@contextmanager
def migrating(address: str) -> Iterator[Connection]:
    """A connection as a migration has it outside of transactions."""
    engine = create_engine(database_url(address), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for setting in SESSION:
            connection.exec_driver_sql(setting)
        yield connection
    engine.dispose()
