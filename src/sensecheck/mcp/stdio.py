"""The server over standard input and output, for a client that starts it."""

import json
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

Heard = SessionMessage | Exception


def serve_stdio(server: Server[Any]) -> None:
    """Answer one client, until it goes; nothing but the protocol is written to standard output."""
    anyio.run(_serve, server)


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as tasks:
        readable, understood = anyio.create_memory_object_stream[Heard]()
        tasks.start_soon(_answer_what_cannot_be_read, incoming, readable, outgoing)
        await server.run(understood, outgoing, server.create_initialization_options())


async def _answer_what_cannot_be_read(
    incoming: ObjectReceiveStream[Heard],
    readable: ObjectSendStream[Heard],
    outgoing: ObjectSendStream[SessionMessage],
) -> None:
    """The SDK drops a line that it cannot read, and its sender would wait for ever."""
    async with readable:
        async for message in incoming:
            if isinstance(message, ValidationError):
                await outgoing.send(SessionMessage(_unreadable(message)))
            else:
                await readable.send(message)


def _unreadable(wrong: ValidationError) -> JSONRPCError:
    first = wrong.errors(include_url=False)[0]
    # The SDK's reader speaks of hex escapes where half a surrogate pair is, and nowhere else.
    broken = " (half a surrogate pair in a text)" if "hex escape" in first["msg"] else ""
    because = f"the message cannot be read: {first['msg']}{broken}"
    return JSONRPCError(
        jsonrpc="2.0", id=_id_in(first["input"]), error=ErrorData(code=PARSE_ERROR, message=because)
    )


def _id_in(heard: Any) -> str | int | None:
    """Whose message it is, where that much can be read: Python takes half a surrogate pair, the SDK not."""
    try:
        message = json.loads(heard) if isinstance(heard, str) else heard
    except (ValueError, RecursionError):
        return None
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None
