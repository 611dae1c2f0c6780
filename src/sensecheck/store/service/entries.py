"""Entries written down: each of them whole, and once, however often it is brought."""

from collections.abc import Sequence
from datetime import timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection

from sensecheck.store.service.erasure import not_erased, session_digest
from sensecheck.store.service.idempotency import complete_rows
from sensecheck.store.service.many_rows import add_rows
from sensecheck.store.service.messages import candidate_row, message_row
from sensecheck.store.service.records import Entry
from sensecheck.store.service_tables import candidates, messages

KEPT_FOR = timedelta(hours=24)
"""How long a request with an idempotency key is answered from memory."""


def write_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Add what is not there yet, within the transaction of the connection; what was erased stays so."""
    entries = not_erased(connection, entries)
    kept = [message_row(entry.message) for entry in entries]
    held = [candidate_row(entry.candidate) for entry in entries if entry.candidate is not None]
    done = [row for entry in entries if (row := _completed_row(entry)) is not None]
    # two who bring the same take its rows in the same order, so that neither waits for the other for ever
    if kept:
        add_rows(connection, messages, sorted(kept, key=itemgetter("at", "id")))
    if held:
        add_rows(connection, candidates, sorted(held, key=itemgetter("message")))
    if done:
        complete_rows(connection, sorted(done, key=itemgetter("project", "name")))


def _completed_row(entry: Entry) -> dict[str, Any] | None:
    done, message = entry.completed, entry.message
    if done is None:
        return None
    return {
        "project": message.project,
        "name": done.name,
        "request": done.request,
        "until": message.at + KEPT_FOR,
        "session": None
        if message.session_id is None
        else session_digest(message.project, message.session_id),
        "status": done.status,
        "body": done.body,
    }
