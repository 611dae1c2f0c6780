"""A reader of a page: selects a passage, asks about it, and reads what comes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from playwright.sync_api import Browser, Locator, Page

SCREEN = (1280, 900)
_SELECT = "passage => getSelection().selectAllChildren(passage)"
_HIGHLIGHTS = "() => [...CSS.highlights.values()].flatMap(one => [...one].map(range => range.toString()))"


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who has a page open; what the page complained about is in `complaints`."""

    page: Page
    complaints: list[str] = field(default_factory=list)

    @property
    def dialog(self) -> Locator:
        """Where one asks."""
        return self.page.get_by_role("dialog", name="Ask about this")

    def select(self, passage: str) -> None:
        """Scroll to an element, and select what it holds."""
        found = self.page.locator(passage).first
        found.scroll_into_view_if_needed()
        found.evaluate(_SELECT)

    def ask(self, question: str) -> None:
        """Ask about what is selected, or once more in the open dialog."""
        if not self.dialog.is_visible():
            self.page.get_by_role("button", name="Ask about this").click()
        self.dialog.get_by_role("textbox").fill(question)
        self.page.keyboard.press("Enter")

    def highlighted(self) -> list[str]:
        """The texts that are highlighted in the page."""
        found: list[str] = self.page.evaluate(_HIGHLIGHTS)
        return found


@contextmanager
def reading(
    browser: Browser,
    address: str,
    *,
    screen: tuple[int, int] = SCREEN,
    scheme: Literal["light", "dark"] = "light",
) -> Iterator[Reader]:
    """A reader with this page open."""
    context = browser.new_context(
        viewport={"width": screen[0], "height": screen[1]}, color_scheme=scheme, reduced_motion="reduce"
    )
    reader = Reader(context.new_page())
    reader.page.on("console", lambda told: reader.complaints.append(f"{told.text} ({told.location['url']})"))
    reader.page.on("pageerror", lambda error: reader.complaints.append(str(error)))
    reader.page.set_default_timeout(30_000)
    reader.page.goto(address)
    yield reader
    context.close()
