"""Messages and entries as rows of the database, and entries as lines of JSON.

An entry is written whole, and once, however often it is handed over. Its text is read strictly, and carries
the version of its shape.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import storable
from sensecheck.core.serialization import from_data, read_json, reject_unknown, required_key, to_data
from sensecheck.store.bulk import add_rows
from sensecheck.store.columns import finite, in_utc
from sensecheck.store.service.idempotency import complete_rows
from sensecheck.store.service.records import Candidate, Entry, Message, moment_of
from sensecheck.store.service.retention import not_erased, session_digest
from sensecheck.store.service_tables import candidates, messages

KEPT_FOR = timedelta(hours=24)
"""How long a request with an idempotency key is answered from memory."""
VERSION = 1
"""Of the shape; a text of another version is refused, not guessed at."""
_AT = "entry"


def find_message(connection: Connection, project: int, message: str) -> Message | None:
    """A message of this project; None where there is none, or it is another's."""
    at = moment_of(message)
    if at is None:
        return None
    query = select(messages).where(
        messages.c.at == at, messages.c.id == message, messages.c.project == project
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else message_in(row)


def write_entries(connection: Connection, entries: Sequence[Entry]) -> None:
    """Add what is not there yet, within the transaction of the connection; what was erased stays so."""
    entries = not_erased(connection, entries)
    rows = [row_of(entry.message) for entry in entries]
    held_back = [row_of(entry.candidate) for entry in entries if entry.candidate is not None]
    completed_rows = [row for entry in entries if (row := _completed_row(entry)) is not None]
    # two who bring the same take its rows in the same order, so that neither waits for the other for ever
    if rows:
        add_rows(connection, messages, sorted(rows, key=itemgetter("at", "id")))
    if held_back:
        add_rows(connection, candidates, sorted(held_back, key=itemgetter("message")))
    if completed_rows:
        complete_rows(connection, sorted(completed_rows, key=itemgetter("project", "name")))


def entry_text(entry: Entry) -> str:
    """The entry as JSON, in ASCII; `ValueError` or `TypeError` for what JSON has no word for."""
    data = {"version": VERSION, "entry": to_data(entry)}
    return json.dumps(data, allow_nan=False, default=_moment_text, separators=(",", ":"))


def read_entry(text: str) -> Entry:
    """The entry that a text holds; `SpecError`, which may repeat what it holds, for any other text."""
    data = read_json(text, at=_AT)
    if not isinstance(data, dict):
        raise SpecError(f"`{_AT}` must be a mapping; got {type(data).__name__}")
    reject_unknown(data, ("version", "entry"), _AT)
    if (version := required_key(data, "version", _AT)) != VERSION:
        raise SpecError(f"`{_AT}` has the version {version!r}; this version of sensecheck reads {VERSION}")
    entry = required_key(data, "entry", _AT)
    for part in ("message", "candidate"):
        if isinstance(entry, dict) and isinstance(entry.get(part), dict) and "at" in entry[part]:
            entry[part]["at"] = _parse_moment(entry[part]["at"], f"{_AT}.{part}.at")
    return from_data(Entry, entry, at=_AT)


def row_of(record: Message | Candidate) -> dict[str, Any]:
    """The row of a message, or of an answer that was held back: its values as any database can hold them."""
    return {column.name: _storable_value(getattr(record, column.name)) for column in fields(record)}


def message_in(row: RowMapping | Mapping[str, Any]) -> Message:
    """The message in a row of `messages`."""
    chunks = row["source_chunk_ids"]
    chunk_ids = None if chunks is None else tuple(chunks)
    return Message(**{**row, "at": in_utc(row["at"]), "source_chunk_ids": chunk_ids})


def _completed_row(entry: Entry) -> dict[str, Any] | None:
    completed, message = entry.completed, entry.message
    if completed is None:
        return None
    return {
        "project": message.project,
        "name": completed.name,
        "request": completed.request,
        "until": message.at + KEPT_FOR,
        "session": None
        if message.session_id is None
        else session_digest(message.project, message.session_id),
        "status": completed.status,
        "body": completed.body,
    }


def _moment_text(value: object) -> str:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TypeError(f"must be a JSON value, or a moment with its zone; got {type(value).__name__}")
    return value.astimezone(UTC).isoformat()


def _parse_moment(text: Any, at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise SpecError(f"`{at}` must be a moment such as 2026-01-31T12:00:00+00:00") from error
    if moment.tzinfo is None:
        raise SpecError(f"`{at}` must be a moment with its zone")
    return moment.astimezone(UTC)


def _storable_value(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, tuple):
        return [_storable_value(item) for item in value]
    return finite(value, "a number")[0] if isinstance(value, float) else value
