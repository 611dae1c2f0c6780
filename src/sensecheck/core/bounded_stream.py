"""A client for streams that follows nobody elsewhere, and reads only so far."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx2
import openai

from sensecheck.core.bounded_client import TooLarge

LARGEST = 2_000_000
"""Bytes of a stream; an answer of thousands of tokens has less."""
CONNECT = 3.0
"""Seconds until a server takes the connection."""


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
            reply.stream = _Bounded(reply.stream)
        return reply


class _Bounded(httpx2.AsyncByteStream):
    """Bytes, up to a limit."""

    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        pieces = self._inner.__aiter__()
        try:
            async for piece in pieces:
                received += len(piece)
                if received > LARGEST:
                    raise TooLarge
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def aclose(self) -> None:
        """Let the connection go."""
        await self._inner.aclose()
