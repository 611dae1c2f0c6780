"""A real browser, for the pages that we write."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Dialog, Page, sync_playwright

from tests.markers import require_marker

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The Chromium of this machine; without one the test is skipped, and says so."""
    require_marker("browser")
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip(f"no browser is installed; looked for {', '.join(_NAMES)}")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=found, args=list(_QUIET))
        yield browser
        browser.close()


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that is open, and everything it complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)


@contextmanager
def opened(
    browser: Browser,
    file: Path,
    *,
    hash_: str = "",
    width: int = 1280,
    unguarded: bool = False,
) -> Iterator[Opened]:
    """A file in a fresh window; `unguarded` sets the page's policy aside, so that a test can look into it."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        offline=True,
        bypass_csp=unguarded,
        reduced_motion="reduce",
    )
    seen = Opened(context.new_page())

    def dismiss(dialog: Dialog) -> None:
        seen.complaints.append(dialog.message)
        dialog.dismiss()

    seen.page.on("console", lambda message: seen.complaints.append(message.text))
    seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    seen.page.on("dialog", dismiss)
    seen.page.set_default_timeout(10_000)
    seen.page.goto(f"{file.as_uri()}{hash_}")
    seen.page.locator(".head").wait_for()
    yield seen
    context.close()
