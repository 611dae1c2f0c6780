"""Entries for tests, and what a store holds of them."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table, func, select

from sensecheck.store.columns import in_utc
from sensecheck.store.service.messages import find_message
from sensecheck.store.service.records import Candidate, Completed, Entry, Message, moment_of, new_id
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import candidates

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


def message(project: int, *, at: datetime = NOON, **other: Any) -> Message:
    """A message of this moment."""
    name = new_id(at)
    values: dict[str, Any] = {
        "api_key": "k1",
        "session_id": "s1",
        "mode": "selected_text",
        "user_message": "What is ROS 2?",
        "assistant_response": "A middleware.",
        "selected_text": "ROS 2 is a middleware.",
        "in_selected_text": True,
        "outcome": "pass",
        "policy": "default@2",
        "writer": "extractive",
        "encoder": "mark-1",
        "support": 0.1 + 0.2,
    }
    return Message(id=name, at=moment_of(name) or at, project=project, **values | other)


def entry(project: int, *, done: str | None = None, held: str | None = None, **other: Any) -> Entry:
    """An entry; with what an idempotency key `done` came to, and an answer `held` back."""
    one = message(project, **other)
    candidate = held and Candidate(
        one.id, one.at, project, one.session_id, held, "ROS 2 is a middleware.", "not in it"
    )
    completed = done and Completed(
        done, "asked", 200, {"response": "A middleware.", "in_selected_text": True}
    )
    return Entry(one, candidate or None, completed or None)


def kept_message(store: ServiceStore, project: int, name: str) -> Message | None:
    """A message of a project; None for one that it does not have."""
    with store.engine.connect() as connection:
        return find_message(connection, project, name)


def held_back(store: ServiceStore, project: int, name: str) -> Candidate | None:
    """The answer that was held back with a message, where the project has it."""
    query = select(candidates).where(candidates.c.message == name, candidates.c.project == project)
    with store.engine.connect() as connection:
        row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Candidate(**{**row, "at": in_utc(row["at"])})


def count(store: ServiceStore, table: Table) -> int:
    """How many rows a table has."""
    with store.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())
