"""A client of servers that have our tools: ours, or another's.

Its connection is held open by a task of its own: whoever calls, the same task opens and closes it.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from sensecheck.core.errors import SampleError, SpecError, ToolError, Unreachable
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    from mcp.types import CallToolResult

    from mcp import Client
# ruff: noqa: PLC0415 - the client's own parts are an extra, for those who connect

PATIENCE = 60.0
"""How many seconds a server may take to say hello; for its answers it has as long as it wants."""


class SemanticToolsClient:
    """Calls tools by name. Connects with the first call, and anew when the server has gone."""

    def __init__(self, opens: Callable[[], AbstractAsyncContextManager["Client"]], server: str) -> None:
        self._opens = opens
        self._server = server
        self._connection: McpConnection | None = None

    @classmethod
    def at(cls, url: str) -> Self:
        """The server at an address, over streamable HTTP: `http://127.0.0.1:8765/mcp`."""

        def opens() -> AbstractAsyncContextManager["Client"]:
            with extra("mcp"):
                from mcp import Client
            return Client(url)

        return cls(opens, url)

    @classmethod
    def command(cls, argv: Sequence[str], *, env: Mapping[str, str] | None = None) -> Self:
        """The server that a command starts, over its standard input and output; it ends with the client.

        It sees few variables of this environment (`HOME`, `PATH` and their like); `env` has the others.
        """
        if isinstance(argv, str) or not argv:
            raise SpecError(f"`argv` must be a list such as ['sensecheck', 'mcp']; got {argv!r}")
        program, *arguments = argv

        def opens() -> AbstractAsyncContextManager["Client"]:
            with extra("mcp"):
                from mcp import Client, StdioServerParameters, stdio_client
            server = StdioServerParameters(command=program, args=arguments, env=dict(env or {}))
            return Client(stdio_client(server, errlog=real_standard_error()))

        return cls(opens, program)

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What the tool gives; `ToolError` when it refuses, `Unreachable` when no one answers."""
        validate_call(name, arguments)
        client = await self._connected()
        from mcp.shared.exceptions import MCPError
        from mcp.types import CONNECTION_CLOSED

        try:
            result = await client.call_tool(name, dict(arguments))
        except MCPError as refusal:
            if refusal.code == CONNECTION_CLOSED:
                await self.close()
                raise Unreachable(f"the tools at `{self._server}` have gone: {refusal}") from refusal
            raise ToolError(f"`{name}`: {refusal}") from refusal
        except RuntimeError as error:  # what the SDK raises for a result that its own schema refuses
            raise ToolError(f"`{name}` gave what it should not: {error}") from error
        return payload_of(name, result)

    async def close(self) -> None:
        """Take leave of the server; the next call would connect again."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()

    async def __aenter__(self) -> Self:
        await self._connected()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _connected(self) -> "Client":
        if self._connection is None or not self._connection.is_usable:
            self._connection = McpConnection(self._opens, self._server)
        return await self._connection.client()


class McpConnection:
    """One connection, in one event loop."""

    def __init__(self, opens: Callable[[], AbstractAsyncContextManager["Client"]], server: str) -> None:
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._ready: asyncio.Future[Client] = self._loop.create_future()
        self._closing = asyncio.Event()
        self._task = self._loop.create_task(self._hold(opens))

    @property
    def is_usable(self) -> bool:
        """Whether it is open, or about to be, in the loop that runs now."""
        return self._loop is asyncio.get_running_loop() and not self._task.done()

    async def client(self) -> "Client":
        """The client, once it is connected; `Unreachable` when it cannot be."""
        await asyncio.wait((self._ready, self._task), timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        if self._ready.done():
            return self._ready.result()
        if not self._task.done():
            self._task.cancel()
            raise Unreachable(f"the tools at `{self._server}` did not answer within {PATIENCE:g} seconds")
        failure = self._task.exception()
        raise Unreachable(f"the tools at `{self._server}` cannot be reached: {_reason(failure)}") from failure

    async def close(self) -> None:
        """Take leave, and wait until it is done."""
        if self.is_usable:
            self._closing.set()
            if not self._ready.done():
                self._task.cancel()
            await asyncio.wait((self._task,))

    async def _hold(self, opens: Callable[[], AbstractAsyncContextManager["Client"]]) -> None:
        async with opens() as client:
            self._ready.set_result(client)
            await self._closing.wait()


def validate_call(name: str, arguments: Mapping[str, Any]) -> None:
    """Raise unless the arguments can be written as JSON."""
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise SampleError(f"the arguments of `{name}` hold half a surrogate pair") from error
    except (TypeError, ValueError) as error:
        raise SampleError(f"the arguments of `{name}` need plain data; {error}") from error


def payload_of(name: str, result: "CallToolResult") -> dict[str, Any]:
    """The data in a tool's result, as any server shapes it; `ToolError` when it says that it failed."""
    text = "\n".join(block.text for block in result.content if block.type == "text")
    if result.is_error:
        raise ToolError(f"`{name}`: {text or 'the tool failed and did not say why'}")
    data = _unwrapped(text if result.structured_content is None else result.structured_content)
    if not isinstance(data, dict):
        raise ToolError(f"`{name}` must give an object; got {type(data).__name__}")
    if data.get("error") not in (None, False):
        raise ToolError(f"`{name}`: {data['error']}")
    return data


def real_standard_error() -> TextIO:
    """Standard error as a process can write to it; in notebooks and tests `sys.stderr` has no file behind it.

    Whatever the name `sys.stderr` stood for when the SDK was imported would be taken otherwise.
    """
    return sys.__stderr__ or Path(os.devnull).open("w", encoding="utf-8")


def _reason(failure: BaseException | None) -> str:
    """What went wrong, in words; of several failures, the first."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return str(failure) or type(failure).__name__


def _unwrapped(data: Any) -> Any:
    """Data that a server wrote as text, or put alone into a `result`."""
    if isinstance(data, str):
        try:
            return _unwrapped(json.loads(data))
        except json.JSONDecodeError:
            return data
    if isinstance(data, dict) and data.keys() == {"result"} and isinstance(data["result"], str | dict):
        return _unwrapped(data["result"])
    return data
