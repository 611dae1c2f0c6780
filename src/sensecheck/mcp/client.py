"""A client of servers that have our tools: ours, or somebody else's."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from sensecheck.core.errors import SpecError, ToolError, Unreachable
from sensecheck.core.extras import extra
from sensecheck.mcp.connection import Connection
from sensecheck.mcp.payload import must_be_sendable, payload_of

if TYPE_CHECKING:
    from mcp import Client

# ruff: noqa: PLC0415 - the client's own parts are an extra, for those who connect


def real_standard_error() -> TextIO:
    """Standard error as a process can write to it; in notebooks and tests `sys.stderr` has no file behind it.

    Whatever the name `sys.stderr` stood for when the SDK was imported would be taken otherwise.
    """
    return sys.__stderr__ or Path(os.devnull).open("w", encoding="utf-8")


class SemanticToolsClient:
    """Calls tools by name. Connects with the first call, and anew when the server has gone."""

    def __init__(self, opens: Callable[[], AbstractAsyncContextManager["Client"]], server: str) -> None:
        self._opens = opens
        self._server = server
        self._connection: Connection | None = None

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
            raise SpecError(f"`argv` wants a list such as ['sensecheck', 'mcp']; found {argv!r}")
        program, *arguments = argv

        def opens() -> AbstractAsyncContextManager["Client"]:
            with extra("mcp"):
                from mcp import Client, StdioServerParameters, stdio_client
            server = StdioServerParameters(command=program, args=arguments, env=dict(env or {}))
            return Client(stdio_client(server, errlog=real_standard_error()))

        return cls(opens, program)

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What the tool gives; `ToolError` when it refuses, `Unreachable` when nobody answers."""
        must_be_sendable(name, arguments)
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
        except RuntimeError as wrong:  # what the SDK raises for a result that its own schema refuses
            raise ToolError(f"`{name}` gave what it should not: {wrong}") from wrong
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
            self._connection = Connection(self._opens, self._server)
        return await self._connection.client()
