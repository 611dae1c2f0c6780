"""Whether a request was made on this very machine."""

from urllib.parse import urlsplit

from starlette.requests import Request

from sensecheck.io.sockets import is_loopback
from sensecheck.server.entry.addresses import Proxies

_FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


def comes_from_here(request: Request, proxies: Proxies) -> bool:
    """Whether a request was made on this machine: not passed on by it, and not under a stranger's name."""
    direct = is_direct(request) and not proxies.networks
    return direct and is_loopback(host_of(f"//{request.headers.get('host', '')}"))


def is_direct(request: Request) -> bool:
    """Whether nothing says that a request was passed on by somebody."""
    return not any(name in request.headers for name in _FORWARDED)


def host_of(url: str) -> str:
    """The host that a URL names; empty for what is no URL."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
