"""What is too old goes, and nothing else does."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert, text

from sensecheck.store.service import retention
from sensecheck.store.service.records import first_id, moment_of, new_id
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import (
    candidates,
    erasures,
    feedback,
    idempotency,
    messages,
    reviews,
)
from tests.store.service.made import NOON, count, entry

ON_POSTGRESQL = pytest.mark.parametrize("address", ["postgresql"], indirect=True)
"""SQLite has no months, and deletes to the day."""
DAY = timedelta(days=1)


def test_the_first_name_of_a_moment_lies_between_those_before_and_after_it() -> None:
    for at in (NOON, datetime(2026, 1, 1, tzinfo=UTC), NOON + timedelta(milliseconds=7)):
        before, after = new_id(at - timedelta(milliseconds=1)), new_id(at)
        assert before < first_id(at) < after
        assert moment_of(after) == at


def test_messages_older_than_the_limit_go_with_all_that_was_said_of_them(
    store: ServiceStore, project: int
) -> None:
    store.make_partitions(NOON - 90 * DAY)
    store.make_partitions(NOON)
    ages = [entry(project, at=NOON - days * DAY) for days in (0, 1, 29, 70, 90)]
    store.write(ages)
    with store.writing() as connection:
        for one in ages:
            of = {"project": project, "message": one.message.id, "note": "", "at": NOON}
            connection.execute(insert(reviews).values(of | {"reviewer": "ana", "grounded": True}))
            connection.execute(insert(feedback).values(of | {"thumb": "up"}))
        for days in (1, 90):
            connection.execute(insert(erasures).values(project=project, session="d", at=NOON - days * DAY))

    done = store.retain(NOON, 30, 14)

    assert [count(store, table) for table in (messages, reviews, feedback, erasures)] == [3, 3, 3, 1]
    if store.engine.dialect.name == "postgresql":
        assert done.months == ("messages_2026_08", "messages_2026_09")
    assert store.retain(NOON, 30, 14).rows == 0


@ON_POSTGRESQL
def test_a_month_that_is_partly_too_old_stays_until_all_of_it_is(store: ServiceStore, project: int) -> None:
    store.make_partitions(NOON)
    store.write([entry(project, at=datetime(2026, 11, 1, tzinfo=UTC))])

    assert store.retain(NOON, 1, 1).months == ()
    assert store.retain(datetime(2026, 12, 2, tzinfo=UTC), 1, 1).months == ("messages_2026_11",)


def test_what_lies_in_the_last_table_goes_row_by_row(store: ServiceStore, project: int) -> None:
    store.write([entry(project, at=NOON - days * DAY) for days in (0, 60, 100)])

    assert store.retain(NOON, 30, 14).rows == 2
    assert count(store, messages) == 1


def test_many_rows_go_in_small_transactions(
    store: ServiceStore, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "BATCH_ROWS", 10)
    store.write([entry(project, at=NOON - 60 * DAY, held="It flies.") for _ in range(25)])

    assert store.retain(NOON, 30, 14).rows == 50


def test_messages_are_kept_for_ever_where_no_limit_is_set(store: ServiceStore, project: int) -> None:
    store.write([entry(project, at=NOON - 5000 * DAY)])

    store.retain(NOON, 0, 14)

    assert count(store, messages) == 1


def test_answers_that_were_held_back_go_sooner_than_messages(store: ServiceStore, project: int) -> None:
    store.write([entry(project, at=NOON - days * DAY, held="It flies.") for days in (1, 20)])

    store.retain(NOON, 365, 14)

    assert [count(store, table) for table in (messages, candidates)] == [2, 1]


def test_names_of_requests_go_when_their_time_is_over(store: ServiceStore, project: int) -> None:
    store.write([entry(project, at=NOON - hours * DAY / 24, done=f"n{hours}") for hours in (1, 23, 25)])

    store.retain(NOON, 365, 14)

    assert count(store, idempotency) == 2


@ON_POSTGRESQL
def test_a_month_that_somebody_reads_is_dropped_another_time_and_holds_up_nobody(
    store: ServiceStore, project: int
) -> None:
    old = NOON - 90 * DAY
    store.make_partitions(old)
    store.write([entry(project, at=old)])
    found = []

    with store.engine.connect() as reader:
        reader.execute(text("SELECT count(*) FROM messages_2026_08")).scalar_one()
        thread = threading.Thread(target=lambda: found.append(store.retain(NOON, 30, 14)))
        thread.start()
        thread.join(20)
        assert not thread.is_alive()
    assert found[0].in_use == ("messages_2026_08",)
    assert count(store, messages) == 1

    assert "messages_2026_08" in store.retain(NOON, 30, 14).months
    assert count(store, messages) == 0
