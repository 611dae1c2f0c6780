"""Every route of the service, and requests that each of them takes."""

import re
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from sensecheck.server.app import app_of
from sensecheck.server.startup import ServiceParts

OPEN = frozenset(("/livez", "/readyz", "/metrics"))
"""Answered without a key, to whoever asks from this machine."""
FOR_PAGES = frozenset(
    (
        "/query-selected-text",
        "/v1/answers",
        "/v1/related",
        "/v1/messages/{message_id}/feedback",
        "/v1/limits",
    )
)
"""All that a publishable key can be used for."""


@dataclass(frozen=True, slots=True)
class Door:
    """A route and a method."""

    method: str
    path: str

    def at(self, value: str) -> str:
        """Its path, with this for whatever is named in it."""
        return re.sub(r"\{\w+\}", value, self.path)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def _no_parts() -> AbstractAsyncContextManager[ServiceParts]:
    raise AssertionError("a description needs no parts")


_DESCRIBED = app_of(_no_parts).openapi()
DOORS = [Door(method.upper(), path) for path, methods in _DESCRIBED["paths"].items() for method in methods]
CLOSED = [door for door in DOORS if door.path not in OPEN]


def body_of(door: Door, word: str) -> dict[str, Any] | None:
    """A body that the route takes, with a word in every text of it; None for a route that takes none."""
    check = {
        "answer": f"The {word} sleeps.",
        "sources": [{"id": word, "text": f"The {word} sleeps. It is a cat."}],
        "question": f"What does the {word} do?",
        "store": True,
        "session_id": word,
    }
    bodies: dict[str, dict[str, Any]] = {
        "/query-selected-text": {
            "query": f"What does the {word} do?",
            "selected_text": f"The {word} sleeps.",
            "session_id": word,
            word: word,
        },
        "/v1/check": check,
        "/v1/checks:batch": {"checks": [check, {word: word}]},
        "/v1/answers": {
            "question": f"What does the {word} do?",
            "passage": f"The {word} sleeps.",
            "session_id": word,
        },
        "/v1/related": {
            "question": f"What does the {word} do?",
            "sections": [{"id": word[:200], "text": f"The {word} sleeps."}, {"id": "other", "text": word}],
        },
        "/v1/messages/{message_id}/feedback": {"thumb": "up", "note": word},
        "/v1/messages/{message_id}/labels": {"grounded": True, "reviewer": word, "note": word},
        "/v1/policies/{policy_id}:calibrate": {},
    }
    return bodies.get(door.path)
