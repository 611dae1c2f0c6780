"""Entries to keep, and a keeper for the length of a test."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic, sleep

import psycopg
from sqlalchemy import select

from sensecheck.store.service.records import Candidate, Completed, Entry, Message, moment_of, new_id
from sensecheck.store.service.spool import Spool
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import HURRY, Database, WriteQueue
from sensecheck.store.service_tables import messages


def an_entry(number: int, *, project: int = 1) -> Entry:
    """One of many: its number is its question."""
    name = new_id(datetime.now(UTC))
    at = moment_of(name)
    assert at is not None
    message = Message(
        id=name,
        at=at,
        project=project,
        api_key=None,
        session_id=f"session {number % 3}",
        mode="selected_text",
        user_message=str(number),
        assistant_response="A middleware – for robots.",
        selected_text="ROS 2 is a middleware.",
        in_selected_text=True,
        outcome="pass",
        policy="grounded",
        writer="extractive",
        encoder="minilm",
        support=0.75,
    )
    candidate = Candidate(name, at, project, message.session_id, "It is a robot.", "ROS 2 …", "no support")
    return Entry(message, candidate, Completed(f"name {name}", "digest", 200, {"answer": ["A", 1, None]}))


@contextmanager
def a_keeper(
    database: Database, folder: Path, *, megabytes: int = 64, hurry: float = HURRY
) -> Iterator[WriteQueue]:
    """A keeper of this database, with a spool in this folder."""
    spool = Spool.open(folder / "spool.sqlite3", megabytes=megabytes)
    keeper = WriteQueue(database, spool, hurry=hurry)
    keeper.start()
    try:
        yield keeper
    finally:
        ended = keeper.stop(5)
        assert ended
        spool.close()


def empty_within(keeper: WriteQueue, seconds: float) -> float:
    """How long it took until nothing waited in the spool any more; an error if it was longer than this."""
    began = monotonic()
    while keeper.waiting:
        assert monotonic() - began < seconds, f"{keeper.waiting} entries still wait"
        sleep(0.02)
    return monotonic() - began


def numbers(those: Iterable[int]) -> list[str]:
    """The questions of the entries with these numbers."""
    return [str(number) for number in those]


def in_database(store: ServiceStore) -> list[str]:
    """The questions that the database has, as often as it has them, in the order of their entries."""
    query = select(messages.c.user_message).order_by(messages.c.at, messages.c.id)
    with store.reading() as connection:
        found = [said for said in connection.scalars(query) if said is not None]
    return sorted(found, key=int)  # within a millisecond, names are in no order


def as_written(address: str, project: int = 1) -> list[str]:
    """The questions of a project that a PostgreSQL has, in the order in which they were written there.

    Those of one millisecond are in no order: a transaction sorts its rows by their names.
    """
    query = "SELECT at, user_message FROM messages WHERE project = %s ORDER BY tableoid, ctid"
    with psycopg.connect(address) as connection:
        found = connection.execute(query, (project,)).fetchall()
    moments = groupby(found, key=itemgetter(0))
    return [said for _, rows in moments for said in sorted((said for _, said in rows), key=int)]
