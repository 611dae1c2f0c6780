"""Messages are kept whole, once, and come back as they were."""

import threading
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError

from sensecheck.store.service.idempotency import Done
from sensecheck.store.service.records import Entry, Message
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import candidates, idempotency, messages
from tests.store.service.made import NOON, count, entry, held_back, kept_message, message


def test_what_was_written_comes_back_as_it_was(store: ServiceStore, project: int) -> None:
    full = entry(
        project,
        response_similarity_score=0.1 + 0.7,
        keyword_overlap_ratio=1 / 3,
        validation_passed=False,
        latency_validation_ms=1.25,
        latency_ms=10.5,
        truncated=True,
        source_chunk_ids=("c-1", "ü"),
        at=NOON + timedelta(milliseconds=123),
    )
    bare = entry(project, session_id=None, api_key=None, user_message=None, writer=None, encoder=None)

    store.write([full, bare])

    assert kept_message(store, project, full.message.id) == full.message
    assert kept_message(store, project, bare.message.id) == bare.message


def test_chunks_that_are_none_are_null_and_not_the_word_null(store: ServiceStore, project: int) -> None:
    store.write([entry(project), entry(project, source_chunk_ids=())])

    with store.engine.connect() as connection:
        query = text("SELECT count(*) FROM messages WHERE source_chunk_ids IS NULL")
        assert connection.execute(query).scalar_one() == 1


def test_an_entry_that_is_brought_again_changes_nothing(store: ServiceStore, project: int) -> None:
    once = entry(project, done="n1", held="It flies.")
    otherwise = replace(once, message=replace(once.message, assistant_response="Something else."))

    store.write([once, once])
    store.write([otherwise, entry(project)])

    assert kept_message(store, project, once.message.id) == once.message
    assert [count(store, table) for table in (messages, candidates, idempotency)] == [2, 1, 1]


def test_an_answer_that_was_held_back_is_kept_beside_its_message(store: ServiceStore, project: int) -> None:
    one = entry(project, held="It flies.")
    store.write([one])

    assert held_back(store, project, one.message.id) == one.candidate
    assert held_back(store, project + 1, one.message.id) is None


def test_texts_and_numbers_that_no_database_holds_are_kept_with_a_mark(
    store: ServiceStore, project: int
) -> None:
    odd = entry(
        project,
        user_message="a\0b",
        assistant_response="half \ud83d",
        session_id="s\0",
        support=float("nan"),
        source_chunk_ids=("\0",),
        held="\udc00",
        done="n1",
        at=datetime.now(UTC),  # what a request came to is forgotten a day later
    )
    assert odd.completed is not None
    odd = replace(odd, completed=replace(odd.completed, body={"b": "a\0\ud83d", "a": 1}))

    store.write([odd])

    found = kept_message(store, project, odd.message.id)
    assert found is not None
    assert (found.user_message, found.assistant_response) == ("a\ufffdb", "half \ufffd")
    assert (found.session_id, found.support, found.source_chunk_ids) == ("s\ufffd", None, ("\ufffd",))
    again = store.reserve(project, "n1", "asked", seconds=10)
    assert isinstance(again, Done)
    assert list(again.completed.body.items()) == [("b", "a\0\ud83d"), ("a", 1)]


def test_one_entry_that_is_refused_takes_all_with_it(store: ServiceStore, project: int) -> None:
    bad = replace(entry(project), message=replace(message(project), outcome=None))  # type: ignore[arg-type]

    with pytest.raises(IntegrityError):
        store.write([entry(project, done="n1"), bad])

    assert [count(store, table) for table in (messages, idempotency)] == [0, 0]


def test_an_error_of_the_database_shows_no_text_of_anybody(store: ServiceStore, project: int) -> None:
    bad = replace(message(project, user_message="my secret"), outcome=None)  # type: ignore[arg-type]

    with pytest.raises(IntegrityError) as told:
        store.write([replace(entry(project), message=bad)])

    assert "my secret" not in str(told.value).splitlines()[0]


@pytest.mark.parametrize("name", ["", "x", "\0", "0" * 36, "018f4e2e-0000-4000-8000-000000000000"])
def test_what_is_no_name_of_a_message_finds_none(store: ServiceStore, project: int, name: str) -> None:
    assert kept_message(store, project, name) is None


def test_messages_cannot_be_changed(store: ServiceStore, project: int) -> None:
    store.write([entry(project)])
    store.make_partitions(NOON)

    with pytest.raises(DBAPIError, match="kept as it is"), store.writing() as connection:
        connection.execute(text("UPDATE messages SET outcome = 'fail'"))


def test_threads_that_write_the_same_at_once_write_it_once(store: ServiceStore, project: int) -> None:
    same = [entry(project, session_id=str(number), done=f"n{number}") for number in range(50)]
    together = [threading.Thread(target=store.write, args=(same[::way],)) for way in (1, -1, 1, -1)]
    for thread in together:
        thread.start()
    for thread in together:
        thread.join()

    assert count(store, messages) == count(store, idempotency) == 50


def test_ten_thousand_messages_cost_far_less_together_than_one_by_one(
    store: ServiceStore, project: int
) -> None:
    many: list[Message] = [message(project, session_id=str(number)) for number in range(10_000)]
    single = [entry(project) for _ in range(100)]

    began = time.perf_counter()
    for one in single:
        store.write([one])
    one_by_one = (time.perf_counter() - began) / len(single)
    began = time.perf_counter()
    store.write([Entry(one) for one in many])
    together = (time.perf_counter() - began) / len(many)

    assert count(store, messages) == 10_100
    assert together < one_by_one / 5
