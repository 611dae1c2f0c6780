"""What kind of answer a mark stands for: the same rule as in the page, shown by the same answers."""

import json
from pathlib import Path

import numpy as np
import pytest

from sensecheck.evals.qa.report.axes import Axes
from sensecheck.evals.qa.report.kinds import CHANGED, CLOSE, GOOD, KINDS, kinds_at, kinds_of, wrong_by
from sensecheck.store.records import KeptAnswer, KeptReading, Pair
from sensecheck.store.run_reading import Numbers, RunTable
from tests.evals.qa.report.kept import a_store, keep, read

SAME = json.loads((Path(__file__).parent / "kinds.json").read_text("utf-8"))


def column(name: str) -> Numbers:
    return np.array([np.nan if one[name] is None else one[name] for one in SAME["answers"]])


def test_it_is_the_rule_of_the_page() -> None:
    wrong = wrong_by(column("label"), column("correct"), column("facts"))
    found = kinds_at(column("x"), column("y"), wrong, tuple(SAME["lines"]))

    assert [KINDS[kind] for kind in found] == [one["kind"] for one in SAME["answers"]]
    assert set(KINDS) == {one["kind"] for one in SAME["answers"]}


def table_of(folder: Path, labels: list[dict[str, float]]) -> RunTable:
    """Copied, close and good answers, all of them correct as far as the metrics know."""
    said = [read(0.9, 0.8, 1.0), read(0.9, 0.1, 1.0), read(0.9, 0.8, 1.0)]
    rows = [
        (Pair(f"q{at}", "e"), KeptAnswer("a", (*told, KeptReading("correctness", 0.9)), labels=given))
        for at, (told, given) in enumerate(zip(said, labels, strict=True))
    ]
    with a_store(folder) as store:
        return store.table(keep(store, rows))


@pytest.mark.parametrize(
    ("labels", "kinds"),
    [
        ([{"correct": 0.0}, {"correct": 0.0}, {}], [CHANGED, CLOSE, GOOD]),
        ([{"right": 0.0}, {"right": 0.0}, {"right": 1.0}], [CHANGED, CLOSE, GOOD]),
        ([{"correct": 0.0, "kind": 5.0}, {"correct": 0.0}, {}], [CHANGED, CLOSE, GOOD]),
    ],
)
def test_what_people_said_wins_over_the_metrics(
    tmp_path: Path, labels: list[dict[str, float]], kinds: list[int]
) -> None:
    table = table_of(tmp_path, labels)
    axes = Axes.of(table)

    assert axes is not None
    assert kinds_of(table, axes).tolist() == kinds


@pytest.mark.parametrize("labels", [[{"grade": 0.0}, {"grade": 4.0}, {}], [{"a": 0.0}, {"b": 0.0}, {}]])
def test_a_grade_or_one_of_several_labels_does_not_say_that_an_answer_is_wrong(
    tmp_path: Path, labels: list[dict[str, float]]
) -> None:
    table = table_of(tmp_path, labels)
    axes = Axes.of(table)

    assert axes is not None
    assert CHANGED not in kinds_of(table, axes)
