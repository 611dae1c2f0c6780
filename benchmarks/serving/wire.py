"""One connection to the service, as cheap as Python can be: what is measured is the server."""

import asyncio
from typing import Any, cast

import httptools


class Reply:
    """One answer: its status, some of its headers, and how many bytes it had."""

    __slots__ = ("body", "headers", "status")

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.body = bytearray()


class Wire(asyncio.Protocol):
    """Sends a request and waits for its answer; one at a time."""

    def __init__(self) -> None:
        self._parser: Any = None
        self._reply = Reply()
        self._waiting: asyncio.Future[Reply] | None = None
        self._transport: asyncio.Transport | None = None

    @classmethod
    async def to(cls, host: str, port: int) -> "Wire":
        """A new connection."""
        _, wire = await asyncio.get_running_loop().create_connection(cls, host, port)
        return wire

    async def ask(self, request: bytes) -> Reply:
        """What the server answers."""
        self._reply, self._parser = Reply(), httptools.HttpResponseParser(self)
        self._waiting = asyncio.get_running_loop().create_future()
        assert self._transport is not None
        self._transport.write(request)
        return await self._waiting

    @property
    def open(self) -> bool:
        """Whether it can be used again."""
        return self._transport is not None and not self._transport.is_closing()

    def close(self) -> None:
        """Hang up."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is one in all but name

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_exception(exc or ConnectionResetError("the server hung up"))

    def on_header(self, name: bytes, value: bytes) -> None:
        self._reply.headers[name.lower()] = value

    def on_body(self, body: bytes) -> None:
        self._reply.body += body

    def on_message_complete(self) -> None:
        self._reply.status = self._parser.get_status_code()
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(self._reply)


def post(path: str, body: bytes, *, host: str, key: str = "") -> bytes:
    """A request, as it goes over the wire."""
    named = f"Authorization: Bearer {key}\r\n" if key else ""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{named}"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def get(path: str, *, host: str) -> bytes:
    """The same, for a request without a body."""
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()
