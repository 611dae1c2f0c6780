"""A socket that a server listens on."""

import ipaddress
import socket
from collections.abc import Sequence
from typing import Any

from sensecheck.core.errors import SpecError


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes a free one."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        raise SpecError(f"cannot listen on `{host}`, port {port}: {error}") from error


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach this address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def url_of(bound: Sequence[Any]) -> str:
    """The address of a socket that listens, as people call it."""
    host, port = str(bound[0]), bound[1]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
