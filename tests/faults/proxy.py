"""A TCP proxy between us and a server, which can be told at any moment to behave badly.

with fault_proxy(("127.0.0.1", 5432)) as proxy:
    connect(host="127.0.0.1", port=proxy.port)
    proxy.now(BLACKHOLE)        # open connections are hit too
    proxy.now(PASS)
"""

import asyncio
import socket
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.faults.kinds import PASS, Fault, Way
from tests.faults.wire import CHUNK, Current, Wire


@dataclass
class FaultProxy:
    """Runs in a thread of its own; every method may be called from any other."""

    server: tuple[str, int]
    accepted: int = 0
    """Connections that were made."""
    passed: dict[Way, int] = field(default_factory=lambda: {"to_server": 0, "to_client": 0})
    """Bytes that went through."""

    def __post_init__(self) -> None:
        self._place = _bound(0)
        """Never listens: it holds the port while nobody else does."""
        self._wires: set[Wire] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._current = Current()
        self._thread = threading.Thread(target=self._loop.run_forever, name="fault proxy", daemon=True)

    @property
    def port(self) -> int:
        """Where to connect to, on 127.0.0.1."""
        return int(self._place.getsockname()[1])

    @property
    def open(self) -> int:
        """How many connections go through at this moment."""
        return len(self._wires)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        self._do(self._listen())

    def now(self, fault: Fault) -> None:
        """From now on the wire is so; it is, once this returns."""
        self._do(self._become(fault))

    def stop(self) -> None:
        """End every connection, and the thread."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()
        self._place.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _become(self, fault: Fault) -> None:
        self._current.become(fault)
        for wire in list(self._wires):
            if wire.lost or fault.kind in ("reset", "refuse"):
                wire.reset()
        if fault.kind == "refuse":
            self._deaf()
        elif self._listener is None:
            await self._listen()

    async def _listen(self) -> None:
        self._listener = await asyncio.start_server(self._met, sock=_bound(self.port), backlog=512)

    def _deaf(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    async def _end(self) -> None:
        self._deaf()
        for wire in list(self._wires):
            wire.reset()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.sleep(0)  # transports are closed by callbacks that wait for their turn

    async def _met(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.accepted += 1
        try:
            await self._join(reader, client)
        except asyncio.CancelledError:  # by `_end` alone
            client.transport.abort()
        finally:
            self._tasks.discard(task)

    async def _join(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        wire = Wire(client, client, self._current, self.passed)
        if self._current.fault.kind == "reset":
            return wire.reset()
        if self._current.fault.kind == "blackhole":
            return await self._swallow(wire, reader)
        try:
            back, wire.server = await asyncio.open_connection(*self.server)
        except OSError:
            return wire.reset()
        self._wires.add(wire)
        try:
            return await wire.carry(reader, back)
        finally:
            self._wires.discard(wire)

    async def _swallow(self, wire: Wire, reader: asyncio.StreamReader) -> None:
        """A connection that is made while everything is lost: it never leads anywhere."""
        wire.lost = True
        self._wires.add(wire)
        try:
            while await reader.read(CHUNK):
                pass
        except ConnectionError:
            pass  # the client has given up, or the fault is over
        finally:
            self._wires.discard(wire)
            wire.client.close()


def _bound(port: int) -> socket.socket:
    bound = socket.socket()
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    bound.bind(("127.0.0.1", port))
    return bound


@contextmanager
def fault_proxy(server: tuple[str, int], fault: Fault = PASS) -> Iterator[FaultProxy]:
    """A proxy before this server; without a fault, unless one is named."""
    proxy = FaultProxy(server)
    proxy.start()
    try:
        proxy.now(fault)
        yield proxy
    finally:
        proxy.stop()
