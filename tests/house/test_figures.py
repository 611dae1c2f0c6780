"""The cut of the package into modules does not get worse."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.house.figures import Figures, committed, figures_of, got_worse

SOME = Figures(100, 7000, 70.0, 140.0, 300, 20, 40, 9)


@pytest.mark.core
@pytest.mark.slow  # it reads the whole package
def test_no_figure_is_worse_than_the_committed_one() -> None:
    assert got_worse(committed(), figures_of()) == [], "`just house` shows all figures"


def test_what_gets_worse_is_named() -> None:
    worse = replace(
        SOME, median_lines=65.0, files_under_40_lines=21, single_importers=41, class_names_used_twice=10
    )

    assert got_worse(SOME, SOME) == []
    assert got_worse(SOME, replace(SOME, median_lines=150.0, files_under_40_lines=0, modules=200)) == []
    assert [line.split("`")[1] for line in got_worse(SOME, worse)] == [
        "files_under_40_lines",
        "single_importers",
        "class_names_used_twice",
        "median_lines",
    ]
    assert got_worse(SOME, replace(SOME, median_lines=240.0)) == [
        "`median_lines` was 70.0 and is 240.0; it may only come closer to 100 to 200"
    ]


def test_modules_importers_and_classes_are_counted(tmp_path: Path) -> None:
    package = tmp_path / "p"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "a.py").write_text("class One: ...\n" * 50)
    (package / "b.py").write_text("from p import a\nimport p.c\n\n\nclass One: ...\n")
    (package / "c.py").write_text("from p.a import One\nimport json\n")

    assert figures_of(tmp_path) == Figures(
        modules=3,
        lines=57,
        median_lines=5,
        p90_lines=77.0,
        largest_lines=50,
        files_under_40_lines=2,
        single_importers=1,
        class_names_used_twice=1,
    )
