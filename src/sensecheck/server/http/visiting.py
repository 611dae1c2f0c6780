"""Begins and ends each request: its id, its time, its line in the log, its count."""

from secrets import token_hex
from time import perf_counter
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.server.http.leaving import GONE
from sensecheck.server.logs import log
from sensecheck.server.watching.visit import VISIT, Visit

UNMATCHED = "unmatched"
"""The route of what leads nowhere: a path that a stranger wrote is told to nobody."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_QUIET = frozenset(("/livez", "/readyz", "/metrics"))
"""Asked every few seconds by machines; they are counted, and not logged."""


class Visiting:
    """The outermost of all that stands before the routes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        visit = Visit(token_hex(8))
        token = VISIT.set(visit)
        answer = _Answer(send, visit)
        try:
            return await self._app(scope, receive, answer)
        finally:
            VISIT.reset(token)
            _note(scope, visit, answer.status)


class _Answer:
    """Puts on the answer what became known."""

    def __init__(self, send: Send, visit: Visit) -> None:
        self._send = send
        self._visit = visit
        self.status = GONE  # until an answer begins: the client may leave before

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers["Sensecheck-Request-Id"] = self._visit.id
            for name, value in self._visit.headers.items():
                headers.setdefault(name, value)
            total = f"total;dur={(perf_counter() - self._visit.began) * 1000:.1f}"
            before = headers.get("Server-Timing")
            headers["Server-Timing"] = f"{before}, {total}" if before else total
        await self._send(message)


def _note(scope: Scope, visit: Visit, status: int) -> None:
    route = getattr(scope.get("route"), "path_format", UNMATCHED)
    method = scope["method"] if scope["method"] in _METHODS else "OTHER"
    seconds = perf_counter() - visit.began
    parts = getattr(scope["app"].state, "parts", None)
    if parts is not None:
        parts.metrics.requested(route, method, status, seconds, visit.trouble)
    telemetry = getattr(scope["app"].state, "telemetry", None)
    if telemetry is not None:
        telemetry.followed(scope, visit, method, route, status)
    if route not in _QUIET:
        judged = {"decision": visit.decision, "outcome": visit.outcome}
        fields: dict[str, Any] = {"key": visit.key, "problem": visit.trouble, **judged}
        told = {name: value for name, value in fields.items() if value is not None}
        ms = round(seconds * 1000, 1)
        log().info("request", request=visit.id, method=method, route=route, status=status, ms=ms, **told)
