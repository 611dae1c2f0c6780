"""The browser SDK as one script, which comes with the package and is served beside the API."""

import gzip
from base64 import b64encode
from dataclasses import dataclass
from functools import cache
from hashlib import sha384
from html import escape
from importlib.resources import files

VERSION = "0.1.0"
"""That of `sdk/package.json`; what a version holds never changes once it was released."""
PATH = f"/sdk/{VERSION}/sensecheck.js"
_HOUR = 3600
_YEAR = 365 * 24 * _HOUR


def caching(version: str) -> str:
    """How long a browser keeps the script of a version: for ever; but for an hour before 1.0.0, while it may
    be one that is still being built, with the number of the one to come.
    """
    return f"public, max-age={_HOUR}" if version.startswith("0.") else f"public, max-age={_YEAR}, immutable"


@dataclass(frozen=True, slots=True)
class Script:
    """The script, plain and packed, and what a page holds it to."""

    plain: bytes
    packed: bytes
    """By gzip, once, so that no request waits for it."""
    integrity: str
    """As the attribute `integrity` of a tag wants it."""

    def tag(self, service: str, key: str | None) -> str:
        """The tag for a page that asks the service at this address."""
        named = "" if key is None else f' data-key="{escape(key)}"'
        source = f'src="{escape(service)}{PATH}" integrity="{self.integrity}" crossorigin="anonymous"'
        return f"<script defer {source}{named}></script>"


@cache
def script() -> Script:
    """The script, read once."""
    plain = files(__package__).joinpath("sdk", "sensecheck.js").read_bytes()
    integrity = "sha384-" + b64encode(sha384(plain).digest()).decode()
    return Script(plain, gzip.compress(plain, mtime=0), integrity)
