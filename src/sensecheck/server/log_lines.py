"""How a line of the log looks: JSON for machines, something shorter for people at a terminal."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from structlog.dev import ConsoleRenderer

Look = Literal["json", "plain", "coloured"]
Draw = Callable[[Mapping[str, Any]], str]
_CLOCK = slice(len("2026-11-15T"), len("2026-11-15T12:00:00"))
_EVENT_WIDTH = 10


def drawn_as(look: Look) -> Draw:
    """What makes a line of what happened."""
    if look == "json":
        return json.dumps
    people = ConsoleRenderer(
        colors=look == "coloured", pad_event_to=_EVENT_WIDTH, timestamp_key="at", sort_keys=False
    )
    return lambda line: people(None, "", _for_people(line))


def _for_people(line: Mapping[str, Any]) -> dict[str, Any]:
    """The clock without the day, and the words of a library in the place of the event."""
    rest = {name: value for name, value in line.items() if name not in ("at", "level", "event", "says")}
    if "says" in line:
        rest.pop("where", None)  # who has its words does not look for the place they come from
    clock, event = str(line["at"])[_CLOCK], line.get("says", line["event"])
    return {"at": clock, "level": line["level"], "event": event, **rest}
