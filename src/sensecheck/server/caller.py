"""Callers: which key they use, and where a request came from."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Literal, get_args
from urllib.parse import urlsplit

from starlette.requests import Request

from sensecheck.core.errors import SpecError
from sensecheck.io.sockets import is_loopback
from sensecheck.store.service.records import ApiKey

Scope = Literal["check", "answer", "feedback", "review", "policies", "stats", "sessions", "metrics"]
SECRET_SCOPES: frozenset[Scope] = frozenset(get_args(Scope))
PUBLISHABLE_SCOPES: frozenset[Scope] = frozenset(("answer", "feedback"))
"""All that a key in a web page can ever be given; whoever reads the page has it."""
_Address = IPv4Address | IPv6Address
_Network = IPv4Network | IPv6Network
UNKNOWN = "local"
"""The address of a peer that has none, as on a socket of Unix."""
_NEIGHBOURS = 64
"""Bits of an IPv6 address that a household shares: behind them, everybody has as many as they like."""
_FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")


@dataclass(frozen=True, slots=True)
class Caller:
    """A key, where it was used from, and what it may see."""

    key: ApiKey
    address: str
    """Where the request came from."""
    origin: str | None = None
    """The page that sent it, where a browser says so."""

    @property
    def sees_scores(self) -> bool:
        """Whether numbers are shown: with them, a stranger could search for what just passes."""
        return self.key.kind == "secret"


@dataclass(frozen=True, slots=True)
class Proxies:
    """Those whose word is taken for where a request came from."""

    networks: tuple[_Network, ...] = ()

    @classmethod
    def read(cls, text: str) -> "Proxies":
        """Addresses or networks, with commas: `10.0.0.7, 10.1.0.0/16`."""
        words = [word.strip() for word in text.split(",") if word.strip()]
        try:
            return cls(tuple(ip_network(word) for word in words))
        except ValueError as wrong:
            requirement = "must be addresses such as `10.0.0.7, 10.1.0.0/16`"
            raise SpecError(f"SENSECHECK_SERVE_PROXIES {requirement}: {wrong}") from wrong

    def client(self, peer: str | None, forwarded: Iterable[str]) -> str:
        """The last address on the way that is no proxy of ours; what comes before it, anyone can write."""
        near = _parse(peer or "")
        for word in reversed([word for line in forwarded for word in line.split(",")]):
            further = _parse(word.strip())
            if near is None or further is None or near not in self:
                break
            near = further
        return UNKNOWN if near is None else str(near)

    def __contains__(self, address: _Address) -> bool:
        return any(address in network for network in self.networks if network.version == address.version)


def is_this_machine(peer: str | None) -> bool:
    """Whether a peer is on this very machine."""
    address = _parse(peer or "")
    return address is not None and address.is_loopback


def counted_as(address: str) -> str:
    """The address that limits are counted for: itself, or the network of an address of IPv6."""
    ip = _parse(address)
    if isinstance(ip, IPv6Address):
        return str(ip_network((ip, _NEIGHBOURS), strict=False))
    return address


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


@lru_cache(maxsize=4096)
def _parse(text: str) -> _Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
