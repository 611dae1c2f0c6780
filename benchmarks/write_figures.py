"""Write every measured figure into README and docs: `python benchmarks/write_figures.py [--check]`.

A page holds `<!-- figures:NAME -->` and `<!-- /figures:NAME -->`; what lies between them is ours.
"""

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script finds only what lies beside it

from benchmarks.figures import NoFigures, figures

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    """Write the figures, or only say whether they are up to date."""
    parser = argparse.ArgumentParser(description="Write the measured figures into README and docs.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is out of date")
    check = bool(parser.parse_args().check)
    try:
        stale = out_of_date(ROOT)
    except NoFigures as missing:
        sys.exit(str(missing))
    for page, text in stale.items():
        print(f"{'out of date' if check else 'written'}: {page.relative_to(ROOT)}")
        if not check:
            page.write_text(text, encoding="utf-8")
    if check and stale:
        sys.exit("the pages do not show what was measured; run `just docs`")


def out_of_date(root: Path) -> dict[Path, str]:
    """The pages that would change, with their new text."""
    pages = [root / "README.md", *sorted((root / "docs").rglob("*.md"))]
    texts = {page: page.read_text(encoding="utf-8") for page in pages if page.is_file()}
    fresh = {page: filled(text, root / "benchmarks" / "results", page.name) for page, text in texts.items()}
    return {page: text for page, text in fresh.items() if text != texts[page]}


def filled(text: str, results: Path, page: str) -> str:
    """The page's text with fresh figures between its markers."""
    _require_pairs(text, page)

    def write(marker: re.Match[str]) -> str:
        try:
            inside = figures(marker["name"], results)
        except NoFigures as missing:
            raise NoFigures(f"in `{page}`: {missing}") from missing
        return f"{marker['opening']}\n{inside}\n{marker['closing']}"

    return _BLOCK.sub(write, text)


def _require_pairs(text: str, page: str) -> None:
    """Raise `NoFigures` unless every marker opens a block or closes one of the same name."""
    marks = _MARKER.findall(text)
    wanted = [mark for block in _BLOCK.finditer(text) for mark in (("", block["name"]), ("/", block["name"]))]
    if marks != wanted:
        found = ", ".join(slash + name for slash, name in marks)
        raise NoFigures(f"in `{page}`: the markers {found} do not open and close in pairs")


_MARKER = re.compile(r"^<!-- (/?)figures:(\w+) -->$", re.MULTILINE)
_BLOCK = re.compile(
    r"^(?P<opening><!-- figures:(?P<name>\w+) -->)$.*?^(?P<closing><!-- /figures:(?P=name) -->)$",
    re.MULTILINE | re.DOTALL,
)


if __name__ == "__main__":
    main()
