"""Measured figures reach the pages, and nothing else does."""

import json
from pathlib import Path
from shutil import copy

import pytest
from benchmarks.figures import FIGURES, NoFigures
from benchmarks.write_figures import out_of_date

from tests.benchmarks.small_results import RESULTS

MEASURED = Path(__file__).resolve().parents[2] / "benchmarks" / "results"


def marked(name: str, inside: str = "") -> str:
    return f"Before.\n\n<!-- figures:{name} -->\n{inside}<!-- /figures:{name} -->\n\nAfter.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with results and one page: small results, and what was measured where there are none."""
    (tmp_path / "docs" / "nouns").mkdir(parents=True)
    results = tmp_path / "benchmarks" / "results"
    results.mkdir(parents=True)
    for path in MEASURED.glob("*.json"):
        copy(path, results)
    for name, data in RESULTS.items():
        (results / f"{name}.json").write_text(json.dumps(data))
    return tmp_path


def written(root: Path, text: str, page: str = "README.md") -> str:
    """What becomes of a page; the text itself when it stays as it is."""
    path = root / page
    path.write_text(text)
    return out_of_date(root).get(path, text)


def test_only_what_lies_between_the_markers_changes(root: Path) -> None:
    text = written(root, marked("weight", "old figures\n"), page="docs/nouns/weight.md")

    assert text.startswith("Before.\n\n<!-- figures:weight -->\n|")
    assert text.endswith("|\n<!-- /figures:weight -->\n\nAfter.\n")
    assert "old figures" not in text


@pytest.mark.parametrize("name", FIGURES)
def test_a_second_time_changes_nothing(root: Path, name: str) -> None:
    once = written(root, marked(name))

    assert written(root, once) == once


def test_a_page_without_markers_stays_as_it_is(root: Path) -> None:
    (root / "README.md").write_text("No figures here.\n")

    assert not out_of_date(root)


def test_figures_that_nobody_measured_are_an_error(root: Path) -> None:
    (root / "benchmarks" / "results" / "weight.json").unlink()

    with pytest.raises(NoFigures, match=r"in `README.md`: the figures `weight` want `weight.json`"):
        written(root, marked("weight"))


def test_an_unknown_name_is_an_error(root: Path) -> None:
    with pytest.raises(NoFigures, match="`beauty` names no figures; known: speed"):
        written(root, marked("beauty"))


@pytest.mark.parametrize(
    "text",
    [
        "<!-- figures:speed -->\n",
        "<!-- /figures:speed -->\n",
        "<!-- figures:speed -->\n<!-- /figures:weight -->\n",
        f"<!-- figures:speed -->\n{marked('weight')}<!-- /figures:speed -->\n",
    ],
)
def test_markers_that_do_not_pair_are_an_error(root: Path, text: str) -> None:
    with pytest.raises(NoFigures, match="do not open and close in pairs"):
        written(root, text)
