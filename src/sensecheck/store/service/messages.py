"""Messages, as rows and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sqlalchemy import Connection, RowMapping, select

from sensecheck.core.run import storable
from sensecheck.store.finite import finite
from sensecheck.store.moments import in_utc
from sensecheck.store.service.ids import moment_of
from sensecheck.store.service.records import Candidate, Message
from sensecheck.store.service_tables import messages

_MESSAGE = tuple(entry.name for entry in fields(Message))
_CANDIDATE = tuple(entry.name for entry in fields(Candidate))


def message_row(message: Message) -> dict[str, Any]:
    """The row of a message: its texts and numbers as any database can hold them."""
    row = {name: _kept(getattr(message, name)) for name in _MESSAGE}
    if message.source_chunk_ids is not None:
        row["source_chunk_ids"] = [storable(one) for one in message.source_chunk_ids]
    return row


def candidate_row(candidate: Candidate) -> dict[str, Any]:
    """The row of an answer that was held back."""
    return {name: _kept(getattr(candidate, name)) for name in _CANDIDATE}


def message_in(row: RowMapping | Mapping[str, Any]) -> Message:
    """The message in a row of `messages`."""
    found = {name: row[name] for name in _MESSAGE}
    chunks = found["source_chunk_ids"]
    found["source_chunk_ids"] = None if chunks is None else tuple(chunks)
    return Message(**found | {"at": in_utc(found["at"])})


def find_message(connection: Connection, project: int, message: str) -> Message | None:
    """A message of this project; None where there is none, or it is somebody else's."""
    at = moment_of(message)
    if at is None:
        return None
    query = select(messages).where(
        messages.c.at == at, messages.c.id == message, messages.c.project == project
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else message_in(row)


def _kept(value: object) -> object:
    if isinstance(value, str):
        return storable(value)
    return finite(value, "a number")[0] if isinstance(value, float) else value
