"""A connection with bounds: the head of a request has a size and a time, and so has what follows its answer.

The body is bounded where it is read: see `body_limit.py`. What comes before it and after it, no application
sees.
"""

import json
from asyncio import TimerHandle, Transport
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sensecheck.server.problems import HEAD_TOO_LARGE, MEDIA_TYPE, TOO_SLOW, UNREADABLE, Problem

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 10.0
REST_SECONDS = 5.0
"""What is left of a body after its answer is read and forgotten for so long: a client that is cut off while
it still sends may never see the answer."""


class Connection(HttpToolsProtocol):
    """Reads requests as uvicorn does, and ends the connection of whoever keeps to no bounds."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._in_head = True
        self._head = 0
        """Bytes of a head that is not complete."""
        self._clock: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for a first request, but not for ever."""
        super().connection_made(transport)
        self._wait(HEAD_SECONDS, self._head_too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head += len(data)
            if self._head > HEAD_BYTES:
                self._refuse(Problem(HEAD_TOO_LARGE, f"the head of a request may hold {HEAD_BYTES} bytes"))

    def on_message_begin(self) -> None:
        """A head begins."""
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._wait(HEAD_SECONDS, self._head_too_slow)

    def on_headers_complete(self) -> None:
        """A head is complete."""
        self._in_head = False
        self._wait_no_more()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """A body is complete, or there is none."""
        super().on_message_complete()
        self._wait_no_more()

    def on_response_complete(self) -> None:
        """A request was answered, perhaps before all of it was read; wait for its rest, or for another."""
        super().on_response_complete()
        if self.cycle.response_complete and not self._in_head and not self.transport.is_closing():
            self._wait(REST_SECONDS if self.cycle.more_body else HEAD_SECONDS, self.transport.close)

    def send_400_response(self, msg: str) -> None:
        """Say that what came is no HTTP."""
        self._refuse(Problem(UNREADABLE, "the request is no HTTP that can be read"))

    def _head_too_slow(self) -> None:
        if self._head:
            self._refuse(Problem(TOO_SLOW, f"the head did not arrive within {HEAD_SECONDS:g} seconds"))
        else:
            self.transport.close()  # nobody has asked anything

    def _refuse(self, problem: Problem) -> None:
        """Answer with the problem, unless another answer has begun; then hang up."""
        begun = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not begun:
            self.transport.write(_reply(problem))
        self.transport.close()

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._wait_no_more()
        self._clock = self.loop.call_later(seconds, then)

    def _wait_no_more(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


def _reply(problem: Problem) -> bytes:
    body = json.dumps(problem.to_data()).encode()
    status = problem.kind.status
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
