"""Measured figures reach the pages, and nothing else does."""

import json
from pathlib import Path

import pytest
from benchmarks.figures import FIGURES, NoFigures
from benchmarks.write_figures import out_of_date

SHARE = {"share": 0.5, "low": 0.4, "high": 0.6}
WEIGHT = {"distributions": 9, "megabytes": 157.0, "base_distributions": 5, "base_megabytes": 40.5}
SPEED = {
    "measured": [
        {"about": "one by other", "goal": "at least 20", "ratio": 41.26, "met": True},
        {"about": "this by that", "goal": "at most 1.5", "ratio": 1.75, "met": False},
        {"about": "for the record", "goal": None, "ratio": 0.5, "met": None},
    ]
}
DEFAULTS = {
    "measured": [
        {
            "family": "meaning",
            "rule": rule,
            "set": "sick",
            "label": "contradiction",
            "wanted": "fail",
            "n": 100,
            "pass": SHARE | {"share": 0.1},
            "fail": SHARE,
            "unsure": SHARE | {"share": 0.4},
            "error": SHARE | {"share": 0.0},
        }
        for rule in ("means", "drift_threshold")
    ]
}


def marked(name: str, inside: str = "") -> str:
    return f"Before.\n\n<!-- figures:{name} -->\n{inside}<!-- /figures:{name} -->\n\nAfter.\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with results and one page."""
    (tmp_path / "docs" / "nouns").mkdir(parents=True)
    results = tmp_path / "benchmarks" / "results"
    results.mkdir(parents=True)
    for name, data in (("weight", WEIGHT), ("speed", SPEED), ("defaults", DEFAULTS)):
        (results / f"{name}.json").write_text(json.dumps(data))
    return tmp_path


def written(root: Path, text: str, page: str = "README.md") -> str:
    """What becomes of a page; the text itself when it stays as it is."""
    path = root / page
    path.write_text(text)
    return out_of_date(root).get(path, text)


def test_the_speed_table_says_which_goals_are_missed(root: Path) -> None:
    text = written(root, marked("speed"))

    assert "| One by other | at least 20 | **41** | yes |" in text
    assert "| This by that | at most 1.5 | **1.75** | **no** |" in text
    assert "| For the record | none | **0.5** |  |" in text


def test_the_weight_is_shown_with_and_without_the_model(root: Path) -> None:
    text = written(root, marked("weight"))

    assert "| `sensecheck` | 5 | 40.5 MB |" in text
    assert "| `sensecheck[minilm]` | 9 | 157 MB |" in text


def test_rules_stand_side_by_side_right_before_wrong(root: Path) -> None:
    text = written(root, marked("defaults_meaning"))

    head = "| set | label | wanted | rows | `means` right | `means` wrong | `drift_threshold` right |"
    assert head in text
    assert "| sick | contradiction | fail | 100 | 50.0% (40.0–60.0) | 10.0% (40.0–60.0) | 50.0%" in text


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
