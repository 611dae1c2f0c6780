"""The pages that `ui/` is built into, and data put into them, packed so that nothing in it means anything."""

import base64
import gzip
import json
import zlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.text.markup import without_controls

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


def readable(data: Any) -> Any:
    """The same data with texts as a page may show them, each as long as it was, so that offsets stay right.

    A carriage return is a space; what cannot be seen, or would turn the writing direction of all that
    follows, is U+FFFD.
    """
    if isinstance(data, str):
        return without_controls(data.replace("\r", " "))
    if isinstance(data, Mapping):
        return {key: readable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [readable(item) for item in data]
    return data


def page_text(package: str, name: str) -> str:
    """A built page, which the package holds compressed."""
    return gzip.decompress(resources.files(package).joinpath(f"{name}.gz").read_bytes()).decode("utf-8")


def built_page(package: str, name: str) -> tuple[str, str]:
    """What stands before the data in a built page, and what stands after it."""
    before, marker, after = page_text(package, name).partition(_HERE)
    if not marker:
        raise SpecError(f"the page `{name}` has no place for data; build it again with `just ui`")
    return before, after
