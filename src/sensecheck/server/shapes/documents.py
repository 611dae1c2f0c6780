"""What the routes that judge and answer can come to, for the description."""

from typing import Any

from sensecheck.server.http.documented import Responses, documented
from sensecheck.server.problems import (
    ANOTHER_REQUEST,
    BUDGET_SPENT,
    NO_ROOM,
    UNDER_WAY,
    WRITER_AWAY,
)
from sensecheck.server.shapes.contract import Incomplete, SelectedTextReply
from sensecheck.server.shapes.replies import AnswerReply, BatchReply, CheckReply

_TOLD = {
    name: {"description": says, "schema": {"type": "string", "enum": values}}
    for name, says, values in (
        (
            "Sensecheck-Decision",
            "What became of the answer.",
            ["accepted", "held-back", "no-answer", "writer-failed"],
        ),
        ("Sensecheck-Outcome", "What was found of it.", ["pass", "fail", "unsure", "error"]),
    )
}

_ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A name for this request, chosen by the client: sent again, it is done once, and answered "
    "with the same bytes. An answer must be stored for that; a check that is not stored needs no name.",
    "schema": {"type": "string", "pattern": "^[!-~]([ -~]{0,253}[!-~])?$"},
}
_FROM = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last event that was received: as many code points of an answer that is "
    "told again, by its `Idempotency-Key`, are left out. The event `start` has the id from which it goes on; "
    "where that is 0, the answer begins anew.",
    "schema": {"type": "string", "pattern": "^[0-9]{1,9}$"},
}
ONCE: dict[str, Any] = {"parameters": [_ONCE]}
ONCE_OR_FROM: dict[str, Any] = {"parameters": [_ONCE, _FROM]}


_SPOKEN_OF = {
    name: {"operationId": operation, "parameters": {"message_id": "$response.body#/id"}}
    for name, operation in (("feedback", "give_feedback"), ("label", "label_message"))
}
"""What can be said of an answer that is kept, by its id."""


def _kept(told: Responses) -> Responses:
    """What a route tells, and the problems of all that judge and keep."""
    problems = documented(
        NO_ROOM, BUDGET_SPENT, UNDER_WAY, ANOTHER_REQUEST, WRITER_AWAY, body=True, counted=True, judged=True
    )
    return problems | told


CHECK: Responses = _kept({200: {"model": CheckReply, "description": "What was found."}})
BATCH: Responses = _kept({200: {"model": BatchReply, "description": "A result or a problem for each check."}})
ANSWERS: Responses = _kept(
    {
        200: {
            "model": AnswerReply,
            "description": "The answer, whole or event by event (`start`, `delta`, `end`, `problem`).",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "links": _SPOKEN_OF,
        }
    }
)
CONTRACT: Responses = _kept(
    {
        200: {"model": SelectedTextReply, "description": "The answer, or the fallback.", "headers": _TOLD},
        400: {
            "model": Incomplete,
            "description": "The question or the text is missing, or the body cannot be read.",
            "content": documented(body=True)[400]["content"],
        },
    }
)
