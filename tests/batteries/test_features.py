"""What only promptfoo has: named in messages, and on the page for those who come from it."""

import re
from pathlib import Path

import pytest

from sensecheck.batteries.features import (
    KEYS_OF_ASSERTIONS,
    OPTIONS,
    OPTIONS_OF_RUNS,
    PROMPT,
    PROVIDER,
    TEST,
    TOP,
    TYPES,
    Keys,
)

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "from-promptfoo.md"
HEADING = "## What is not supported, and what to write instead"


def on_the_page() -> set[str]:
    """What stands in the first column of the table, without the place of a key: `options.provider`."""
    section = PAGE.read_text("utf-8").partition(HEADING)[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {name.removeprefix("options.") for cell in cells for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("keys", [TOP, OPTIONS_OF_RUNS, PROVIDER, TEST, OPTIONS, PROMPT])
def test_every_unsupported_key_is_on_the_page(keys: Keys) -> None:
    assert set(keys.foreign) - on_the_page() == set()


def test_every_unsupported_type_and_key_of_assertions_is_on_the_page() -> None:
    assert (set(TYPES) | set(KEYS_OF_ASSERTIONS)) - on_the_page() == set()
