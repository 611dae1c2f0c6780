"""An entry as a line of JSON, and back: strictly, and with the version of its shape."""

import json
from datetime import UTC, datetime
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import from_data, held, only, read_json, to_data
from sensecheck.store.service.records import Entry

VERSION = 1
"""Of the shape; a text of another version is refused, not guessed at."""
_AT = "entry"


def entry_text(entry: Entry) -> str:
    """The entry as JSON, in ASCII; `ValueError` or `TypeError` for what JSON has no word for."""
    data = {"version": VERSION, "entry": to_data(entry)}
    return json.dumps(data, allow_nan=False, default=_moment_text, separators=(",", ":"))


def read_entry(text: str) -> Entry:
    """The entry that a text holds; `SpecError`, which may repeat what it holds, for any other text."""
    data = read_json(text, at=_AT)
    if not isinstance(data, dict):
        raise SpecError(f"`{_AT}` wants a mapping; found {type(data).__name__}")
    only(data, ("version", "entry"), _AT)
    if (version := held(data, "version", _AT)) != VERSION:
        raise SpecError(f"`{_AT}` has the version {version!r}; this version of sensecheck reads {VERSION}")
    entry = held(data, "entry", _AT)
    for part in ("message", "candidate"):
        if isinstance(entry, dict) and isinstance(entry.get(part), dict) and "at" in entry[part]:
            entry[part]["at"] = _moment(entry[part]["at"], f"{_AT}.{part}.at")
    return from_data(Entry, entry, at=_AT)


def _moment_text(value: object) -> str:
    if not isinstance(value, datetime) or value.tzinfo is None:
        raise TypeError(
            f"wanted what JSON has a word for, or a moment with its zone; found {type(value).__name__}"
        )
    return value.astimezone(UTC).isoformat()


def _moment(text: Any, at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError) as wrong:
        raise SpecError(f"`{at}` wants a moment such as 2026-01-31T12:00:00+00:00") from wrong
    if moment.tzinfo is None:
        raise SpecError(f"`{at}` wants a moment with its zone")
    return moment.astimezone(UTC)
