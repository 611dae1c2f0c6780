"""Requests parsed strictly, and routes that are answered without most of the framework.

What is ambiguous in JSON is refused, not guessed at.
"""

import json
from collections.abc import Callable, Coroutine
from email.message import Message
from typing import Any, get_type_hints

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ValidationError
from pydantic_core import from_json
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import finite, no_number
from sensecheck.server.auth import Admits
from sensecheck.server.middleware.errors import in_body
from sensecheck.server.problems import NOT_JSON, UNREADABLE, Problem, RequestMistake, invalid

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class ServiceRoute(APIRoute):
    """A route that lets the caller in before it reads what they sent, and reads it strictly."""

    def get_route_handler(self) -> _Handler:
        """What answers a request."""
        answer = super().get_route_handler()
        admits = self._admits()
        reads = self.body_field is not None
        parameters = frozenset(field.alias for field in self.dependant.query_params)

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            if admits is not None:
                await admits(strict)
                reject_unknown_parameters(
                    request, parameters
                )  # probes and Prometheus, who need no key, may add any
            if reads:
                await strict.json()
            return await answer(strict)

        return handle

    def _admits(self) -> Admits | None:
        """What lets callers of this route in; None for a route that is open to all."""
        return next((one.call for one in self.dependant.dependencies if isinstance(one.call, Admits)), None)


def reject_unknown_parameters(request: Request, parameters: frozenset[str]) -> None:
    """Refuse a parameter in the address that would do nothing: it may be one of ours, mistyped."""
    if not request.scope["query_string"] or parameters.issuperset(request.query_params):
        return
    ours = ", ".join(f"`{name}`" for name in sorted(parameters)) or "none"
    raise invalid([RequestMistake("query:", f"holds a parameter that is not known; known: {ours}")])


class StrictRequest(Request):
    """A request whose body is JSON, each of whose keys stands there once."""

    async def json(self) -> Any:
        """What the body holds."""
        if not hasattr(self, "_read"):
            body = await self.body()
            if body and not _says_json(self.headers.get("content-type", "")):
                raise Problem(NOT_JSON, "the body needs the header `Content-Type: application/json`")
            self._read = read_body(body) if body else None
        return self._read


def read_body(body: bytes) -> Any:
    """The JSON in it: one reader minds depth, encoding and surrogates, the other keys and numbers."""
    try:
        from_json(body, allow_inf_nan=False)
        return json.loads(
            body, object_pairs_hook=_each_key_once, parse_constant=no_number, parse_float=finite
        )
    except SpecError as wrong:
        raise _unreadable("a key stands twice in an object, or a number is not finite") from wrong
    except (ValueError, RecursionError) as wrong:
        raise _unreadable("it is no JSON in UTF-8, or nested more than 200 deep") from wrong


class DirectRoute(ServiceRoute):
    """A route whose endpoint takes `request`, `asked` and `caller`, and nothing else.

    Working out what an endpoint depends on costs the framework a third of a request that finds its verdict in
    memory. These three are always the same.
    """

    def get_route_handler(self) -> _Handler:
        """What answers a request."""
        answer = self.endpoint
        shape = get_type_hints(answer)["asked"]
        admits = self._admits()
        if admits is None or not issubclass(shape, BaseModel):
            raise SpecError(f"`{self.path}` needs `asked`, a model, and `caller`, whom `Admits` lets in")

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            caller = await admits(strict)
            reject_unknown_parameters(request, frozenset())
            reply: Response = await answer(strict, _validated(shape, await strict.json()), caller)
            return reply

        return handle


def _validated(shape: type[BaseModel], data: Any) -> BaseModel:
    try:
        return shape.model_validate(data)
    except ValidationError as wrong:
        raise RequestValidationError(in_body(wrong)) from wrong


def _says_json(content_type: str) -> bool:
    message = Message()
    message["content-type"] = content_type
    kind = message.get_content_type()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise SpecError("a key stands there twice")
    return result


def _unreadable(says: str) -> Problem:
    return Problem(UNREADABLE, f"the body cannot be read: {says}")
