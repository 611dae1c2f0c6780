"""A client that follows nobody elsewhere, and reads an answer only so long and so far."""

import time
from typing import Any

import httpx2
import openai

LARGEST = 10_000_000
"""Bytes of an answer."""
_OF_THE_WAY = ("content-encoding", "content-length", "transfer-encoding")
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
                if len(received) > LARGEST:
                    raise TooLarge
                if time.perf_counter() > until:
                    raise httpx2.ReadTimeout("the whole answer took too long", request=reply.request)
        finally:
            reply.close()
        headers = [(name, value) for name, value in reply.headers.multi_items() if name not in _OF_THE_WAY]
        read = httpx2.Response(
            reply.status_code, headers=headers, content=bytes(received), request=reply.request
        )
        read.elapsed = reply.elapsed
        return read
