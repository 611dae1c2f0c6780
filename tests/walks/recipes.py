"""Ask a built site, go to its next page, and ask there: `python -m tests.walks.recipes NAME SITE PORT`."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import expect

from tests.walks.asking import Reader, reading
from tests.walks.browsing import chromium


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about a passage, and a part of the answer."""

    passage: str
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """A question on one page, a link to the next, and a question there."""

    path: str
    first: Question
    link: str
    second: Question
    reloads: bool = False
    """Whether the browser loads the next page anew."""


_DOCS = Recipe(
    "how-to/run-the-service/",
    Question(
        "article p:has-text('A writer that fails five times')",
        "What happens to a writer that fails five times in a row?",
        "left alone for five seconds",
    ),
    "nav a[href*='decisions/0018']",
    Question("article p:has-text('Who changes a piece')", "What does who changes a piece need?", "Node"),
)
RECIPES = {
    "docusaurus": Recipe(
        "",
        Question("article p", "How long may a tool be kept?", "ten days"),
        "article a[href*='repairs']",
        Question("article p", "What does a repair cost at most?", "15 euros"),
    ),
    "mkdocs": Recipe(_DOCS.path, _DOCS.first, _DOCS.link, _DOCS.second, reloads=True),
    "mkdocs-instant": _DOCS,
}


def main(name: str, site: str, port: int) -> None:
    """Walk through a recipe; what is not as it should be raises."""
    recipe = RECIPES[name]
    with (
        served(Path(site), port) as address,
        chromium() as browser,
        reading(browser, f"{address}{recipe.path}") as reader,
    ):
        answered(reader, recipe.first)
        reader.page.evaluate("window.before = true")
        reader.page.locator(recipe.link).first.evaluate("link => link.click()")
        expect(reader.page.locator(recipe.second.passage).first).to_contain_text(recipe.second.answer)
        assert reader.page.evaluate("window.before !== true") == recipe.reloads
        expect(reader.dialog).to_be_hidden()
        assert reader.highlighted() == []
        answered(reader, recipe.second)
        assert reader.complaints == [], reader.complaints


def answered(reader: Reader, asked: Question) -> None:
    """Ask, and see the answer and what it stands on."""
    reader.select(asked.passage)
    reader.ask(asked.question)
    expect(reader.dialog.locator(".result .answer")).to_contain_text(asked.answer)
    assert any(asked.answer in text for text in reader.highlighted()), reader.highlighted()


@contextmanager
def served(site: Path, port: int) -> Iterator[str]:
    """A folder on this port; its address."""
    handler = partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{port}/"
        finally:
            server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Files of a folder."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is given
        """Nothing."""


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
