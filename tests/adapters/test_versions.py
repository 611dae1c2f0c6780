"""The docs name the versions that adapters and recipes were tested with."""

from pathlib import Path

import pytest

from tests.adapters.pages import HOW_TO

VERSIONS = (Path(__file__).parent / "versions.txt").read_text().splitlines()
PAGES = (
    "use-in-other-tools.md",
    "guard-in-frameworks.md",
    "guard-other-vector-stores.md",
    "evaluate-at-scale.md",
)
STORES = ("chromadb", "faiss-cpu", "lancedb", "qdrant-client")
"""Packages that have a recipe and no adapter: their rows name the package."""
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
def test_a_page_names_the_version_that_was_tested(line: str) -> None:
    name, version = line.split("==")
    adapter = f"`sensecheck.adapters.{ADAPTERS.get(name, name.replace('-', '_'))}`"
    wanted = f"`{name}`" if name in STORES else adapter

    rows = [row for page in PAGES for row in (HOW_TO / page).read_text().splitlines()]
    found = [row for row in rows if row.startswith("|") and wanted in row]
    assert len(found) == 1
    tested = found[0].removesuffix(" |").rpartition("| ")[2].split(", ")
    assert (f"{name} {version}" if name in ADAPTERS else version) in tested
