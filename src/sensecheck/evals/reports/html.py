"""A run as one page to look through: one file, which wants a browser and fetches nothing."""

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.whole_file import whole_file
from sensecheck.evals.reports.page_data import PageData, texts_of
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import tried

_HERE = "<!--sensecheck:run-->"
"""Where the run stands in the page that `ui/` is built into."""
_TESTS, _BYTES = 100, 2_000_000
"""A pack of details is opened as a whole, so it is closed when it holds so much."""


def write_html(run: RunFile, path: Path) -> None:
    """Write the page; its file is there in whole or not at all, and the same for the same run."""
    before, after = _template()
    with whole_file(path) as file:
        file.write(before)
        for element in _elements(run):
            file.write(element)
        file.write(after)


def _elements(run: RunFile) -> Iterator[str]:
    """The details first, pack by pack, so that no more than one of them is held; the index last."""
    page = PageData(run.header)
    sizes = []
    for pack in _packs(run, page):
        sizes.append(len(pack.texts))
        yield _blob("texts", _joined(pack.texts))
        yield _blob("details", _joined(pack.details))
    yield _blob("index", _json(page.index() | {"packs": sizes}))


@dataclass(slots=True)
class _Pack:
    """Some tests, one after the other: their texts, which are searched, and all that is told of them."""

    texts: list[bytes] = field(default_factory=list)
    details: list[bytes] = field(default_factory=list)
    size: int = 0

    def add(self, texts: bytes, details: bytes) -> None:
        self.texts.append(texts)
        self.details.append(details)
        self.size += len(texts) + len(details)

    @property
    def full(self) -> bool:
        return len(self.texts) >= _TESTS or self.size >= _BYTES


def _packs(run: RunFile, page: PageData) -> Iterator[_Pack]:
    pack = _Pack()
    for one in tried(run.results()):
        pack.add(_json(texts_of(one)), _json(page.add(one)))
        if pack.full:
            yield pack
            pack = _Pack()
    if pack.texts:
        yield pack


def _blob(kind: str, data: bytes) -> str:
    """Packed data in letters and digits alone, so that nothing in it can end the element or mean anything."""
    packed = base64.b64encode(zlib.compress(data, 6)).decode("ascii")
    return f'<script type="text/plain" data-blob="{kind}">{packed}</script>\n'


def _joined(items: list[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def _json(data: Any) -> bytes:
    """JSON in UTF-8; half a character, which UTF-8 cannot hold, is written as JSON escapes it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _template() -> tuple[str, str]:
    page = resources.files(__package__).joinpath("report_page.html").read_text("utf-8")
    before, found, after = page.partition(_HERE)
    if not found:
        raise SpecError("the page of reports has no place for a run; build it again with `just ui`")
    return before, after
