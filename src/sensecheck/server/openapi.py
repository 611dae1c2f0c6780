"""The description of the API, as `/openapi.json` gives it."""

import json
from collections.abc import Iterator
from functools import cached_property
from importlib.resources import files
from typing import Any

from fastapi import FastAPI
from starlette.convertors import PathConvertor, StringConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.server.problems import (
    ANOTHER_REQUEST,
    BROKEN,
    BUDGET_SPENT,
    ENGINE_AWAY,
    INVALID,
    LIMITED,
    MEDIA_TYPE,
    NO_KEY,
    NO_ROOM,
    NO_SUCH_ORIGIN,
    NOT_ALLOWED,
    NOT_JSON,
    OVERLOADED,
    POLICY_MISSING,
    STOPPING,
    STORE_AWAY,
    TOO_LARGE,
    TOO_SLOW,
    UNDER_WAY,
    UNKNOWN_KEY,
    UNREADABLE,
    WRITER_AWAY,
    ProblemKind,
)
from sensecheck.server.schemas.answers import Incomplete, SelectedTextReply
from sensecheck.server.schemas.replies import AnswerReply, BatchReply, CheckReply

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


def documented(
    *kinds: ProblemKind, body: bool = False, counted: bool = False, judged: bool = False
) -> Responses:
    """The `responses` of a route that takes a key, and can come to these problems too."""
    all_kinds = (
        *ADMITTED,
        *(WITH_BODY if body else ()),
        *(COUNTED if counted else ()),
        *(JUDGED if judged else ()),
        *kinds,
    )
    responses: Responses = {}
    for status in sorted({kind.status for kind in all_kinds}):
        names = dict.fromkeys(f"{kind.title} (`{kind.name}`)" for kind in all_kinds if kind.status == status)
        responses[status] = {"description": "; ".join(names) + ".", "content": _CONTENT}
    return responses


_KEY = {"type": "http", "scheme": "bearer", "description": "`sk_…` from a server, `pk_…` from a page."}
_NOT_OURS = ("HTTPValidationError", "ValidationError")


_EXAMPLE_OF = {"application/json": "response", "text/event-stream": "events", "text/plain": "text"}


class Described(FastAPI):
    """An application that describes its problems as they are."""

    def setup(self) -> None:
        """The description is the one route of the framework's own that we want."""
        self.add_api_route("/openapi.json", self._reply, methods=["GET", "HEAD"], include_in_schema=False)

    def describe(self) -> None:
        """Make the description, before anybody asks: it takes as long as a hundred requests."""
        _ = self.known_names, self._description

    def openapi(self) -> dict[str, Any]:
        """The description, made once."""
        if self.openapi_schema is None:
            description = super().openapi()
            components = description.setdefault("components", {})
            schemas = components.setdefault("schemas", {})
            for name in _NOT_OURS:
                schemas.pop(name, None)
            schemas["Problem"] = PROBLEM_SCHEMA
            components["securitySchemes"] = {"key": _KEY}
            description["security"] = [{"key": []}, {}]
            components["schemas"] = dict(sorted(schemas.items()))
            _add_examples(description["paths"])
        assert self.openapi_schema is not None
        return self.openapi_schema

    @cached_property
    def known_names(self) -> frozenset[str]:
        """Every name that a request may hold: in messages, these alone are repeated."""
        return frozenset(_names_in(self.openapi()))

    @cached_property
    def _description(self) -> bytes:
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()

    async def _reply(self, request: Request) -> Response:
        return Response(self._description, media_type="application/json")


def _add_examples(paths: dict[str, Any]) -> None:
    """Give every operation an example of a request and of its reply, from `examples.json`, by its id."""
    examples = json.loads(files("sensecheck.server").joinpath("examples.json").read_text(encoding="utf-8"))
    for operation in (operation for methods in paths.values() for operation in methods.values()):
        example = examples.get(operation["operationId"])
        if example is None:
            continue  # an operation that was added to the service
        if "request" in example:
            operation["requestBody"]["content"]["application/json"]["example"] = example["request"]
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                parameter["example"] = example["path"][parameter["name"]]
        reply = next(
            response for status, response in operation["responses"].items() if status.startswith("2")
        )
        for media_type, content in reply.get("content", {}).items():
            content["example"] = example[_EXAMPLE_OF[media_type]]


def _names_in(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _names_in(part)
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get("properties"), dict):
        yield from schema["properties"]
    if isinstance(schema.get("name"), str) and "in" in schema:
        yield schema["name"]
    for part in schema.values():
        yield from _names_in(part)


class PolicyPart(StringConvertor):
    """The name of a policy; what stands after a colon is something to do with it."""

    regex = "[^/:]+"


class WholePart(PathConvertor):
    """All that is left, line breaks too: a name that a client chose can hold anything."""

    regex = "(?s:.*)"


POLICY, WHOLE = "policy", "whole"
register_url_convertor(POLICY, PolicyPart())
register_url_convertor(WHOLE, WholePart())


_ANSWER_HEADERS = {
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


_MESSAGE_LINKS = {
    name: {"operationId": operation, "parameters": {"message_id": "$response.body#/id"}}
    for name, operation in (("feedback", "give_feedback"), ("label", "label_message"))
}
"""What can be said of an answer that is stored, by its id."""


def _judged_and_stored(responses: Responses) -> Responses:
    """The responses of a route, and the problems of all routes that judge and store."""
    problems = documented(
        NO_ROOM, BUDGET_SPENT, UNDER_WAY, ANOTHER_REQUEST, WRITER_AWAY, body=True, counted=True, judged=True
    )
    return problems | responses


CHECK: Responses = _judged_and_stored({200: {"model": CheckReply, "description": "What was found."}})
BATCH: Responses = _judged_and_stored(
    {200: {"model": BatchReply, "description": "A result or a problem for each check."}}
)
ANSWERS: Responses = _judged_and_stored(
    {
        200: {
            "model": AnswerReply,
            "description": "The answer, whole or event by event (`start`, `delta`, `end`, `problem`).",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
            "links": _MESSAGE_LINKS,
        }
    }
)
CONTRACT: Responses = _judged_and_stored(
    {
        200: {
            "model": SelectedTextReply,
            "description": "The answer, or the fallback.",
            "headers": _ANSWER_HEADERS,
        },
        400: {
            "model": Incomplete,
            "description": "The question or the text is missing, or the body cannot be read.",
            "content": documented(body=True)[400]["content"],
        },
    }
)
