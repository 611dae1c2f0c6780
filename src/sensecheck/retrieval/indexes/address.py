"""Where an index lies: the address of a server, or a folder, and never one taken for the other."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

from sensecheck.core.errors import SpecError

_LIKE_A_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[\w.-]+):\d+(/.*)?")


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
    if _LIKE_A_HOST.fullmatch(where):
        raise SpecError(
            f"`{where}` may be a server or a folder; write `http://{where}` for the one, "
            f"`./{where}` for the other"
        )
    return None


def _address(where: str, usual: int, credentials: str) -> Address:
    try:
        parts = urlsplit(where)
        port = parts.port
    except ValueError as problem:
        raise SpecError("the address of the server cannot be read: its host or its port is none") from problem
    if parts.scheme not in ("http", "https"):
        raise SpecError(
            f"an address wants `http://` or `https://`; found `{parts.scheme}://`; give a folder as a path"
        )
    if not parts.hostname:
        raise SpecError(f"the address `{parts.scheme}://…` names no host")
    _must_be_a_place(parts, credentials)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return Address(parts.scheme, host, usual if port is None else port, parts.path.rstrip("/"))


def _must_be_a_place(parts: SplitResult, credentials: str) -> None:
    if parts.username is not None or parts.password is not None:
        raise SpecError(f"the address of `{parts.hostname}` holds a name or a password; {credentials}")
    if parts.query or parts.fragment:
        raise SpecError(f"the address of `{parts.hostname}` goes on with `?` or `#`, which would be lost")
