"""Validation errors, problems and unexpected errors as replies.

No reply repeats what the client sent: an unexpected error is named by an id, and logged by where it came
from, without its message.
"""

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core.core_schema import ErrorType
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.core.errors import SensecheckError
from sensecheck.server.logging import log
from sensecheck.server.middleware.request import VISIT, note_trouble
from sensecheck.server.problems import BROKEN, MEDIA_TYPE, STOPPING, Problem, RequestMistake

_WORDS = {
    "missing": "is required",
    "extra_forbidden": "holds a key that is not known",
    "string_type": "must be a string",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
    "string_pattern_mismatch": "must be a string that matches `{pattern}`",
    "string_unicode": "must be a string of Unicode",
    "too_short": "must have at least {min_length} items",
    "too_long": "must have at most {max_length} items",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "model_attributes_type": "must be a JSON object",
    "dict_attributes_type": "must be a JSON object",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a smaller whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "greater_than": "must be more than {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be less than {lt}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "enum": "must be {expected}",
    "none_required": "must be null",
    "uuid_parsing": "must be a UUID",
    "uuid_type": "must be a UUID",
    "uuid_version": "must be a UUID of another version",
    "datetime_parsing": "must be a moment as in ISO 8601",
    "datetime_from_date_parsing": "must be a moment as in ISO 8601",
    "datetime_type": "must be a moment as in ISO 8601",
    "timezone_aware": "must be a moment with its time zone",
    "date_parsing": "must be a day as YYYY-MM-DD",
    "date_from_datetime_parsing": "must be a day as YYYY-MM-DD",
    "date_type": "must be a day as YYYY-MM-DD",
}
"""Every value between braces is a limit of ours, never what the client sent."""
_THEIRS = frozenset(get_args(ErrorType))
"""Every other type is that of a `PydanticCustomError` of ours, whose message is repeated as it is."""
_CUT_OFF = "the service stopped; whether the request was done is not known"
_ONE = re.compile(r"\b1 (character|item)s\b")
_SIGNS = {"query": "query: ", "path": "path: ", "header": "header: ", "cookie": "cookie: "}


def reply_of(problem: Problem, headers: dict[str, str] | None = None) -> Response:
    """The reply that reports a problem."""
    note_trouble(problem.kind.name)
    body = json.dumps(problem.to_data(), ensure_ascii=False, allow_nan=False).encode()
    reply_headers = dict(headers or {})
    if problem.wait is not None:
        reply_headers["Retry-After"] = str(problem.wait)
    if problem.kind.status == 401:
        reply_headers["WWW-Authenticate"] = "Bearer"
    return Response(body, status_code=problem.kind.status, headers=reply_headers, media_type=MEDIA_TYPE)


async def reply_to_problem(request: Request, problem: Exception) -> Response:
    """Answer with a problem that was raised on purpose."""
    assert isinstance(problem, Problem)
    return reply_of(problem)


class Unexpected:
    """Answers with a problem where a route raised what it should not, or was cut off by a stop."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = False

        async def note_start(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, note_start)
        except asyncio.CancelledError:
            if scope["type"] != "http" or not _is_cut_off():
                raise
            reply = reply_of(Problem(STOPPING, _CUT_OFF, retry_after=1))  # noted also where it cannot be sent
            if not begun:
                await reply(scope, receive, send)
        except Exception as trouble:  # the last place that can keep its words from client and log
            if scope["type"] != "http":
                raise
            error_id = _log_error(trouble)
            if not begun:
                detail = f"tell the operator of the service this id: {error_id}"
                reply = reply_of(Problem(BROKEN, detail, more={"id": error_id}), {"Connection": "close"})
                await reply(scope, receive, send)
            # Handed on without its words: the server ends the connection, also of an answer that had begun.
            raise BrokenOff(f"the request {error_id} could not be answered") from None


def mistakes_in(
    errors: Sequence[Mapping[str, Any]], known: frozenset[str], shape: Any = None
) -> list[RequestMistake]:
    """Where the mistakes are; names that are not `known` came from the client and are left out.

    With the `shape` that the body should have, keys that are not known come with those that are.
    """
    mistakes = [
        (RequestMistake(_pointer(_where(error), known), _words(error, shape)), _is_type(error))
        for error in errors
    ]
    closer = {mistake.pointer for mistake, is_type in mistakes if not is_type}
    closer.update(above for mistake, _ in mistakes for above in _pointers_above(mistake.pointer))
    # Where a text or an object may stand, each complains that the other is none: that is no help.
    return list(
        dict.fromkeys(mistake for mistake, is_type in mistakes if not (is_type and mistake.pointer in closer))
    )


def in_body(wrong: ValidationError) -> list[dict[str, Any]]:
    """The mistakes of a model that was read from a body, located as the framework locates those it finds."""
    return [{**error, "loc": ("body", *error["loc"])} for error in wrong.errors(include_url=False)]


@lru_cache(256)
def keys_at(shape: Any, steps: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys of the object at these steps into a shape; none where no object is described there."""
    for step in steps:
        shape = _shape_after(shape, step)
    model = next(_models_in(shape), None)
    return () if model is None else tuple(model.model_fields)


class BrokenOff(SensecheckError):
    """A request could not be answered, or not to the end; its connection is ended, so that it looks so."""


def _is_cut_off() -> bool:
    """Whether the server wants this request to end, rather than something in it was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _log_error(trouble: Exception) -> str:
    visit = VISIT.get()
    error_id = visit.id if visit is not None else "none"
    log().error("broken", request=error_id, exc_info=trouble)
    return error_id


def _pointer(loc: Sequence[int | str], names: frozenset[str]) -> str:
    where = str(loc[0]) if loc else "body"
    steps = [str(step) for step in loc[1:] if isinstance(step, int) or step in names]
    if where in _SIGNS:
        return _SIGNS[where] + "/".join(steps)
    return "#" + "".join(f"/{step.replace('~', '~0').replace('/', '~1')}" for step in steps)


def _where(error: Mapping[str, Any]) -> Sequence[int | str]:
    """A key that is not known is a mistake of the object that holds it."""
    loc: Sequence[int | str] = error["loc"]
    return loc[:-1] if error["type"] == "extra_forbidden" else loc


def _words(error: Mapping[str, Any], shape: Any) -> str:
    if error["type"] not in _THEIRS:
        return str(error["msg"])
    words = _WORDS.get(error["type"], "is not as described").format_map(_OurLimits(error.get("ctx") or {}))
    if error["type"] == "extra_forbidden" and (keys := keys_at(shape, tuple(error["loc"][1:-1]))):
        words += "; known: " + ", ".join(f"`{key}`" for key in keys)
    return _ONE.sub(r"1 \1", words)


class _OurLimits(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        return "what is described"


def _is_type(error: Mapping[str, Any]) -> bool:
    return str(error["type"]).endswith("_type")


def _pointers_above(pointer: str) -> Iterator[str]:
    while "/" in pointer:
        pointer = pointer.rpartition("/")[0]
        yield pointer


def _shape_after(shape: Any, step: int | str) -> Any:
    """What lies behind a step: the value of a key, or one of several shapes by its name; else the same."""
    for model in _models_in(shape):
        if model.__name__ == step:
            return model
        if step in model.model_fields:
            return model.model_fields[str(step)].annotation
    return shape


def _models_in(shape: Any) -> Iterator[type[BaseModel]]:
    """Models that a value may be, or hold as the items of a list."""
    if isinstance(shape, type) and issubclass(shape, BaseModel):
        yield shape
    for part in get_args(shape):
        yield from _models_in(part)
