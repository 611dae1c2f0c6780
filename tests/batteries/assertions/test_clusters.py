"""Clusters whose exemplars stand in files, and what is wrong with those that do not fit."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.checks.introspection import gates_of
from sensecheck.core.errors import BatteryError
from sensecheck.measures.exemplars import ClusterMargin
from tests.batteries.assertions.asserted import about, read
from tests.batteries.assertions.test_schema import fits


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a text, a list of texts, and clusters."""
    (tmp_path / "one.txt").write_text("It passes.\n")
    (tmp_path / "two.yaml").write_text("[It fails., It is wrong.]")
    (tmp_path / "all.yaml").write_text("a: [It passes.]\nb: [It fails., It is wrong.]\n")
    (tmp_path / "plain.yaml").write_text("a: [It passes.]\nb: It fails.\n")
    return tmp_path


@pytest.mark.parametrize(
    "clusters",
    [
        {"a": "file://one.txt", "b": "file://two.yaml"},
        {"a": ["file://one.txt"], "b": ["It fails.", "It is wrong."]},
        "file://all.yaml",
    ],
)
def test_exemplars_come_from_files(clusters: Any, folder: Path) -> None:
    assertion = {"type": "cluster", "clusters": clusters, "expected": "a"}
    ((_, part),) = read(assertion, around=about(folder))
    measure = next(gates_of(part.check)).measure

    assert isinstance(measure, ClusterMargin)
    assert measure.clusters == {"a": ("It passes.",), "b": ("It fails.", "It is wrong.")}
    assert fits(assertion)


@pytest.mark.parametrize(
    ("clusters", "said"),
    [
        (
            {"a": "It passes.", "b": ["x"]},
            "here.yaml:7:3: `a` of `clusters` must be a list of strings; got a string",
        ),
        ("file://plain.yaml", "plain.yaml:2:4: `b` of `clusters` must be a list of strings; got a string"),
        (
            {"a": "file://all.yaml", "b": ["x"]},
            "all.yaml:1:1: `a` of `clusters` must be a list of strings; got a mapping",
        ),
        (
            {"a": ["x"], "b": ["file://two.yaml"]},
            "each entry of `b` of `clusters` must be a string; got a list",
        ),
        ("file://two.yaml", "two.yaml:1:1: `clusters` must be a mapping; got a list"),
    ],
)
def test_what_is_no_list_of_texts_is_told_in_the_words_of_the_file(
    clusters: Any, said: str, folder: Path
) -> None:
    with pytest.raises(BatteryError) as wrong:
        read({"type": "cluster", "clusters": clusters, "expected": "a"}, around=about(folder))
    assert said in str(wrong.value)


def test_a_plain_text_does_not_fit_the_schema_either() -> None:
    assert not fits({"type": "cluster", "clusters": {"a": "It passes.", "b": ["x"]}, "expected": "a"})
    assert not fits({"type": "cluster", "clusters": "It passes.", "expected": "a"})
