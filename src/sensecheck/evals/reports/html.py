"""A run as one page to look through: one file, which wants a browser and fetches nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sensecheck.evals.reports.page_data import PageData, texts_of
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import tried
from sensecheck.io.atomic import whole_file
from sensecheck.io.pages import blob, built_page, json_bytes

_TESTS, _BYTES = 100, 2_000_000
"""A pack of details is opened as a whole, so it is closed when it holds so much."""


def write_html(run: RunFile, path: Path) -> None:
    """Write the page; its file is there in whole or not at all, and the same for the same run."""
    before, after = built_page("sensecheck.evals.reports", "report_page.html")
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
        yield blob("texts", _joined(pack.texts))
        yield blob("details", _joined(pack.details))
    yield blob("index", json_bytes(page.index() | {"packs": sizes}))


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
        pack.add(json_bytes(texts_of(one)), json_bytes(page.add(one)))
        if pack.full:
            yield pack
            pack = _Pack()
    if pack.texts:
        yield pack


def _joined(items: list[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"
