"""Routes that are asked a thousand times a second: described by the framework, and answered without it."""

from collections.abc import Callable, Coroutine
from typing import Any, get_type_hints

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from sensecheck.core.errors import SpecError
from sensecheck.server.entry.doorman import Admits
from sensecheck.server.entry.reading import ServiceRoute, StrictRequest, must_be_known
from sensecheck.server.http.mistakes import in_body

_Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class DirectRoute(ServiceRoute):
    """A route whose endpoint takes `request`, `asked` and `caller`, and nothing else.

    Working out what an endpoint depends on costs the framework a third of a request that finds its verdict in
    memory. These three are always the same.
    """

    def get_route_handler(self) -> _Handler:
        """What answers a request."""
        answer = self.endpoint
        shape = get_type_hints(answer)["asked"]
        door = next((one.call for one in self.dependant.dependencies if isinstance(one.call, Admits)), None)
        if door is None or not issubclass(shape, BaseModel):
            raise SpecError(f"`{self.path}` wants `asked`, a model, and `caller`, whom `Admits` lets in")

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            caller = await door(strict)
            must_be_known(request, frozenset())
            reply: Response = await answer(strict, _read(shape, await strict.json()), caller)
            return reply

        return handle


def _read(shape: type[BaseModel], data: Any) -> BaseModel:
    try:
        return shape.model_validate(data)
    except ValidationError as wrong:
        raise RequestValidationError(in_body(wrong)) from wrong
