"""The same log looks one way to machines and another to people, and holds the same."""

import json
from typing import Any

import pytest

from sensecheck.server.logging import drawn_as

LINE: dict[str, Any] = {
    "event": "request",
    "level": "info",
    "at": "2026-11-15T23:08:19.123456Z",
    "route": "/v1/check",
    "status": 200,
}


def test_machines_read_json() -> None:
    assert json.loads(drawn_as("json")(LINE)) == LINE


def test_people_read_the_clock_what_happened_and_the_rest() -> None:
    assert drawn_as("plain")(LINE).split() == [
        "23:08:19", "[info", "]", "request", "route=/v1/check", "status=200"
    ]  # fmt: skip


def test_words_of_a_library_stand_where_the_event_would() -> None:
    said = {
        **LINE, "event": "record", "logger": "uvicorn.error", "where": "server:84", "says": "Started."
    }  # fmt: skip

    shown = drawn_as("plain")(said)

    assert "Started." in shown
    assert "[uvicorn.error]" in shown
    assert "record" not in shown
    assert "server:84" not in shown


@pytest.mark.parametrize(("look", "painted"), [("json", False), ("plain", False), ("coloured", True)])
def test_only_coloured_lines_hold_colours(look: Any, painted: bool) -> None:
    assert ("\x1b[" in drawn_as(look)(LINE)) is painted
