"""The docs name the versions that adapters were tested with."""

from pathlib import Path

import pytest

from tests.adapters.pages import HOW_TO

VERSIONS = (Path(__file__).parent / "versions.txt").read_text().splitlines()
PAGES = ("use-in-other-tools.md", "guard-in-frameworks.md", "evaluate-at-scale.md")
ADAPTERS = {
    "haystack-ai": "haystack",
    "langchain-classic": "langchain",
    "langchain-core": "langchain",
    "llama-index-core": "llama_index",
    "pyspark": "spark",
    "ray": "tables",
}
"""Those that are not called after their package; their rows name the package."""


@pytest.mark.parametrize("line", VERSIONS)
def test_a_page_of_adapters_names_the_version(line: str) -> None:
    name, version = line.split("==")
    adapter = f"`sensecheck.adapters.{ADAPTERS.get(name, name.replace('-', '_'))}`"

    rows = [row for page in PAGES for row in (HOW_TO / page).read_text().splitlines()]
    found = [row for row in rows if row.startswith("|") and adapter in row]
    assert len(found) == 1
    tested = found[0].removesuffix(" |").rpartition("| ")[2].split(", ")
    assert (f"{name} {version}" if name in ADAPTERS else version) in tested
