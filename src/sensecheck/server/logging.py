"""Log lines: one for each event, and never a word of what people asked or were answered.

They are JSON for machines, and something shorter for people at a terminal.
"""

import json
import logging
import sys
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any, Literal, TextIO

import structlog
from structlog.dev import ConsoleRenderer

Look = Literal["json", "plain", "coloured"]
Draw = Callable[[Mapping[str, Any]], str]
_CLOCK = slice(len("2026-11-15T"), len("2026-11-15T12:00:00"))
_EVENT_WIDTH = 10
FIELDS = frozenset(
    (
        "at", "level", "event", "request", "method", "route", "status", "ms", "key", "problem", "trouble",
        "places", "instead", "logger", "where", "says", "address", "engines", "waiting", "part", "seconds",
        "count", "version", "writer", "encoder", "store", "policy", "pid", "code", "decision",
        "outcome", "script", "integrity",
    )
)  # fmt: skip
"""What a line may hold. A field that is not here is left out, and `left_out` names it."""
_OURS = "sensecheck.server"
_TRUSTED = ("uvicorn", "sensecheck")
_LONGEST = 300


def log() -> Any:
    """The log; each call of it is a line."""
    return _LOG


def write_logs(to: TextIO | None = None, *, look: Look = "json", level: int = logging.INFO) -> None:
    """Write lines that look so from here on, those of uvicorn and of all other libraries too."""
    handler = logging.StreamHandler(sys.stderr if to is None else to)
    handler.setFormatter(_Line(look))
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)
    for name in _TRUSTED:
        logging.getLogger(name).setLevel(level)


def places_of(trouble: BaseException, most: int = 8) -> list[str]:
    """Where in the code an error came from; its own words may hold what people wrote, and are not logged."""
    frames = traceback.extract_tb(trouble.__traceback__)[-most:]
    return [
        f"{frame.filename.rpartition('site-packages/')[2]}:{frame.lineno} {frame.name}" for frame in frames
    ]


def drawn_as(look: Look) -> Draw:
    """What makes a line of what happened."""
    if look == "json":
        return json.dumps
    renderer = ConsoleRenderer(
        colors=look == "coloured", pad_event_to=_EVENT_WIDTH, timestamp_key="at", sort_keys=False
    )
    return lambda line: renderer(None, "", _for_people(line))


def _without_words(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    error = line.pop("exc_info", None)
    if isinstance(error, BaseException):
        line["trouble"], line["places"] = type(error).__name__, places_of(error)
    return line


def _only_our_fields(_: Any, __: str, line: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    fields = {name: _short(value) for name, value in line.items() if name in FIELDS}
    unknown = sorted(set(line) - FIELDS)
    return {**fields, "left_out": unknown} if unknown else fields


_SHARED: list[Any] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    _without_words,
    _only_our_fields,
]


def _to_the_handler(_: Any, __: str, line: MutableMapping[str, Any]) -> tuple[tuple[Any], dict[str, Any]]:
    """As it is: the formatter of the handler decides how it looks."""
    return (line,), {}


_LOG = structlog.wrap_logger(
    logging.getLogger(_OURS),
    processors=[*_SHARED, _to_the_handler],
    wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    cache_logger_on_first_use=True,
)
"""Its settings are its own: whatever else this process does with structlog, these lines show no more."""


class _Line(logging.Formatter):
    """Our own lines as they are; a record of another library as one of ours: who wrote it, and where."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._draw = drawn_as(look)

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        message: Any = record.msg
        ours = record.name == _OURS and isinstance(message, Mapping)
        return self._draw(message if ours else _line_of(record))


def _line_of(record: logging.LogRecord) -> MutableMapping[str, Any]:
    line: MutableMapping[str, Any] = {
        "event": "record",
        "logger": record.name,
        "where": f"{record.module}:{record.lineno}",
        **_words_of(record),
    }
    if record.exc_info and record.exc_info[1] is not None:
        line["exc_info"] = record.exc_info[1]
    for step in _SHARED:
        line = step(None, record.levelname.lower(), line)
    return line


def _words_of(record: logging.LogRecord) -> Mapping[str, str]:
    """Only of those whose messages hold nothing of a request; others put values into theirs."""
    return {"says": record.getMessage()} if record.name.partition(".")[0] in _TRUSTED else {}


def _for_people(line: Mapping[str, Any]) -> dict[str, Any]:
    """The clock without the day, and the words of a library in the place of the event."""
    rest = {name: value for name, value in line.items() if name not in ("at", "level", "event", "says")}
    if "says" in line:
        rest.pop("where", None)  # with its words, the place they come from is not needed
    clock, event = str(line["at"])[_CLOCK], line.get("says", line["event"])
    return {"at": clock, "level": line["level"], "event": event, **rest}


def _short(value: Any) -> Any:
    if isinstance(value, str):
        return value[:_LONGEST]
    return value if isinstance(value, int | float | list) or value is None else type(value).__name__
