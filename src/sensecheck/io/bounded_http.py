"""HTTP clients that limit how long and how much they read, and follow no redirect.

`BoundedClient` is for complete answers, `BoundedAsyncClient` for streams.
"""

import time
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx2
import openai

MAX_BODY_BYTES = 10_000_000
"""Bytes of a complete answer."""
MAX_STREAM_BYTES = 8_000_000
"""Bytes of a stream; an answer with thousands of tokens of reasoning before it has less."""
CONNECT = 3.0
"""Seconds until a server takes the connection."""
_TRANSFER_HEADERS = ("content-encoding", "content-length", "transfer-encoding")
"""Headers on how an answer was sent, which do not hold once it has been read."""


class TooLarge(ValueError):
    """An answer has more bytes than are read."""


class BoundedClient(openai.DefaultHttpxClient):
    """A server that drips its answer cannot outlast the timeout; one that pours cannot fill the memory.

    One that drips its headers can: of those, only the wait for each piece is bounded.
    """

    def __init__(self, whole: float) -> None:
        super().__init__(timeout=whole, follow_redirects=False)
        self._whole = whole

    def send(self, request: httpx2.Request, *, stream: bool = False, **more: Any) -> httpx2.Response:
        """The answer; a whole one is read here, because the client's own timeout is for each piece."""
        before = time.perf_counter()
        reply = super().send(request, stream=True, **more)
        return reply if stream else self._read(reply, before + self._whole)

    def _read(self, reply: httpx2.Response, until: float) -> httpx2.Response:
        received = bytearray()
        try:
            for piece in reply.iter_bytes():
                received += piece
                if len(received) > MAX_BODY_BYTES:
                    raise TooLarge
                if time.perf_counter() > until:
                    raise httpx2.ReadTimeout("the whole answer took too long", request=reply.request)
        finally:
            reply.close()
        headers = [
            (name, value) for name, value in reply.headers.multi_items() if name not in _TRANSFER_HEADERS
        ]
        response = httpx2.Response(
            reply.status_code, headers=headers, content=bytes(received), request=reply.request
        )
        response.elapsed = reply.elapsed
        return response


class BoundedAsyncClient(openai.DefaultAsyncHttpxClient):
    """A server that pours cannot fill the memory. How long it may drip, the listener decides."""

    def __init__(self, whole: float) -> None:
        super().__init__(timeout=httpx2.Timeout(whole, connect=min(CONNECT, whole)), follow_redirects=False)

    async def send(self, request: httpx2.Request, **more: Any) -> httpx2.Response:
        """The answer, of which no more is read than is allowed."""
        try:
            reply = await super().send(request, **more)
        except AttributeError as error:
            if error.obj is not None:
                raise
            # asked who is at the other end of a socket that uvloop has let go of already
            ended = "the connection ended as soon as it was made"
            raise httpx2.ConnectError(ended, request=request) from error
        if not reply.is_stream_consumed:
            assert isinstance(reply.stream, httpx2.AsyncByteStream)
            reply.stream = _BoundedStream(reply.stream)
        return reply


class _BoundedStream(httpx2.AsyncByteStream):
    """Bytes, up to a limit."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        pieces = self._inner.__aiter__()
        try:
            async for piece in pieces:
                received += len(piece)
                if received > MAX_STREAM_BYTES:
                    raise TooLarge
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def aclose(self) -> None:
        """Let the connection go."""
        await self._inner.aclose()
