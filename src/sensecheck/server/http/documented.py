"""What a route can answer besides what was asked for, for its description."""

from typing import Any

from sensecheck.server.problems import (
    BROKEN,
    ENGINE_AWAY,
    INVALID,
    LIMITED,
    MEDIA_TYPE,
    NO_KEY,
    NO_SUCH_ORIGIN,
    NOT_ALLOWED,
    NOT_JSON,
    OVERLOADED,
    POLICY_MISSING,
    STOPPING,
    STORE_AWAY,
    TOO_LARGE,
    TOO_SLOW,
    UNKNOWN_KEY,
    UNREADABLE,
    Kind,
)

ADMITTED = (NO_KEY, UNKNOWN_KEY, NOT_ALLOWED, NO_SUCH_ORIGIN, INVALID, STORE_AWAY, STOPPING, BROKEN)
"""What any route with a key can come to."""
WITH_BODY = (UNREADABLE, TOO_LARGE, TOO_SLOW, NOT_JSON)
COUNTED = (LIMITED,)
JUDGED = (OVERLOADED, ENGINE_AWAY, POLICY_MISSING)

Responses = dict[int | str, dict[str, Any]]
PROBLEM_SCHEMA = {
    "title": "Problem",
    "description": "What went wrong, as RFC 9457 lays it out.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "format": "uri", "description": "Tells the kind; it never changes."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["pointer", "detail"],
                "properties": {"pointer": {"type": "string"}, "detail": {"type": "string"}},
            },
        },
    },
}
_CONTENT = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}


def documented(*kinds: Kind, body: bool = False, counted: bool = False, judged: bool = False) -> Responses:
    """The `responses` of a route that takes a key, and can come to these problems too."""
    every = (
        *ADMITTED,
        *(WITH_BODY if body else ()),
        *(COUNTED if counted else ()),
        *(JUDGED if judged else ()),
        *kinds,
    )
    told: Responses = {}
    for status in sorted({kind.status for kind in every}):
        names = dict.fromkeys(f"{kind.title} (`{kind.name}`)" for kind in every if kind.status == status)
        told[status] = {"description": "; ".join(names) + ".", "content": _CONTENT}
    return told
