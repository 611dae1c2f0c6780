"""The server over streamable HTTP, for any number of clients."""

import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings

from sensecheck.core.errors import SpecError
from sensecheck.io.sockets import is_loopback, listening_at, url_of
from sensecheck.mcp.limits import BODY_BYTES

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
PATH = "/mcp"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens, and under which names it may be called."""

    host: str = "127.0.0.1"
    port: int = 8765
    names: tuple[str, ...] = ()
    """Names in the `Host` header that are answered, beside those of this machine itself."""
    any_name: bool = False

    def __post_init__(self) -> None:
        if not (is_loopback(self.host) or self.names or self.any_name):
            raise SpecError(
                f"`{self.host}` can be reached from other machines; name the hosts that may be called with "
                "`--allowed-host`, or take any with `--allow-any-host`"
            )

    def guard(self) -> TransportSecuritySettings:
        """Which requests are answered: a page of a stranger may not reach a local server by another name."""
        names = (*LOOPBACK, *self.names)
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
            streamable_http_path=PATH,
            transport_security=address.guard(),
            max_request_body_size=BODY_BYTES,
            host=address.host,
        )
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
        tell(url_of(listening.getsockname()) + PATH)
        anyio.run(_until_stopped, uvicorn.Server(config), [listening])


async def _until_stopped(serving: uvicorn.Server, sockets: list[socket.socket]) -> None:
    await serving.serve(sockets=sockets)
