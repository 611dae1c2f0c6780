"""The Studio on a laptop: an application that only this machine reaches, by a link with a token."""

import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import urlencode

import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from sensecheck.core.errors import SpecError
from sensecheck.io.sockets import is_loopback, url_of
from sensecheck.studio.access import TOKEN, LaptopAccess, StudioRefusal, cookie_name, require_loopback_host
from sensecheck.studio.calibrate_routes import calibration_router
from sensecheck.studio.jobs import Jobs
from sensecheck.studio.label_routes import labels_router
from sensecheck.studio.library import Library
from sensecheck.studio.routes import HEADERS, PREFIX, Studio, router

COOKIE_SECONDS = 7 * 24 * 3600


class TokenGate:
    """Lets in who has the token: in the link at first, and in a cookie after that."""

    def __init__(self, app: ASGIApp, access: LaptopAccess) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        request = Request(scope, receive)
        reply = self._reply(request)
        if reply is None:
            return await self._app(scope, receive, send)
        for name, value in HEADERS.items():
            reply.headers.setdefault(name, value)
        return await reply(scope, receive, send)

    def _reply(self, request: Request) -> Response | None:
        """The reply to a request without access; None where it may pass."""
        try:
            require_loopback_host(request)
        except StudioRefusal as refused:
            return PlainTextResponse(str(refused), refused.status)
        if request.url.path == "/favicon.ico":
            return Response(status_code=204)
        token = request.query_params.get(TOKEN)
        if token is not None and request.method == "GET":
            return self._with_cookie(request, token)
        if not self._access.knows(request.cookies.get(cookie_name(request), "")):
            message = "open the link that `sensecheck studio` has printed: it holds a token"
            if request.url.path.startswith(f"{PREFIX}/api/"):
                return JSONResponse({"error": message}, 401)
            return PlainTextResponse(message, 401)
        if request.url.path == "/":
            return RedirectResponse(PREFIX, 303)
        return None

    def _with_cookie(self, request: Request, token: str) -> Response:
        """The same page without the token in its address, so that nothing of it stays in a history."""
        if not self._access.knows(token):
            return PlainTextResponse("this token is of another start of `sensecheck studio`", 401)
        rest = [(name, value) for name, value in request.query_params.multi_items() if name != TOKEN]
        path = request.url.path if request.url.path.startswith(PREFIX) else PREFIX
        reply = RedirectResponse(path + (f"?{urlencode(rest)}" if rest else ""), 303)
        reply.set_cookie(
            cookie_name(request),
            self._access.token,
            max_age=COOKIE_SECONDS,
            path=PREFIX,
            httponly=True,
            samesite="strict",
        )
        return reply


def studio_app(
    library: Library, access: LaptopAccess, jobs: Jobs | None = None, *, cards: Path | None = None
) -> ASGIApp:
    """The application of a laptop; without `jobs` no run can be started, without `cards` no card saved."""
    app = FastAPI(title="sensecheck studio", docs_url=None, redoc_url=None, openapi_url=None)
    studio = Studio(library, access, jobs, cards=cards)
    app.state.open_studio = lambda: studio
    for each in (labels_router, calibration_router, router):  # more exact paths first
        app.include_router(each)
    return TokenGate(app, access)


def serve_studio(
    addresses: Sequence[str],
    listening: socket.socket,
    show: Callable[[str], None],
    *,
    cache: Path | None,
    folder: Path,
    cards: Path | None = None,
) -> None:
    """Serve the Studio until it is stopped; `show` is called with the link."""
    bound = listening.getsockname()
    if not is_loopback(str(bound[0])):
        raise SpecError("the Studio must listen on this machine alone, as on `127.0.0.1`")
    library = Library.at(addresses, cache=cache)
    access, jobs = LaptopAccess.new(), Jobs(folder)
    try:
        app = studio_app(library, access, jobs, cards=cards)
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off"
        )
        show(f"{url_of(bound)}{PREFIX}?{TOKEN}={access.token}")
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        jobs.close()
        library.close()
