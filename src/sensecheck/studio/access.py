"""Who may use the Studio: the token of a laptop, and what every request must fulfil wherever it is served.

A page of another site can neither read nor change anything: the name in `Host` must be ours, a request must
not come from another origin, and a change needs a header that no form and no link can send.
"""

from dataclasses import dataclass
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Protocol
from urllib.parse import urlsplit

from starlette.requests import Request

from sensecheck.io.sockets import is_loopback

CHANGE_HEADER = "sensecheck-studio"
"""Every request that changes something has it."""
COOKIE = "sensecheck-studio"
TOKEN = "token"
_READS = ("GET", "HEAD")
_OWN = ("same-origin", "none")


class StudioRefusal(Exception):
    """A request that is not answered, and why."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks at the pages, and what they may do."""

    project: str | None = None
    """The only project that they see; None for all."""
    may_label: bool = True
    may_run: bool = True
    """Whether runs may be resumed and repeated from the page."""
    may_apply: bool = False
    """Whether a fitted card may become the next version of a policy."""
    may_search_by_pattern: bool = True
    """A regular expression can keep a process busy for ever: only on one's own machine."""
    rater: str = ""
    """Under which name labels are stored; the page asks where it is empty."""


class Access(Protocol):
    """Decides who may use the pages."""

    async def viewer(self, request: Request) -> Viewer:
        """Who asks; raises `StudioRefusal` where they may not."""
        ...


@dataclass(frozen=True, slots=True)
class LaptopAccess:
    """One person on their own machine, who has the link with the token."""

    token: str

    @classmethod
    def new(cls) -> "LaptopAccess":
        """With a token that no one can guess."""
        return cls(token_urlsafe(32))

    async def viewer(self, request: Request) -> Viewer:
        """The person who has the link."""
        require_loopback_host(request)
        if not self.knows(request.cookies.get(cookie_name(request), "")):
            raise StudioRefusal(401, "open the link that `sensecheck studio` has printed: it holds a token")
        return Viewer()

    def knows(self, given: str) -> bool:
        """Whether it is the token."""
        return compare_digest(given.encode(), self.token.encode())


def cookie_name(request: Request) -> str:
    """Cookies are shared by all ports of a machine: each Studio has its own."""
    return f"{COOKIE}-{request.url.port or 80}"


def require_loopback_host(request: Request) -> None:
    """Refuse a request for any other name than this machine's: a stranger's name may lead here as well."""
    name = _host_name(f"//{request.headers.get('host', '')}")
    if not is_loopback(name):
        raise StudioRefusal(403, "this Studio answers under `127.0.0.1` and `localhost` alone")


def require_own_page(request: Request) -> None:
    """Refuse what comes from a page of another site, and a change without our header."""
    if request.headers.get("sec-fetch-site", "none") not in _OWN:
        raise StudioRefusal(403, "requests of other sites are not answered")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise StudioRefusal(403, "requests of other sites are not answered")
    if request.method not in _READS and request.headers.get(CHANGE_HEADER) != "1":
        raise StudioRefusal(403, f"a change needs the header `{CHANGE_HEADER}: 1`")


def _host_name(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
