"""A connection that is held open by a task of its own: whoever calls, the same task opens and closes it."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

from sensecheck.core.errors import Unreachable

if TYPE_CHECKING:
    from mcp import Client

PATIENCE = 60.0
"""How many seconds a server may take to say hello; for its answers it has as long as it wants."""


class Connection:
    """One connection, in one event loop."""

    def __init__(self, opens: Callable[[], AbstractAsyncContextManager["Client"]], server: str) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[Client] = self._loop.create_future()
        self._closing = asyncio.Event()
        self._holding = self._loop.create_task(self._hold(opens))

    @property
    def is_usable(self) -> bool:
        """Whether it is open, or about to be, in the loop that runs now."""
        return self._loop is asyncio.get_running_loop() and not self._holding.done()

    async def client(self) -> "Client":
        """The client, once it is connected; `Unreachable` when it cannot be."""
        await asyncio.wait(
            (self._ready, self._holding), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED
        )
        if self._ready.done():
            return self._ready.result()
        if not self._holding.done():
            self._holding.cancel()
            raise Unreachable(f"the tools at `{self._server}` did not answer within {PATIENCE:g} seconds")
        failure = self._holding.exception()
        raise Unreachable(f"the tools at `{self._server}` cannot be reached: {_said(failure)}") from failure

    async def close(self) -> None:
        """Take leave, and wait until it is done."""
        if self.is_usable:
            self._closing.set()
            if not self._ready.done():
                self._holding.cancel()
            await asyncio.wait((self._holding,))

    async def _hold(self, opens: Callable[[], AbstractAsyncContextManager["Client"]]) -> None:
        async with opens() as client:
            self._ready.set_result(client)
            await self._closing.wait()


def _said(failure: BaseException | None) -> str:
    """What went wrong, in words; of several failures, the first."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return str(failure) or type(failure).__name__
