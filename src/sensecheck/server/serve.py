"""The service on a socket, until it is asked to stop.

A connection has bounds: the head of a request has a size and a time, and so has what follows its answer. The
body is bounded where it is read, in `middleware/body.py`; what comes before it and after it, no application
sees.
"""

import asyncio
import json
import logging
import os
import signal
import socket
from asyncio import TimerHandle, Transport
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from http import HTTPStatus
from math import ceil
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from sensecheck.config import Settings
from sensecheck.io.sockets import is_loopback, url_of
from sensecheck.server.app import app_of
from sensecheck.server.logging import log
from sensecheck.server.problems import HEAD_TOO_LARGE, MEDIA_TYPE, TOO_SLOW, UNREADABLE, Problem
from sensecheck.server.routes.operations import PATH, script
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.startup import made
from sensecheck.server.tracing import Telemetry

HEAD_BYTES = 64 * 1024
HEAD_SECONDS = 10.0
REST_SECONDS = 5.0
"""What is left of a body after its answer is read and forgotten for so long: a client that is cut off while
it still sends may never see the answer."""
CUT_OFF_SECONDS = 1
"""So long requests that were cut off have to be answered; uvicorn takes whole seconds."""
Tell = Callable[[str, bool], None]
"""Called with the address, and whether requests need a key."""


def serve(settings: Settings, service: ServiceSettings, listening: socket.socket, tell: Tell) -> None:
    """Answer until SIGINT or SIGTERM, then finish what was taken; `tell` is called with the address.

    Raises what keeps it from starting.
    """
    config = uvicorn.Config(
        _nothing_yet,
        log_config=None,
        access_log=False,
        lifespan="on",
        http=BoundedConnection,
        ws="none",
        server_header=False,
        proxy_headers=False,  # whom to believe is ours to decide: `SENSECHECK_SERVE_PROXIES`
        timeout_graceful_shutdown=ceil(service.drain) + CUT_OFF_SECONDS,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_until_stopped(config, settings, service, listening, tell))


class BoundedConnection(HttpToolsProtocol):
    """Reads requests as uvicorn does, and ends the connection of whoever keeps to no bounds."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
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

    def cut_off(self) -> None:
        """Hang up in the middle of an answer; one that has not begun can still be sent."""
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Say that what came is no HTTP."""
        self._refuse(Problem(UNREADABLE, "the request is no HTTP that can be read"))

    def _head_too_slow(self) -> None:
        if self._head:
            self._refuse(Problem(TOO_SLOW, f"the head did not arrive within {HEAD_SECONDS:g} seconds"))
        else:
            self.transport.close()  # there is no request to answer

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


async def _nothing_yet(scope: Any, receive: Any, send: Any) -> None:
    """Stand in for the application until its parts are made."""


async def _until_stopped(
    config: uvicorn.Config,
    settings: Settings,
    service: ServiceSettings,
    listening: socket.socket,
    tell: Tell,
) -> None:
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # that it starts and stops is logged here
    local = is_loopback(str(listening.getsockname()[0]))
    async with made(settings, service, local=local) as parts:
        traces = Telemetry.to_endpoint() if service.telemetry else None
        config.app = app_of(lambda: nullcontext(parts), body_kb=service.body_kb, telemetry=traces)
        wants_key = parts.authenticator.wants_key
        where = {"address": url_of(listening.getsockname()), "pid": os.getpid()}
        log().info("serving", **where, script=PATH, integrity=script().integrity)
        server = _AnnouncingServer(config, lambda url: tell(url, wants_key), drain=service.drain)
        await server.serve(sockets=[listening])
        waiting = parts.write_queue.queue.waiting
        if server.cut_off:
            says = "stopping; some requests were cut off, since the drain ended"
            log().warning(says, count=server.cut_off, waiting=waiting)
        else:
            log().info("stopping; what was taken has been answered", waiting=waiting)


class _AnnouncingServer(uvicorn.Server):
    """A server that says where it listens, and whose end is not the end of the process."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[str], None], *, drain: float) -> None:
        super().__init__(config)
        self._tell = tell
        self._drain = drain
        self.cut_off = 0
        """How many requests were still running when the drain ended."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say where."""
        await super().startup(sockets)
        if self.started and sockets:
            self._tell(url_of(sockets[0].getsockname()))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take nothing more, and wait for what is running until the drain ends."""
        ending = asyncio.create_task(self._end_drain())
        try:
            await super().shutdown(sockets)
        finally:
            ending.cancel()

    async def _end_drain(self) -> None:
        """Cut off what is still running: the middleware `Unexpected` answers it, where no answer has begun.

        Uvicorn would do it a moment later, without waiting for the answers.
        """
        await asyncio.sleep(self._drain)
        for connection in self.server_state.connections:
            if isinstance(connection, BoundedConnection):
                connection.cut_off()
        running = list(self.server_state.tasks)
        self.cut_off = len(running)
        for task in running:
            task.cancel()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and no more: uvicorn would raise it again, before everything was stored."""
        before = signal.signal(signal.SIGINT, self.handle_exit)
        signal.signal(signal.SIGTERM, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already, in good order


def _reply(problem: Problem) -> bytes:
    body = json.dumps(problem.to_data()).encode()
    status = problem.kind.status
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {MEDIA_TYPE}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
