"""Events as bytes, for as long as somebody listens."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import AsyncExitStack, aclosing
from typing import Any

from anyio import CancelScope
from pydantic_core import to_json
from starlette.responses import StreamingResponse
from starlette.types import Send

from sensecheck.server.answering.events import Event
from sensecheck.server.answering.kept_anyway import LAST_SECONDS
from sensecheck.server.problems import Problem
from sensecheck.server.watching.visit import note_trouble

MEDIA_TYPE = "text/event-stream"
HEARTBEAT = 10.0
"""Seconds without an event, after which a comment shows all who stand between that somebody is here."""
_BEAT = b": still here\n\n"
Told = Callable[[], AsyncGenerator[Event, None]]


class EventStream(StreamingResponse):
    """Sends events; when the client leaves, what makes them is stopped at once."""

    def __init__(self, chunks: AsyncGenerator[bytes, None]) -> None:
        super().__init__(chunks, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})
        self._chunks = chunks

    async def stream_response(self, send: Send) -> None:
        """Send, and close what was not sent to its end."""
        try:
            await super().stream_response(send)
        finally:
            with CancelScope(shield=True):
                await self._chunks.aclose()


async def live(
    told: Told, held: AsyncExitStack, *, heartbeat: float = HEARTBEAT
) -> AsyncGenerator[bytes, None]:
    """The events as they come. `held` is let go of when they end, in whichever way.

    They are made in a task of their own, which does not wait for a client that reads slowly, so that no
    writer has to; an answer has an end, and so has what may wait here.
    """
    waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
    making = asyncio.create_task(_make(told, held, waiting))
    try:
        while True:
            try:
                chunk = await asyncio.wait_for(waiting.get(), heartbeat)
            except TimeoutError:
                chunk = _BEAT
            if chunk is None:
                break
            yield chunk
        await making
    finally:
        making.cancel()
        with CancelScope(shield=True):  # what was shown is kept first, and the request ends after it
            await asyncio.wait({making}, timeout=LAST_SECONDS)


async def kept(events: Iterable[Event]) -> AsyncGenerator[bytes, None]:
    """Events that are all there already."""
    for event in events:
        yield as_bytes(event)


def as_bytes(event: Event) -> bytes:
    """An event on the wire."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.at, event.name.encode(), to_json(event.data))


async def _make(told: Told, held: AsyncExitStack, waiting: "asyncio.Queue[bytes | None]") -> None:
    out = 0
    try:
        async with held, aclosing(told()) as events:
            async for event in events:
                out = event.at
                waiting.put_nowait(as_bytes(event))
    except Problem as problem:
        note_trouble(problem.kind.name)
        waiting.put_nowait(as_bytes(Event("problem", _told(problem), out)))
    finally:
        waiting.put_nowait(None)


def _told(problem: Problem) -> dict[str, Any]:
    """The problem, and in it what else would be a header."""
    after = {} if problem.wait is None else {"retry_after": problem.wait}
    return {**problem.to_data(), **after}
