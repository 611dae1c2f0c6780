"""Addresses of files: paths of this machine, and URLs of anything that fsspec reads."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import fsspec

from sensecheck.core.errors import SpecError

_PASSWORD = re.compile(r"^[^/@]*:(?!\d+/).*@")  # `/` and `@` may stand in it; a port is none
_QUERY = re.compile(r"\?[^/]*=.*$")
LOCAL = ("file", "local")


def is_url(address: str) -> bool:
    """Whether it is no path of this machine."""
    return "://" in address and urlsplit(address).scheme not in LOCAL


def local_path(address: str) -> Path:
    """The path that is meant."""
    return Path(urlsplit(address).path if "://" in address else address)


def must_hold_no_secret(address: str) -> None:
    """Raise where a password or a key stands in the address, since a run writes its addresses down."""
    if not is_url(address):
        return
    scheme, _, rest = address.partition("://")
    bare = _QUERY.sub("", _PASSWORD.sub("", rest))
    if bare != rest:
        raise SpecError(
            f"`{scheme}://{bare}` has a password or a query, which would be written into the run; leave "
            f"it out, and tell `{scheme}` of it in its own settings: its variables, or fsspec's `conf.json`"
        )


def opened(address: str) -> tuple[Any, str]:
    """The file system of fsspec for an address, and the path in it."""
    must_hold_no_secret(address)
    try:
        store, path = fsspec.core.url_to_fs(address if is_url(address) else str(local_path(address)))
    except ImportError as missing:
        scheme = address.partition("://")[0]
        raise SpecError(
            f"`{address}` cannot be opened: {missing}; install what reads `{scheme}`"
        ) from missing
    except ValueError as unknown:
        raise SpecError(f"`{address}` cannot be opened: {unknown}") from unknown
    return store, path
