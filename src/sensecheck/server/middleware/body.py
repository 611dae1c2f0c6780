"""Bodies that are too large, or too slow to arrive, are not waited for."""

import asyncio
from time import monotonic

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sensecheck.server.problems import TOO_LARGE, TOO_SLOW, Problem

SECONDS = 10.0
"""For a whole body."""


class BodyLimit:
    """Counts what is read, byte by byte and second by second; what is over raises its problem there."""

    def __init__(self, app: ASGIApp, *, most: int, seconds: float = SECONDS) -> None:
        self._app = app
        self._most = most
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http":
            receive = _Counted(receive, Headers(scope=scope), self._most, self._seconds)
        await self._app(scope, receive, send)


class _Counted:
    """What the client sends, as long as it keeps to the limits."""

    def __init__(self, receive: Receive, headers: Headers, most: int, seconds: float) -> None:
        self._receive = receive
        self._most = most
        self._seconds = seconds
        self._until: float | None = None
        self._read = 0
        self._whole = False
        declared = headers.get("content-length", "0")
        self._declared = int(declared) if declared.isascii() and declared.isdigit() else 0

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # only the client's disconnect can follow
        if self._declared > self._most:
            raise self._too_large()
        message = await self._in_time()
        self._read += len(message.get("body", b""))
        if self._read > self._most:
            raise self._too_large()
        self._whole = not message.get("more_body", False)
        return message

    async def _in_time(self) -> Message:
        if self._until is None:
            self._until = monotonic() + self._seconds
        try:
            async with asyncio.timeout(self._until - monotonic()):
                return await self._receive()
        except TimeoutError:
            raise Problem(TOO_SLOW, f"the body did not arrive within {self._seconds:g} seconds") from None

    def _too_large(self) -> Problem:
        return Problem(TOO_LARGE, f"a request may hold {self._most} bytes")
