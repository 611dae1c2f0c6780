"""A real browser for walks, one for a file of tests."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.walks.browsing import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    with chromium() as found:
        yield found
