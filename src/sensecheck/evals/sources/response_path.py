"""Where in a server's reply the answer stands: `json.choices[0].message.content`, or `text`."""

import json
import re
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.evals.node import Node
from sensecheck.evals.sources.output import text_of

_STEP = re.compile(r"\??\.([A-Za-z_$][\w$-]*)|(?:\?\.)?\[(\d+)\]|(?:\?\.)?\[(?:'([^']*)'|\"([^\"]*)\")\]")


@dataclass(frozen=True, slots=True)
class ResponsePath:
    """Steps from a reply to the answer in it: keys of mappings, and places in lists from zero."""

    written: str = ""
    steps: tuple[str | int, ...] = ()
    """Empty for the whole reply."""

    @classmethod
    def read(cls, node: Node) -> Self:
        """The path that a battery writes; what is a program rather than a path is an error."""
        written = node.text("`transformResponse`").strip()
        if written == "text":
            return cls(written)
        steps = _steps(written.removeprefix("json")) if written.startswith("json") else None
        if steps is None:
            raise node.wrong(
                f"`transformResponse` wants a path such as `json.choices[0].message.content`, or `text`; "
                f"found `{written}`, and JavaScript is not run here"
            )
        return cls(written, steps)

    def find(self, reply: str) -> str | None:
        """The answer; None when the reply has nothing there."""
        if not self.steps and self.written != "json":
            return reply if self.written else _unquoted(reply)
        try:
            held = json.loads(reply)
            for step in self.steps:
                held = held[step]
        except (ValueError, RecursionError, KeyError, IndexError, TypeError):
            return None
        return text_of(held)


def _steps(path: str) -> tuple[str | int, ...] | None:
    """None when this is no path."""
    found: list[str | int] = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        name, place, *quoted = step.groups()
        found.append(
            int(place) if place is not None else next(one for one in (name, *quoted) if one is not None)
        )
        at = step.end()
    return tuple(found)


def _unquoted(reply: str) -> str:
    """A reply that is one JSON text is that text; any other stays as it is."""
    try:
        held: Any = json.loads(reply)
    except (ValueError, RecursionError):
        return reply
    return held if isinstance(held, str) else reply
