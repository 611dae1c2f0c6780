"""A session that was erased is gone, and stays so."""

import threading
import time
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import OperationalError

from sensecheck.store.columns import now
from sensecheck.store.retry import is_away
from sensecheck.store.service import retention as erasure
from sensecheck.store.service import retention as turns
from sensecheck.store.service.idempotency import Fresh
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import (
    candidates,
    erasures,
    feedback,
    idempotency,
    messages,
    reviews,
)
from tests.store.service.made import count, entry

ON_POSTGRESQL = pytest.mark.parametrize("address", ["postgresql"], indirect=True)
"""SQLite has one writer at a time: an erasure waits its turn like every other."""
HOLDING = (messages, candidates, reviews, feedback, idempotency)


def spoken_of(store: ServiceStore, project: int, message: str) -> None:
    """Let somebody label a message, and somebody vote for it."""
    of = {"project": project, "message": message, "note": "it names a person", "at": now()}
    with store.writing() as connection:
        connection.execute(insert(reviews).values(of | {"reviewer": "ana", "grounded": True}))
        connection.execute(insert(feedback).values(of | {"thumb": "up"}))


def test_nothing_of_the_session_is_left_and_nothing_of_others_is_lost(
    store: ServiceStore, project: int
) -> None:
    for number, session in enumerate(("s1", "s1", "s2", None)):
        one = entry(project, session_id=session, done=f"n{number}", held="It flies.", at=now())
        store.write([one])
        spoken_of(store, project, one.message.id)

    assert store.erase_session(project, "s1") == 2

    assert [count(store, table) for table in HOLDING] == [2, 2, 2, 2, 2]
    assert isinstance(store.reserve(project, "n0", "asked", seconds=60), Fresh)
    assert store.erase_session(project, "s1") == 0


def test_only_the_project_that_asks_loses_its_session(store: ServiceStore, project: int) -> None:
    theirs = store.project("borealis")
    store.write([entry(project, at=now()), entry(theirs, held="It flies.", done="n1", at=now())])

    assert store.erase_session(project, "s1") == 1

    assert [count(store, table) for table in HOLDING] == [1, 1, 0, 0, 1]
    assert store.erase_session(theirs, "s1") == 1


def test_what_waited_elsewhere_is_not_written_later(store: ServiceStore, project: int) -> None:
    waiting = entry(project, done="n1", held="It flies.", at=now())
    others = [entry(project, session_id="s2", at=now()), entry(store.project("borealis"), at=now())]
    store.erase_session(project, "s1")

    store.write([waiting, *others])

    assert [count(store, table) for table in HOLDING] == [2, 0, 0, 0, 0]


def test_the_session_may_begin_anew(store: ServiceStore, project: int) -> None:
    store.erase_session(project, "s1")

    store.write([entry(project, at=now() + timedelta(milliseconds=5))])

    assert count(store, messages) == 1


def test_the_mark_that_is_left_does_not_tell_the_session(store: ServiceStore, project: int) -> None:
    store.erase_session(project, "ana@example.com")

    with store.engine.connect() as connection:
        (left,) = connection.execute(erasures.select()).mappings()
    assert "ana" not in str(left)


def test_a_session_with_a_name_that_no_database_holds_is_erased_too(
    store: ServiceStore, project: int
) -> None:
    waiting = entry(project, session_id="s\0\ud83d", at=now())
    store.write([entry(project, session_id="s\0\ud83d", at=now())])

    assert store.erase_session(project, "s\0\ud83d") == 1
    store.write([waiting])
    assert count(store, messages) == 0


def test_writers_beside_an_erasure_leave_nothing_behind(store: ServiceStore, project: int) -> None:
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            store.write([entry(project, at=now()) for _ in range(5)])

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for _ in range(10):
        store.erase_session(project, "s1")
    stop.set()
    for writer in writers:
        writer.join()

    with store.engine.connect() as connection:
        last = max(row.at for row in connection.execute(erasures.select()))
        assert all(row.at > last for row in connection.execute(messages.select()))


@ON_POSTGRESQL
def test_an_erasure_that_has_to_wait_too_long_says_so_and_erases_nothing(
    store: ServiceStore, project: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "RETRIES", replace(turns.RETRIES, seconds=0.5))
    store.write([entry(project, at=now())])

    with store.writing(), pytest.raises(OperationalError) as told:
        store.erase_session(project, "s1")

    assert is_away(told.value)
    assert [count(store, table) for table in (messages, erasures)] == [1, 0]


@ON_POSTGRESQL
def test_an_erasure_that_waits_for_a_slow_writer_lets_the_others_by(
    store: ServiceStore, project: int
) -> None:
    store.write([entry(project, at=now())])
    erased: list[int] = []
    eraser = threading.Thread(target=lambda: erased.append(store.erase_session(project, "s1")))

    with store.writing() as slow:
        slow.execute(messages.select())
        eraser.start()
        for _ in range(5):
            began = time.monotonic()
            store.write([entry(project, session_id="s2", at=now())])
            assert time.monotonic() - began < 5  # else it waits for as long as the other writes
    eraser.join()

    assert erased == [1]
    assert count(store, messages) == 5


def clock_set(monkeypatch: pytest.MonkeyPatch, ahead: timedelta) -> None:
    """From here on the clock of the machine that writes is wrong by so much; that of the database is not."""
    monkeypatch.setattr(erasure, "now", lambda: now() + ahead)


@ON_POSTGRESQL
@pytest.mark.parametrize("ahead", [timedelta(minutes=30), timedelta(minutes=-30), timedelta()], ids=str)
def test_an_erasure_holds_for_a_machine_whose_clock_is_wrong(
    store: ServiceStore, project: int, monkeypatch: pytest.MonkeyPatch, ahead: timedelta
) -> None:
    waiting = entry(project, held="It flies.", at=now() + ahead)
    store.erase_session(project, "s1")
    clock_set(monkeypatch, ahead)

    store.write([waiting])
    assert count(store, messages) == 0
    time.sleep(0.05)
    store.write([entry(project, at=now() + ahead)])
    assert count(store, messages) == 1


def test_what_waited_for_long_and_seems_a_little_younger_than_the_erasure_is_dropped(
    store: ServiceStore, project: int
) -> None:
    erased_at = now() - timedelta(minutes=2)
    with store.writing() as connection:
        digest = erasure.session_digest(project, "s1")
        connection.execute(insert(erasures).values(project=project, session=digest, at=erased_at))

    store.write([entry(project, at=erased_at + timedelta(seconds=40))])
    assert count(store, messages) == 0
    store.write([entry(project, at=erased_at + timedelta(seconds=90))])
    assert count(store, messages) == 1


def test_what_comes_from_a_clock_that_was_wrong_is_dropped_if_its_session_was_erased(
    store: ServiceStore, project: int
) -> None:
    later = now() + timedelta(hours=1)
    from_the_future = [entry(project, session_id=name, at=later) for name in ("s1", "s2")]
    store.erase_session(project, "s1")

    store.write(from_the_future)

    assert count(store, messages) == 1
