"""The server over streamable HTTP for any number of clients, or over standard input and output for one."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
import uvicorn
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from sensecheck.core.errors import SpecError
from sensecheck.io.sockets import is_loopback, listening_at, url_of
from sensecheck.mcp.tool import BODY_BYTES

_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_PATH = "/mcp"

Heard = SessionMessage | Exception


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens, and under which names it may be called."""

    host: str = "127.0.0.1"
    port: int = 8765
    names: tuple[str, ...] = ()
    """Names in the `Host` header that are answered, next to those of this machine itself."""
    any_name: bool = False

    def __post_init__(self) -> None:
        if not (is_loopback(self.host) or self.names or self.any_name):
            raise SpecError(
                f"`{self.host}` can be reached from other machines; name the hosts that may be called with "
                "`--allowed-host`, or take any with `--allow-any-host`"
            )

    def guard(self) -> TransportSecuritySettings:
        """Which requests are answered: a page of a stranger may not reach a local server by another name."""
        names = (*_LOOPBACK, *self.names)
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=not self.any_name,
            allowed_hosts=[pattern for name in names for pattern in (name, f"{name}:*")],
            allowed_origins=[
                f"{scheme}://{pattern}"
                for scheme in ("http", "https")
                for name in names
                for pattern in (name, f"{name}:*")
            ],
        )


def serve_http(server: Server[Any], address: Address, tell: Callable[[str], None]) -> None:
    """Answer clients until it is stopped; `tell` is told the address once it can be called."""
    with listening_at(address.host, address.port) as listening:
        app = server.streamable_http_app(
            streamable_http_path=_PATH,
            transport_security=address.guard(),
            max_request_body_size=BODY_BYTES,
            host=address.host,
        )
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
        tell(url_of(listening.getsockname()) + _PATH)
        anyio.run(partial(uvicorn.Server(config).serve, sockets=[listening]))


def serve_stdio(server: Server[Any]) -> None:
    """Answer one client, until it goes; nothing but the protocol is written to standard output."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        readable, understood = anyio.create_memory_object_stream[Heard]()
        tasks.start_soon(_reject_unreadable, incoming, readable, outgoing)
        await server.run(understood, outgoing, server.create_initialization_options())


async def _reject_unreadable(
    incoming: ObjectReceiveStream[Heard],
    readable: ObjectSendStream[Heard],
    outgoing: ObjectSendStream[SessionMessage],
) -> None:
    """Answers what the SDK cannot read: it drops such a line, and its sender would wait for ever."""
    async with readable:
        async for message in incoming:
            if isinstance(message, ValidationError):
                await outgoing.send(SessionMessage(_unreadable(message)))
            else:
                await readable.send(message)


def _unreadable(error: ValidationError) -> JSONRPCError:
    first = error.errors(include_url=False)[0]
    # The SDK's reader speaks of hex escapes where half a surrogate pair is, and nowhere else.
    detail = " (half a surrogate pair in a text)" if "hex escape" in first["msg"] else ""
    because = f"the message cannot be read: {first['msg']}{detail}"
    return JSONRPCError(
        jsonrpc="2.0", id=_id_in(first["input"]), error=ErrorData(code=PARSE_ERROR, message=because)
    )


def _id_in(raw: Any) -> str | int | None:
    """Whose message it is, where that much can be read: Python takes half a surrogate pair, the SDK not."""
    try:
        message = json.loads(raw) if isinstance(raw, str) else raw
    except (ValueError, RecursionError):
        return None
    message_id = message.get("id") if isinstance(message, dict) else None
    return message_id if isinstance(message_id, str | int) and not isinstance(message_id, bool) else None
