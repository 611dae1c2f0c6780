"""Pages that may use a key, as a browser names them: `https://docs.example.com`."""

import re
from collections.abc import Sequence
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from sensecheck.core.errors import SpecError
from sensecheck.io.sockets import is_loopback

MOST = 50
LONGEST = 300
"""Characters of an origin; the name of a host has 253 at most."""
WANTED = "`https://docs.example.com`, `https://*.example.com`, or `http://localhost:3000`"
_PORTS = {"https": 443, "http": 80}
_LABEL = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def normalised_origins(given: Sequence[str]) -> tuple[str, ...]:
    """These origins as browsers write them, each once, in the order in which they were given."""
    if len(given) > MOST:
        raise SpecError(f"a key wants at most {MOST} origins; found {len(given)}")
    return tuple(dict.fromkeys(normalised(origin) for origin in given))


def normalised(origin: str) -> str:
    """An origin as browsers write it: small letters, and no port where it is the usual one."""
    if len(origin) > LONGEST:
        raise _wrong(origin)
    try:
        url = urlsplit(origin.strip())
        port = url.port
    except ValueError:  # a port that is no number, or an address that is none
        raise _wrong(origin) from None
    host = url.hostname or ""
    if url.scheme not in _PORTS or url.path not in ("", "/") or _has_more(url) or not _is_host(host):
        raise _wrong(origin)
    if url.scheme == "http" and not is_loopback(host):
        raise SpecError(f"`{_shown(origin)}` is not encrypted; wanted `https`, except for this very machine")
    shown = f"[{host}]" if ":" in host else host
    return f"{url.scheme}://{shown}{'' if port in (None, _PORTS[url.scheme]) else f':{port}'}"


def allows(origins: tuple[str, ...], origin: str) -> bool:
    """Whether one of these origins is, or covers, the one that a browser sent."""
    return any(_covers(one, origin) if "://*." in one else one == origin for one in origins)


def _covers(wide: str, origin: str) -> bool:
    """`https://*.example.com` covers every host below `example.com`, and not that one itself."""
    scheme, _, ending = wide.partition("*")
    name = origin.removeprefix(scheme).removesuffix(ending)
    return origin == f"{scheme}{name}{ending}" and all(_LABEL.fullmatch(label) for label in name.split("."))


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        wide, labels = host.startswith("*."), host.removeprefix("*.").split(".")
        # `https://*.com` would be every shop there is.
        return all(_LABEL.fullmatch(label) for label in labels) and not (wide and len(labels) < 2)
    return True


def _has_more(url: SplitResult) -> bool:
    return bool(url.query or url.fragment or "@" in url.netloc or url.netloc.endswith(":"))


def _wrong(origin: str) -> SpecError:
    return SpecError(f"`{_shown(origin)}` is no origin; wanted {WANTED}")


def _shown(origin: str) -> str:
    return ascii(origin[:60])[1:-1]
