"""Many clients at once, in a process of their own, which reads what to do as JSON.

Closed: each client asks again as soon as it was answered. Open: requests come at a rate, whoever is answered.
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

import uvloop
from benchmarks.serving.wire import Reply, Wire, get, post

MARK = b"########"
"""Where a body takes a number of eight digits."""
_TAKEN = 200


@dataclass(frozen=True, slots=True)
class Order:
    """What the crowd is to do."""

    host: str
    port: int
    path: str
    bodies: str
    """A file with one body a line."""
    clients: int = 64
    requests: int = 0
    """After so many they stop; 0 for no end but the clock."""
    seconds: float = 600.0
    rate: float = 0.0
    """Requests a second that come by themselves; 0 for clients that wait for their answers."""
    again: bool = False
    """Whether bodies are sent again from the first when they are used up."""
    alive: bool = False
    """Whether somebody asks `/livez` meanwhile, ten times a second."""
    fresh: bool = False
    """Whether the marks in a body become a new number each time, so that nothing was seen before."""
    first: int = 0
    """The first of these numbers."""
    key: str = ""
    patience: float = 240.0
    """Seconds until a client takes an answer for lost."""
    returning: bool = False
    """Whether those who come by themselves and are refused come back when they are told to, until they are
    taken in."""


@dataclass(slots=True)
class Seen:
    """What the crowd saw."""

    seconds: float = 0.0
    statuses: dict[str, int] = field(default_factory=dict)
    taken: dict[str, list[float]] = field(default_factory=dict)
    """Seconds until an answer, by status."""
    alive: list[float] = field(default_factory=list)
    unsent: int = 0
    """Requests of an open crowd for which no connection was free."""
    waited: list[tuple[float, float]] = field(default_factory=list)
    """Of each who came back: the seconds that the first refusal named, and those until it was taken in."""

    def note(self, status: str, seconds: float) -> None:
        """One more answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.taken.setdefault(status, []).append(seconds)


async def gather(order: Order) -> Seen:
    """Send everything, and say what came back."""
    lines = Path(order.bodies).read_bytes().splitlines()
    requests = [post(order.path, line, host=order.host, key=order.key) for line in lines]
    seen = Seen()
    began = perf_counter()
    until = began + order.seconds
    watcher = asyncio.create_task(_watch(order, seen)) if order.alive else None
    crowd = _open if order.rate else _closed
    await crowd(order, _drawn(order, requests), seen, until)
    seen.seconds = perf_counter() - began
    if watcher is not None:
        watcher.cancel()
    return seen


def _drawn(order: Order, requests: list[bytes]) -> Iterator[bytes]:
    """One request after the other, with a number of its own where each is to be new."""
    most = order.requests or (sys.maxsize if order.again else len(requests))
    for number in range(most):
        request = requests[number % len(requests)]
        yield request.replace(MARK, b"%08d" % (order.first + number)) if order.fresh else request


async def _closed(order: Order, requests: Iterator[bytes], seen: Seen, until: float) -> None:
    async def client() -> None:
        wire = await Wire.to(order.host, order.port)
        for request in requests:
            wire, _ = await _one(order, wire, request, seen)
            if perf_counter() > until:
                break
        wire.close()

    await asyncio.gather(*(client() for _ in range(order.clients)))


async def _open(order: Order, requests: Iterator[bytes], seen: Seen, until: float) -> None:
    free: list[Wire] = [await Wire.to(order.host, order.port) for _ in range(order.clients)]
    under_way: set[asyncio.Task[None]] = set()
    began, sent = perf_counter(), 0

    async def one(request: bytes, wire: Wire) -> None:
        wire, reply = await _one(order, wire, request, seen)
        free.append(wire)
        after = named = _after(reply) if order.returning else None
        refused = perf_counter()
        while named is not None and after is not None:
            await asyncio.sleep(after)
            back = perf_counter()
            wire = free.pop() if free else await Wire.to(order.host, order.port)
            wire, reply = await _one(order, wire, request, seen)
            free.append(wire)
            after = _after(reply)
            if reply is not None and reply.status == _TAKEN:
                seen.waited.append((named, back - refused))

    while (now := perf_counter()) < until:
        due = int((now - began) * order.rate) - sent
        for _ in range(due):
            sent += 1
            if not free:
                seen.unsent += 1
                continue
            task = asyncio.create_task(one(next(requests), free.pop()))
            under_way.add(task)
            task.add_done_callback(under_way.discard)
        await asyncio.sleep(0.002)
    await asyncio.gather(*under_way)
    for wire in free:
        wire.close()


async def _one(order: Order, wire: Wire, request: bytes, seen: Seen) -> tuple[Wire, Reply | None]:
    """Ask once; the connection to go on with, and the answer unless it was lost."""
    before = perf_counter()
    try:
        if not wire.open:
            wire = await Wire.to(order.host, order.port)
        reply = await asyncio.wait_for(wire.ask(request), order.patience)
    except (OSError, TimeoutError) as wrong:
        wire.close()
        seen.note(type(wrong).__name__, perf_counter() - before)
        return wire, None
    seen.note(str(reply.status), perf_counter() - before)
    return wire, reply


def _after(reply: Reply | None) -> float | None:
    """After how many seconds to come back, if so told."""
    after = None if reply is None else reply.headers.get(b"retry-after")
    return None if after is None else float(after)


async def _watch(order: Order, seen: Seen) -> None:
    wire = await Wire.to(order.host, order.port)
    request = get("/livez", host=order.host)
    while True:
        before = perf_counter()
        reply = await wire.ask(request)
        assert reply.status == 200, reply.status
        seen.alive.append(perf_counter() - before)
        await asyncio.sleep(0.1)


if __name__ == "__main__":
    told = asdict(uvloop.run(gather(Order(**json.load(sys.stdin)))))
    json.dump(told, sys.stdout)
