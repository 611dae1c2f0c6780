"""Links lead somewhere: files and headings, without a network; and nothing is left to do."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
BUILT = {"node_modules", "dist", "build", "site", ".cache", ".venv", ".git", ".docusaurus"}
"""Folders that hold what others wrote, or what was made from the rest."""
SITE_ROOT = "/"
"""Begins an address on a site of its own, which no file of ours stands for."""

_CODE = re.compile(r"^(`{3,}|~{3,}).*?^\1$|`[^`\n]+`|<!--.*?-->", re.MULTILINE | re.DOTALL)
_FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
_REFERENCE = re.compile(r"^\[[^\]]+\]:\s+(\S+)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"\b(?:href|src)=\"([^\"]+)\"")
_HEADING = re.compile(r"^#{1,6}\s+(.+?)(?:\s+#+)?\s*$", re.MULTILINE)
_OWN_ID = re.compile(r"\{\s*#([\w-]+)[^}]*\}\s*$|\bid=\"([\w-]+)\"")
_ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.IGNORECASE)
_LEFT_TO_DO = re.compile(r"\b(?:TODO|FIXME|XXX|TBD)\b")


def own_files(*patterns: str) -> list[Path]:
    """Files of ours below the root."""
    found = {path for pattern in patterns for path in ROOT.glob(pattern) if path.is_file()}
    return sorted(path for path in found if not BUILT & set(path.relative_to(ROOT).parts))


PAGES = own_files(
    "*.md", ".github/**/*.md", *(f"{top}/**/*.md" for top in ("docs", "examples", "benchmarks"))
)
PAGES += own_files("models/**/*.md", "sdk/*.md", "deploy/**/*.md", "ui/*.md")


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def links(text: str) -> Iterator[str]:
    """Where a page leads to, but for addresses of others."""
    prose = _CODE.sub("", text)
    for form in (_LINK, _REFERENCE, _ATTRIBUTE):
        yield from (target for target in form.findall(prose) if not _ELSEWHERE.match(target))


def slug(heading: str, *, on_site: bool) -> str:
    """The anchor of a heading: as mkdocs makes it for the site, or as GitHub does."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading).strip().lower()
    kept = re.sub(r"[^\w\s-]", "", words)
    if on_site:
        kept = kept.encode("ascii", "ignore").decode()
        return re.sub(r"[-\s]+", "-", kept).strip("-")
    return kept.replace(" ", "-")


@cache
def anchors(page: Path) -> frozenset[str]:
    """All anchors of a page; the second heading of a name has a number."""
    text = _FENCED.sub("", page.read_text("utf-8"))
    on_site, found = page.is_relative_to(DOCS), set[str]()
    for heading in _HEADING.findall(text):
        if own := _OWN_ID.search(heading):
            found.add(own[1] or own[2])
            continue
        base = slug(heading, on_site=on_site)
        numbered = (f"{base}{'_' if on_site else '-'}{number}" for number in range(1, 100))
        found.add(base if base not in found else next(one for one in numbered if one not in found))
    return frozenset(found | {one[1] for one in _OWN_ID.findall(text) if one[1]})


def broken(page: Path) -> Iterator[str]:
    """What is wrong with the links of a page."""
    for link in links(page.read_text("utf-8")):
        path, _, anchor = unquote(link).partition("#")
        if path.startswith(SITE_ROOT):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists():
            yield f"`{link}`: there is no `{path}`"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            yield f"`{link}`: `{target.name}` has no heading `{anchor}`"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_a_file_and_a_heading(page: Path) -> None:
    assert list(broken(page)) == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One `two`, three\n\n[a](#one-two-three) [b](#four) [c](gone.md) ![d](gone.png)\n\n"
        "```text\n[e](gone.txt)\n```\n\n[f](https://example.com) `[g](gone)`\n\n[h]: gone.html\n",
        "utf-8",
    )

    found = [one.partition(":")[0] for one in broken(page)]
    assert found == ["`#four`", "`gone.md`", "`gone.png`", "`gone.html`"]


def test_every_page_of_the_docs_is_in_the_navigation() -> None:
    _, _, navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")
    listed = re.findall(r"[\w/.-]+\.md$", navigation, re.MULTILINE)

    assert sorted(listed) == sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))


def test_nothing_is_left_to_do() -> None:
    files = own_files("README.md", "src/**/*.py", "docs/**/*.md", "examples/**/*.*")
    texts = [(path, path.read_text("utf-8", errors="replace")) for path in files]

    assert [name(path) for path, text in texts if _LEFT_TO_DO.search(text)] == []
