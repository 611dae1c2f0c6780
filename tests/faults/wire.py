"""One connection through the proxy: two ways, each of which may be hit."""

import asyncio
import socket
import struct
from contextlib import suppress
from dataclasses import dataclass, field

from tests.faults.kinds import PASS, Fault, Way

CHUNK = 65_536
STEPS_A_SECOND = 20
_RST_AT_CLOSE = struct.pack("ii", 1, 0)


class Current:
    """The fault of this moment, and a way to sleep until there is another one."""

    def __init__(self) -> None:
        self.fault: Fault = PASS
        self._over = asyncio.Event()

    def become(self, fault: Fault) -> None:
        """From now on it is this one; whoever sleeps because of the last one wakes up."""
        self.fault = fault
        over, self._over = self._over, asyncio.Event()
        over.set()

    async def rest(self, seconds: float | None = None) -> None:
        """Sleep for a while, or until the fault is another one."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), seconds)


@dataclass(eq=False)
class Wire:
    """A client and a server, and what goes between them."""

    client: asyncio.StreamWriter
    server: asyncio.StreamWriter
    current: Current
    passed: dict[Way, int]
    """Bytes that went through, of all wires together."""
    lost: bool = False
    """Whether bytes were swallowed, after which nothing on it makes sense."""
    _left: dict[Way, tuple[Fault, float]] = field(default_factory=dict)
    """How many bytes may go before the cut, by the fault that they are counted for."""

    async def carry(self, reader: asyncio.StreamReader, back: asyncio.StreamReader) -> None:
        """Pass on both ways, until both are at their end."""
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pass_on("to_server", reader, self.server))
                both.create_task(self._pass_on("to_client", back, self.client))
        except* (ConnectionError, OSError):
            self.reset()
        finally:
            self.client.close()
            self.server.close()

    def reset(self) -> None:
        """End it at once, with RST, so that neither side takes it for a proper end."""
        for end in (self.client, self.server):
            if not end.transport.is_closing():
                end.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RST_AT_CLOSE)
            end.transport.abort()

    async def _pass_on(self, way: Way, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while some := await reader.read(CHUNK):
            while some:
                some = some[await self._some_of(some, way, writer) :]
        await self._held(way)
        if not self.lost and writer.can_write_eof():
            writer.write_eof()

    async def _some_of(self, some: bytes, way: Way, writer: asyncio.StreamWriter) -> int:
        """Send as much as the fault of this moment lets through; how much is done with."""
        await self._held(way)
        fault = self.current.fault if way in self.current.fault.ways else PASS
        if fault.kind == "blackhole":
            self.lost = True
            return len(some)
        if fault.kind == "latency":
            await self.current.rest(fault.amount)
            await self._held(way)
        sent = some[: self._most(fault, way)]
        writer.write(sent)
        await writer.drain()
        self.passed[way] += len(sent)
        if fault.kind == "cut":
            self._count(fault, way, len(sent))
        if fault.kind == "slow":
            await self.current.rest(len(sent) / fault.amount)
        return len(sent)

    async def _held(self, way: Way) -> None:
        while self.current.fault.kind == "stall" and way in self.current.fault.ways:
            await self.current.rest()

    def _most(self, fault: Fault, way: Way) -> int:
        if fault.kind == "slow":
            return max(1, int(fault.amount / STEPS_A_SECOND))
        if fault.kind == "cut":
            counted, left = self._left.get(way, (fault, fault.amount))
            return int(left if counted is fault else fault.amount)
        return CHUNK

    def _count(self, fault: Fault, way: Way, sent: int) -> None:
        left = self._most(fault, way) - sent
        self._left[way] = (fault, left)
        if left <= 0:
            raise ConnectionResetError
