"""The docs name the versions that adapters were tested with."""

from pathlib import Path

import pytest

from tests.adapters.pages import HOW_TO

VERSIONS = (Path(__file__).parent / "versions.txt").read_text().splitlines()


@pytest.mark.parametrize("line", VERSIONS)
def test_the_page_of_adapters_names_the_version(line: str) -> None:
    name, version = line.split("==")
    adapter = f"`sensecheck.adapters.{name.replace('-', '_')}`"

    rows = [row for row in (HOW_TO / "use-in-other-tools.md").read_text().splitlines() if adapter in row]
    assert len(rows) == 1
    assert rows[0].endswith(f"| {version} |")
