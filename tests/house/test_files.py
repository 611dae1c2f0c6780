"""Files are small, have one idea, and names that say it."""

import ast
import re
import statistics
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
WRITTEN = [path for folder in ("src", "models", "benchmarks") for path in (ROOT / folder).rglob("*.py")]


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_most_files_fit_on_a_screen_or_two() -> None:
    sizes = [lines(path) for path in SOURCES if path.name != "__init__.py"]

    assert statistics.median(sizes) <= 120
    assert statistics.quantiles(sizes, n=10)[-1] <= 300


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_large_and_every_one_says_what_it_is(path: Path) -> None:
    assert lines(path) <= 400
    assert ast.get_docstring(ast.parse(path.read_text()))
    assert path.stem not in ("utils", "helpers", "common", "manager", "service")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_is_swallowed(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            broad = caught in ("everything", "Exception", "BaseException", "ImportError")
            handed_on = isinstance(node.body[-1], ast.Raise) or ".set_exception(" in ast.unparse(
                node.body[-1]
            )
            assert not broad or handed_on, f"line {node.lineno} swallows errors"
    assert not re.search(r"\bif (not )?(self\.)?threshold:", path.read_text())


def test_only_wiring_reads_the_environment() -> None:
    readers = [path for path in SOURCES if re.search(r"\benviron\b|\bgetenv\b", path.read_text())]

    assert [path.name for path in readers] == ["wiring.py"]
