"""Data put into a page that `ui/` is built into: packed, so that nothing in it can mean anything there."""

import base64
import json
import zlib
from importlib import resources
from typing import Any

from sensecheck.core.errors import SpecError

_HERE = "<!--sensecheck:run-->"
"""Where the data stands in a built page."""


def blob(kind: str, data: bytes) -> str:
    """Packed data in letters and digits alone, so that nothing in it can end the element or mean anything."""
    packed = base64.b64encode(zlib.compress(data, 6)).decode("ascii")
    return f'<script type="text/plain" data-blob="{kind}">{packed}</script>\n'


def json_bytes(data: Any) -> bytes:
    """JSON in UTF-8; half a character, which UTF-8 cannot hold, is written as JSON escapes it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def built_page(package: str, name: str) -> tuple[str, str]:
    """What stands before the data in a built page, and what stands after it."""
    page = resources.files(package).joinpath(name).read_text("utf-8")
    before, found, after = page.partition(_HERE)
    if not found:
        raise SpecError(f"the page `{name}` has no place for data; build it again with `just ui`")
    return before, after
