"""The same data in a suite, a table, a database and a large run give the same comparison, by equality."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.verdict import Outcome
from sensecheck.runs.comparison import compare
from sensecheck.runs.comparison_result import FAIL_ON, Comparison
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.parquet import FinishedRun
from sensecheck.runs.record import RunTable
from sensecheck.runs.result import AssertionScore
from sensecheck.runs.sql import EvalStore
from tests.runs.kept_runs import kept as suite_of
from tests.runs.kept_runs import result
from tests.runs.large_runs import a_run
from tests.runs.stores import kept as stored
from tests.runs.stores import questions
from tests.runs.tables import Numbers, table

Data = Mapping[str, Numbers]
NAMES = ("passed", "score", "near")
OWN = ("before", "after", "notes", "items", "paired_by")
"""What says where the runs come from, and not how they differ."""


def data(n: int, seed: int, step: float = 0.0) -> Data:
    """Tests that pass or fail, with a score; some are unsure, and some lack a number."""
    drawn, ease = np.random.default_rng(seed), np.random.default_rng(9).uniform(0.2, 0.8, n)
    score = (ease + step + drawn.normal(0, 0.1, n)).clip(0, 1).round(3)
    near = np.where(np.arange(n) % 7 == seed % 7, np.nan, drawn.uniform(0, 1, n).round(3))
    unsure = np.arange(n) % 11 == 5 + seed
    return {"passed": np.where(unsure, np.nan, (score >= 0.5) * 1.0), "score": score, "near": near}


def topics(n: int) -> list[str]:
    return ["odd" if at % 2 else "even" for at in range(n)]


def suite(path: Path, columns: Data) -> RunFile:
    """A run of a suite, whose tests are called by the ids of the questions."""
    words: dict[float, Outcome] = {1.0: "pass", 0.0: "fail"}
    return suite_of(
        path,
        (
            result(
                at + 1,
                words.get(passed, "unsure"),
                score=score,
                description=f"q{at}",
                scores=() if np.isnan(near) else (AssertionScore("similar", near, metric="near"),),
            )
            for at, (passed, score, near) in enumerate(zip(*columns.values(), strict=True))
        ),
    )


def large(path: Path, columns: Data) -> FinishedRun:
    """A large run, whose rows are in another order."""
    n = len(columns["score"])
    at = np.arange(n)
    numbers = {name: pa.array(values, mask=np.isnan(values)) for name, values in columns.items()}
    ends = {"status": pa.repeat("ok", n), "reason": pa.nulls(n, pa.string())}
    places = {"_input": pa.array(at % 2, pa.int32()), "_row": pa.array(at // 2, pa.int64())}
    rows = pa.table({**places, "id": [f"q{one}" for one in at], "topic": topics(n), **numbers, **ends})
    mixed = rows.take(np.random.default_rng(3).permutation(n))
    return a_run(path, mixed, metrics=NAMES, carried=("id", "topic"))


def in_memory(columns: Data, key: int, *, slices: bool) -> RunTable:
    kinds = [{"topic": one} for one in topics(len(columns["score"]))] if slices else None
    return table(columns, key=key, slices=kinds)


def in_database(path: Path, before: Data, after: Data) -> Comparison:
    n = len(before["score"])
    for columns in (before, after):
        readings = {name: [None if np.isnan(one) else float(one) for one in columns[name]] for name in NAMES}
        stored(path, readings, pairs=questions(n))
    store = EvalStore.open(str(path))
    with store.session():
        runs = (store, store.run("1")), (store, store.run("2"))
        return compare(*runs, metric="score")


def figures(found: Comparison) -> dict[str, Any]:
    """All that a comparison says of the items."""
    return {name: value for name, value in found.to_data().items() if name not in OWN}


def leaves(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    """Every number and word of plain data, with its path."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, f"{at}/{key}")
    else:
        yield at, value


def assert_equal(one: Comparison, other: Comparison) -> None:
    first, second = (dict(leaves(figures(each))) for each in (one, other))

    assert first.keys() == second.keys()
    for path, value in first.items():
        wanted = pytest.approx(second[path], abs=1e-9) if isinstance(value, float) else second[path]
        assert value == wanted, path
    for on in FAIL_ON:
        assert one.fails(on) == other.fails(on)


@pytest.mark.parametrize("n", [12, 60, 400], ids=["enumerated", "drawn", "summed up"])
def test_a_table_a_database_and_a_large_run_are_compared_alike(tmp_path: Path, n: int) -> None:
    before, after = data(n, 0), data(n, 1, -0.06)
    here = compare(in_memory(before, 1, slices=True), in_memory(after, 2, slices=True), metric="score")
    away = compare(
        large(tmp_path / "before", before), large(tmp_path / "after", after), metric="score", by=["topic"]
    )

    assert [one.slice for one in here.slices] == ["topic=even", "topic=odd"]
    assert_equal(here, away)
    assert_equal(here, in_database(tmp_path / "evals.sqlite3", before, after))


@pytest.mark.parametrize("n", [12, 60, 400])
def test_a_suite_is_compared_as_the_same_numbers_are_elsewhere(tmp_path: Path, n: int) -> None:
    """A test that passed and is unsure now is a regression of a suite, and n/a elsewhere."""
    before, after = data(n, 0), data(n, 1, -0.06)
    tests = compare(suite(tmp_path / "1.jsonl", before), suite(tmp_path / "2.jsonl", after))
    rows = compare(large(tmp_path / "before", before), large(tmp_path / "after", after))
    here = compare(in_memory(before, 1, slices=False), in_memory(after, 2, slices=False))

    assert_equal(here, rows)
    lists = dict.fromkeys(("regressions", "fixes", "other"), ())
    flips: dict[str, Any] = {**lists, "regression_count": 0, "fix_count": 0}
    assert_equal(replace(tests, **flips), replace(here, **flips))
    assert {one.title for one in here.regressions} <= {one.title for one in tests.regressions}


def test_the_order_of_items_says_nothing(tmp_path: Path) -> None:
    before, after = data(50, 0), data(50, 1)
    order = np.random.default_rng(5).permutation(50)
    turned = [
        table({name: one[name][order] for name in NAMES}, key=key, names=[f"q{at}" for at in order])
        for key, one in ((1, before), (2, after))
    ]
    straight = compare(in_memory(before, 1, slices=False), in_memory(after, 2, slices=False))

    assert compare(*turned).to_data() == straight.to_data()
