"""The service as an ASGI application."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache, partial
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from sensecheck.server.middleware.body import BodyLimit
from sensecheck.server.middleware.errors import Unexpected, mistakes_in, reply_of, reply_to_problem
from sensecheck.server.middleware.headers import CrossOrigin, SecurityHeaders
from sensecheck.server.middleware.request import Visiting
from sensecheck.server.openapi import Described
from sensecheck.server.problems import NO_SUCH_METHOD, NOT_FOUND, UNREADABLE, Problem, invalid
from sensecheck.server.routes import answers, checks, operations, review, studio
from sensecheck.server.startup import ServiceParts
from sensecheck.server.tracing import Telemetry
from sensecheck.studio.calibrate_routes import calibration_router
from sensecheck.studio.label_routes import labels_router
from sensecheck.studio.routes import router as studio_router

PartsOf = Callable[[], AbstractAsyncContextManager[ServiceParts]]
BODY_KB = 1024
_ROUTERS = (
    answers.router,
    checks.router,
    review.feedback_router,
    review.reviews_router,
    review.policies_router,
    review.stats_router,
    review.sessions_router,
    operations.limits_router,
    operations.health_router,
    operations.metrics_router,
    operations.sdk_router,
    studio.session_router,
    studio.week_router,
    labels_router,
    calibration_router,
    studio_router,
)


def app_of(parts_of: PartsOf, *, body_kb: int = BODY_KB, telemetry: Telemetry | None = None) -> FastAPI:
    """The application; its parts are made when it starts, and ended when it stops."""
    app = Described(
        title="sensecheck",
        version="1",
        summary="Answers that come from the passage, or the word that it holds none.",
        lifespan=_lifespan(parts_of),
        docs_url=None,
        redoc_url=None,
        middleware=[
            Middleware(Visiting),
            Middleware(SecurityHeaders),
            Middleware(CrossOrigin),
            Middleware(Unexpected),
            Middleware(BodyLimit, most=body_kb * 1024),
        ],
        exception_handlers=_HANDLERS,
        redirect_slashes=False,
        # Spans of our own hold no query string; see `tracing.py`.
        telemetry={"tracing": False, "metrics": False, "logs": False},
    )
    app.state.telemetry = telemetry
    for router in _ROUTERS:
        # As they are, without a router between: a request would look into each one on its way.
        app.router.routes.extend(router.routes)
    return app


def _lifespan(parts_of: PartsOf) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        assert isinstance(app, Described)
        app.describe()
        async with parts_of() as parts:
            app.state.parts = parts
            app.state.open_studio = opened = cache(partial(studio.studio_of_service, parts))
            try:
                yield
            finally:
                if opened.cache_info().currsize:
                    opened().library.stop()
        if app.state.telemetry is not None:
            await asyncio.to_thread(app.state.telemetry.close)

    return lifespan


async def _reply_to_mistakes(request: Request, wrong: Exception) -> Response:
    assert isinstance(wrong, RequestValidationError)
    body = getattr(request.scope.get("route"), "body_field", None)
    shape = None if body is None else body.field_info.annotation
    return reply_of(invalid(mistakes_in(wrong.errors(), request.app.known_names, shape)))


async def _reply_to_refusal(request: Request, refused: Exception) -> Response:
    assert isinstance(refused, HTTPException)
    if refused.status_code == 404:
        return reply_of(Problem(NOT_FOUND, "no route leads here; see `/openapi.json`"))
    if refused.status_code == 405:
        detail = "see the header `Allow` for what can be done here"
        return reply_of(Problem(NO_SUCH_METHOD, detail), {"Allow": _methods_at(request)})
    return reply_of(Problem(UNREADABLE, "the request cannot be read"))


def _methods_at(request: Request) -> str:
    """Of all routes with this path: the framework names those of the first alone."""
    routes = [route for route in request.app.router.routes if isinstance(route, Route)]
    here = [route for route in routes if route.path_regex.match(request.scope["path"])]
    return ", ".join(sorted({method for route in here for method in route.methods or ()}))


async def _reply_to_nobody(request: Request, left: Exception) -> Response:
    return Response(status_code=499)


_HANDLERS: dict[Any, Any] = {
    Problem: reply_to_problem,
    RequestValidationError: _reply_to_mistakes,
    HTTPException: _reply_to_refusal,
    ClientDisconnect: _reply_to_nobody,
}
