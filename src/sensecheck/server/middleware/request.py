"""One request from its arrival to its last byte: its id, its time, its log line, its metrics.

Work is cancelled when the client who asked for it disconnects.
"""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from secrets import token_hex
from time import perf_counter, time_ns
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.server.logging import log

GONE = 499
"""The status that is logged for a client who left; nobody is there to read it."""
MOST_VERDICTS = 20
WORST_FIRST = ("fail", "error", "unsure", "measured", "pass")
UNMATCHED = "unmatched"
"""The route of what leads nowhere: a path that a stranger wrote is shown to nobody."""
_METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
_QUIET = frozenset(("/livez", "/readyz", "/metrics"))
"""Asked every few seconds by machines; they are counted, and not logged."""


class Visiting:
    """The outermost middleware: it begins and ends each request."""

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
            _record(scope, visit, answer.status)


@dataclass(frozen=True, slots=True)
class NotedVerdict:
    """What was found of an answer, without a word of it."""

    policy: str
    outcome: str
    at: int = field(default_factory=time_ns)


@dataclass(slots=True)
class Visit:
    """What becomes known of a request while it is answered."""

    id: str
    """Sent to the client and written to the log, so that the two can be brought together."""
    began: float = field(default_factory=perf_counter)
    began_at: int = field(default_factory=time_ns)
    origin: str | None = None
    """The page that may read the answer; None for no page."""
    key: str | None = None
    """The id of the key that it came with, once its secret was found right: the key may be refused still."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers of the answer, whatever the answer will be."""
    route: str | None = None
    """What answered it, where that was no route."""
    trouble: str | None = None
    """The name of the problem that it was answered with."""
    verdicts: list[NotedVerdict] = field(default_factory=list)
    """The first of what was found of answers, for whoever follows requests by their traces."""
    decision: str | None = None
    """What became of the answer, where one was to be written."""
    outcome: str | None = None
    """What was found of the answer; the worst, where there were several."""


VISIT: ContextVar[Visit | None] = ContextVar("sensecheck_visit", default=None)


def note_verdict(policy: str, outcome: str) -> None:
    """Note what was found of an answer, with the request that is under way, if one is."""
    if (visit := VISIT.get()) is None:
        return
    visit.outcome = min(outcome, visit.outcome or outcome, key=WORST_FIRST.index)
    if len(visit.verdicts) < MOST_VERDICTS:
        visit.verdicts.append(NotedVerdict(policy, outcome))


def note_decision(decision: str, outcome: str) -> None:
    """Note what became of an answer, with the request that is under way, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.decision, visit.outcome = decision, outcome


def note_trouble(problem: str) -> None:
    """Note the name of the problem that the request under way is answered with, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.trouble = problem


def request_id() -> dict[str, str]:
    """The request that is under way, as a line of the log names it; nothing where none is."""
    return {} if (visit := VISIT.get()) is None else {"request": visit.id}


def add_headers(headers: dict[str, str]) -> None:
    """Put headers on the answer to the request that is under way, if one is."""
    if (visit := VISIT.get()) is not None:
        visit.headers.update(headers)


async def unless_gone(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """The answer; or none, with the work cancelled, once nobody waits for it any more."""
    answering, disconnecting = asyncio.create_task(work), asyncio.create_task(_disconnected(request))
    try:
        await asyncio.wait({answering, disconnecting}, return_when=asyncio.FIRST_COMPLETED)
        return answering.result() if answering.done() else Response(status_code=GONE)
    finally:
        disconnecting.cancel()
        answering.cancel()
        with suppress(asyncio.CancelledError):
            await disconnecting
        await asyncio.wait({answering})
        if not answering.cancelled():
            answering.exception()  # retrieved, so that asyncio does not warn of it


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


def _record(scope: Scope, visit: Visit, status: int) -> None:
    route = visit.route or getattr(scope.get("route"), "path_format", UNMATCHED)
    method = scope["method"] if scope["method"] in _METHODS else "OTHER"
    seconds = perf_counter() - visit.began
    parts = getattr(scope["app"].state, "parts", None)
    if parts is not None:
        parts.metrics.requested(route, method, status, seconds, visit.trouble)
    telemetry = getattr(scope["app"].state, "telemetry", None)
    if telemetry is not None:
        telemetry.followed(scope, visit, method, route, status)
    if route not in _QUIET:
        verdict = {"decision": visit.decision, "outcome": visit.outcome}
        fields: dict[str, Any] = {"key": visit.key, "problem": visit.trouble, **verdict}
        present = {name: value for name, value in fields.items() if value is not None}
        ms = round(seconds * 1000, 1)
        log().info("request", request=visit.id, method=method, route=route, status=status, ms=ms, **present)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
