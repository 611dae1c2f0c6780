"""Cross-origin and security headers of every reply.

A preflight comes without its key, so it is answered for every page; it holds nothing but what may be asked.
The request itself is then let in or not by its key, which names the pages that may read the reply.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.server.middleware.request import VISIT

PREFLIGHT = "preflight"
"""The route of all preflights: whether anything is at the path is not looked at."""
METHODS = "GET, POST, PUT, DELETE"
ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
EXPOSED = (
    "Sensecheck-Request-Id, Sensecheck-Message-Id, Sensecheck-Decision, Sensecheck-Outcome, "
    "RateLimit, RateLimit-Policy, Retry-After, Server-Timing"
)
_HOURS = 2
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
"""`cross-origin`: which pages may read an answer is said by its key, not by where the page lives."""
_RAW = tuple((name.lower().encode(), value.encode()) for name, value in HEADERS.items())


class CrossOrigin:
    """Answers preflights, and says on answers who may read them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        headers = Headers(scope=scope)
        if _is_preflight(scope, headers):
            if (visit := VISIT.get()) is not None:
                visit.route = PREFLIGHT
            return await _permission(headers["origin"])(scope, receive, send)

        async def readable(message: Message) -> None:
            if message["type"] == "http.response.start":
                _say_who_reads(MutableHeaders(scope=message))
            await send(message)

        return await self._app(scope, receive, readable)


class SecurityHeaders:
    """Puts them on every answer that does not say otherwise."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = message.get("headers", ())
                names = {name for name, _ in headers}
                message["headers"] = [*headers, *(pair for pair in _RAW if pair[0] not in names)]
            await send(message)

        await self._app(scope, receive, guarded if scope["type"] == "http" else send)


def _is_preflight(scope: Scope, headers: Headers) -> bool:
    asks = "access-control-request-method" in headers
    return bool(scope["method"] == "OPTIONS" and asks and "origin" in headers)


def _permission(origin: str) -> Response:
    return Response(
        status_code=204,
        headers={
            "Access-Control-Allow-Origin": origin,
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": ALLOWED_HEADERS,
            "Access-Control-Max-Age": str(_HOURS * 3600),
            "Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
        },
    )


def _say_who_reads(headers: MutableHeaders) -> None:
    if headers.get("Access-Control-Allow-Origin") == "*":
        return  # a public answer is the same for all, and is cached once
    headers.add_vary_header("Origin")
    visit = VISIT.get()
    if visit is not None and visit.origin is not None:
        headers["Access-Control-Allow-Origin"] = visit.origin
        headers["Access-Control-Expose-Headers"] = EXPOSED
