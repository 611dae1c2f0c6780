"""What a page holds, read back without a browser."""

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

_BLOB = re.compile(r'<script type="text/plain" data-blob="(\w+)">([A-Za-z0-9+/=]*)</script>')


def blobs(page: Path) -> dict[str, list[Any]]:
    """The data of a page by its kind: `texts`, `details`, `index`."""
    return packed_in(page.read_text("utf-8"))


def packed_in(page: str) -> dict[str, list[Any]]:
    """The same for a page that is in no file."""
    held: dict[str, list[Any]] = {}
    for kind, letters in _BLOB.findall(page):
        held.setdefault(kind, []).append(json.loads(zlib.decompress(base64.b64decode(letters))))
    return held
