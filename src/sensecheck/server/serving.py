"""The service on a socket, until it is told to stop."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import uvicorn

from sensecheck.io.sockets import is_loopback, url_of
from sensecheck.server.app import app_of
from sensecheck.server.http.connection import Connection
from sensecheck.server.logs import log
from sensecheck.server.making import made
from sensecheck.server.script import PATH, script
from sensecheck.server.settings import ServiceSettings
from sensecheck.server.watching.telemetry import Telemetry
from sensecheck.wiring import Settings

Tell = Callable[[str, bool], None]
"""Is told the address, and whether requests want a key."""
SECONDS_TO_DRAIN = 25
"""After a SIGTERM, requests that were taken are answered for so long; most platforms kill after 30."""


def serve(settings: Settings, service: ServiceSettings, listening: socket.socket, tell: Tell) -> None:
    """Answer until SIGINT or SIGTERM, then finish what was taken; `tell` is told the address.

    Raises what keeps it from starting.
    """
    config = uvicorn.Config(
        _nothing_yet,
        log_config=None,
        access_log=False,
        lifespan="on",
        http=Connection,
        ws="none",
        server_header=False,
        proxy_headers=False,  # whom to believe is ours to decide: `SENSECHECK_SERVE_PROXIES`
        timeout_graceful_shutdown=SECONDS_TO_DRAIN,
    )
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(_until_stopped(config, settings, service, listening, tell))


async def _until_stopped(
    config: uvicorn.Config,
    settings: Settings,
    service: ServiceSettings,
    listening: socket.socket,
    tell: Tell,
) -> None:
    logging.getLogger("uvicorn").setLevel(logging.WARNING)  # that it comes and goes is told here
    local = is_loopback(str(listening.getsockname()[0]))
    async with made(settings, service, local=local) as parts:
        traces = Telemetry.to_endpoint() if service.telemetry else None
        config.app = app_of(lambda: nullcontext(parts), body_kb=service.body_kb, telemetry=traces)
        wants_key = parts.doorman.wants_key
        told = {"address": url_of(listening.getsockname()), "pid": os.getpid()}
        log().info("serving", **told, script=PATH, integrity=script().integrity)
        await _Told(config, lambda url: tell(url, wants_key)).serve(sockets=[listening])
        log().info("stopping; what was taken has been answered", waiting=parts.keeping.waiting)


class _Told(uvicorn.Server):
    """A server that says where it listens, and whose end is not the end of the process."""

    def __init__(self, config: uvicorn.Config, tell: Callable[[str], None]) -> None:
        super().__init__(config)
        self._tell = tell

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say where."""
        await super().startup(sockets)
        if self.started and sockets:
            self._tell(url_of(sockets[0].getsockname()))

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at a signal, and no more: uvicorn would raise it again, before all was kept."""
        before = signal.signal(signal.SIGINT, self.handle_exit)
        signal.signal(signal.SIGTERM, self.handle_exit)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)  # it is ending already, in good order


async def _nothing_yet(scope: Any, receive: Any, send: Any) -> None:
    """Stands where the application comes once its parts are made."""
