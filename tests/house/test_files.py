"""Files say what they are, have names that say it, and hide nothing."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
WRITTEN = [path for folder in ("src", "models", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
SAYS_NOTHING = ("utils", "helpers", "common", "manager", "service")
BROAD = ("everything", "Exception", "BaseException", "ImportError")


def shown(path: Path) -> str:
    return str(path.relative_to(ROOT))


def lines(path: Path) -> int:
    return len(path.read_text().splitlines())


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def test_a_file_of_over_450_lines_holds_a_second_idea() -> None:
    assert [shown(path) for path in WRITTEN if lines(path) > 450] == []


@pytest.mark.core
@pytest.mark.slow
def test_every_file_says_what_it_is() -> None:
    assert [shown(path) for path in WRITTEN if not ast.get_docstring(parsed(path))] == []
    assert [shown(path) for path in WRITTEN if path.stem in SAYS_NOTHING] == []


@pytest.mark.core
@pytest.mark.slow
def test_nothing_is_swallowed() -> None:
    assert [f"{shown(path)}:{line}" for path in SOURCES for line in swallowing(path)] == []


def swallowing(path: Path) -> Iterator[int]:
    """The lines at which a file catches everything, and hands nothing on."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ExceptHandler):
            caught = ast.unparse(node.type) if node.type else "everything"
            last = node.body[-1]
            handed_on = isinstance(last, ast.Raise) or ".set_exception(" in ast.unparse(last)
            if caught in BROAD and not handed_on:
                yield node.lineno


def test_no_threshold_is_asked_for_its_truth() -> None:
    truth = re.compile(r"\bif (not )?(self\.)?threshold:")

    assert [shown(path) for path in SOURCES if truth.search(path.read_text())] == []


def test_only_the_configuration_reads_the_environment() -> None:
    readers = [path for path in SOURCES if re.search(r"\benviron\b|\bgetenv\b", path.read_text())]

    assert [path.name for path in readers] == ["config.py"]
