"""Messages of a month are a table of their own, whenever it is made."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text

from sensecheck.core.errors import SpecError
from sensecheck.store.columns import now
from sensecheck.store.service.retention import Month
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import messages
from sensecheck.store.tables import projects
from sensecheck.store.upgrade import check, downgrade, upgrade
from tests.databases import postgresql_database
from tests.store.service.made import NOON, count, entry, kept_message

pytestmark = pytest.mark.database


THREE = ["messages_2026_11", "messages_2026_12", "messages_2027_01"]


@pytest.fixture
def address() -> Iterator[str]:
    """A PostgreSQL alone: SQLite has one table for all months."""
    with postgresql_database() as made:
        yield made


def by_table(store: ServiceStore) -> dict[str, int]:
    query = text("SELECT tableoid::regclass::text AS name, count(*) AS n FROM messages GROUP BY 1")
    with store.engine.connect() as connection:
        return {row.name: row.n for row in connection.execute(query)}


@pytest.mark.parametrize(
    ("moment", "table", "after"),
    [
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), "messages_2026_12", "messages_2027_01"),
        (datetime(2027, 1, 1, tzinfo=UTC), "messages_2027_01", "messages_2027_02"),
    ],
)
def test_a_month_has_a_name_and_a_next_one(moment: datetime, table: str, after: str) -> None:
    assert Month.of(moment).table == table
    assert Month.of(moment).next.table == after


def test_this_month_and_the_next_two_are_made_once(store: ServiceStore) -> None:
    assert store.make_partitions(NOON) == THREE
    assert store.make_partitions(NOON) == []
    assert store.make_partitions(NOON + timedelta(days=20)) == ["messages_2027_02"]


def test_messages_go_to_their_month_and_others_to_the_last_table(store: ServiceStore, project: int) -> None:
    store.make_partitions(NOON)
    edges = [datetime(2026, 11, 1, tzinfo=UTC), datetime(2026, 12, 1, tzinfo=UTC) - timedelta(milliseconds=1)]

    store.write([entry(project, at=at) for at in (*edges, NOON + timedelta(days=900))])

    assert by_table(store) == {"messages_2026_11": 2, "messages_default": 1}


def test_what_was_written_before_the_month_was_made_moves_into_it(store: ServiceStore, project: int) -> None:
    early = [entry(project, at=NOON - timedelta(days=days)) for days in (0, 1, 60)]
    store.write(early)
    assert by_table(store) == {"messages_default": 3}

    assert store.make_partitions(NOON) == ["messages_2026_09", *THREE]

    assert by_table(store) == {"messages_2026_11": 2, "messages_2026_09": 1}
    assert [kept_message(store, project, one.message.id) for one in early] == [one.message for one in early]
    store.write(early)
    assert count(store, messages) == 3


def test_the_tables_are_sound_with_and_without_months(store: ServiceStore) -> None:
    assert all(looked.sound for looked in check(store.engine))
    store.make_partitions(NOON)
    assert [looked.says for looked in check(store.engine) if not looked.sound] == []


def test_a_month_is_guarded_like_the_whole(store: ServiceStore, project: int) -> None:
    store.write([entry(project)])
    store.make_partitions(NOON)

    with pytest.raises(Exception, match="kept as it is"), store.writing() as connection:
        connection.execute(text("UPDATE messages_2026_11 SET outcome = 'fail'"))


def test_months_are_dropped_with_messages_and_can_be_made_again(
    store: ServiceStore, address: str, project: int
) -> None:
    store.write([entry(project)])
    store.make_partitions(NOON)
    with pytest.raises(SpecError, match="these have rows: `projects`, `messages`"):
        downgrade(address, "base")

    with store.writing() as connection:
        connection.execute(messages.delete())
        connection.execute(projects.delete())
    downgrade(address, "base")
    upgrade(address)

    assert all(looked.sound for looked in check(store.engine))
    assert store.make_partitions(NOON) == THREE


def test_months_are_made_while_others_write_and_nobody_fails_or_loses_anything(
    store: ServiceStore, project: int
) -> None:
    stop, written = threading.Event(), list[str]()

    def write() -> None:
        while not stop.is_set():
            some = [entry(project, at=now()) for _ in range(5)]
            store.write(some)
            written.extend(one.message.id for one in some)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    makers = [threading.Thread(target=store.make_partitions, args=(now(),)) for _ in range(3)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join()
    stop.set()
    for writer in writers:
        writer.join()

    assert count(store, messages) == len(written)
    assert by_table(store) == {Month.of(now()).table: len(written)}
