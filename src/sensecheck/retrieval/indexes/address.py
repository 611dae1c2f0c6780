"""Where an index lies: the address of a server, or a folder, and never one taken for the other."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from sensecheck.core.errors import SpecError

_HOST_AND_PORT = r"(\[[0-9a-fA-F:.]+\]|[0-9a-fA-F]*:[0-9a-fA-F:.]*|[\w.-]*):\d+"
_LIKE_A_HOST = re.compile(rf"{_HOST_AND_PORT}(/[^?#]*$)?")
_LIKE_A_NAME_AND_A_HOST = re.compile(rf"[^/\\]*@{_HOST_AND_PORT}|[^/\\]*:.*@", re.DOTALL)
_LIKE_A_SCHEME = re.compile(r"https?(:|//)|//|[a-z][a-z0-9+.-]+:/", re.IGNORECASE)
_SURELY_A_PATH = re.compile(r"\.{0,2}[/\\](?!/)|~|[a-z]:[/\\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Address:
    """A server, without anything secret, so that it may stand in a message."""

    scheme: str
    host: str
    port: int
    path: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}://{self.host}:{self.port}{self.path}"


def address_in(where: str | Path, *, port: int, credentials: str) -> Address | None:
    """The address, with the port that it has unless it names one; None for a folder.

    What could be either is an error, and so is an address with more in it than a place; `credentials` says
    where a name and a password go instead.
    """
    if isinstance(where, Path):
        return None
    if "://" in where:
        return _address(where, port, credentials)
    _must_be_a_folder(where.strip(), credentials)
    return None


def _must_be_a_folder(where: str, credentials: str) -> None:
    """Raise where it looks like a server; of what may hold a password nothing is said again."""
    if _SURELY_A_PATH.match(where):
        return
    if _LIKE_A_NAME_AND_A_HOST.match(where):
        raise SpecError(
            f"what stands before `@` looks like a name or a password for a server: {credentials}; "
            "for a folder write `./` before it"
        )
    if begins := _LIKE_A_SCHEME.match(where):
        raise SpecError(
            f"an address wants `http://` or `https://`; found `{begins[0]}`; give a folder as a `Path`"
        )
    if host := _LIKE_A_HOST.match(where):
        raise SpecError(
            f"`{host[0]}` may be a server or a folder; write `http://{host[0]}` for the one, "
            f"`./{host[0]}` for the other"
        )


def _address(where: str, usual: int, credentials: str) -> Address:
    if "@" in where:  # wherever: a password with `/` in it does not end where a host begins
        raise SpecError(f"the address holds `@`, as with a name or a password; {credentials}")
    try:
        parts = urlsplit(where)
        port = parts.port
    except ValueError:  # which may quote a password
        raise SpecError("the address of the server cannot be read: its host or its port is none") from None
    if parts.scheme not in ("http", "https"):
        raise SpecError(
            f"an address wants `http://` or `https://`; found `{parts.scheme}://`; give a folder as a path"
        )
    if not parts.hostname:
        raise SpecError(f"the address `{parts.scheme}://…` names no host")
    _must_be_a_place(parts)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(parts.scheme, host, usual if port is None else port, parts.path.rstrip("/"))


def _must_be_a_place(parts: SplitResult) -> None:
    if parts.query or parts.fragment:
        raise SpecError(f"the address of `{parts.hostname}` goes on with `?` or `#`, which would be lost")
