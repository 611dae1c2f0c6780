"""Work that is given up when the client who asked for it leaves."""

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

GONE = 499
"""The status that is logged for a client who left; nobody is there to read it."""


async def unless_gone(request: Request, work: Coroutine[Any, Any, Response]) -> Response:
    """The answer; or none, with the work cancelled, once nobody waits for it any more."""
    doing, leaving = asyncio.create_task(work), asyncio.create_task(_left(request))
    try:
        await asyncio.wait({doing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        return doing.result() if doing.done() else Response(status_code=GONE)
    finally:
        leaving.cancel()
        doing.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
        await asyncio.wait({doing})
        if not doing.cancelled():
            doing.exception()  # looked at, even where nobody is left to be told


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
