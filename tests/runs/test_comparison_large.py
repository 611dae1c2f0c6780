"""Two large runs held against each other: the same figures as of two runs in memory."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs import pairing_large
from sensecheck.runs.comparison import compare
from sensecheck.runs.parquet import FinishedRun, QueryLimits
from sensecheck.runs.shift import PairColumn, PairedColumns, claimed, metric_shift_of
from tests.runs.large_runs import COUNT, METRICS, READERS, a_run, column, rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("compared")


@pytest.fixture(scope="module")
def before(folder: Path) -> FinishedRun:
    return a_run(folder / "before", rows())


@pytest.fixture(scope="module")
def after(folder: Path) -> FinishedRun:
    """In another order, in other files, and lower."""
    lower = rows(step=-0.05, seed=1)
    return a_run(folder / "after", lower.take(np.random.default_rng(3).permutation(COUNT)), files=5)


def without_checks(table: pa.Table) -> pa.Table:
    return table.drop(["means", "means_value"])


def test_every_metric_shifts_as_in_memory(before: FinishedRun, after: FinishedRun) -> None:
    found = compare(before, after)

    old, new = rows(), rows(step=-0.05, seed=1)
    passed = [np.where(column(one, "means_value") >= 0.6, 1.0, 0.0) for one in (old, new)]
    passed = [
        np.where(np.isnan(column(one, "means_value")), np.nan, held)
        for one, held in zip((old, new), passed, strict=True)
    ]
    columns = [PairedColumns(PairColumn(name), column(old, name), column(new, name)) for name in METRICS]
    many = [*columns, PairedColumns(PairColumn("means"), passed[0], passed[1])]
    wanted = claimed([metric_shift_of(one, alpha=0.05) for one in many], alpha=0.05)
    assert {one.metric for one in found.metrics} == {*METRICS, "means"}
    for other in wanted:
        one = next(shift for shift in found.metrics if shift.metric == other.metric)
        assert (one.n, one.claim) == (other.n, other.claim)
        for name in (
            "before",
            "after",
            "difference",
            "low",
            "high",
            "p",
            "adjusted",
            "effect",
            "better",
            "worse",
        ):
            assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)
        assert (one.na_before, one.na_after, one.lost) == (other.na_before, other.na_after, other.lost)
    assert [one.metric for one in found.worse] == ["semantic_similarity", "means"]


def test_the_rows_that_moved_most_are_named_by_their_id(before: FinishedRun, after: FinishedRun) -> None:
    found = compare(before, after, metric="semantic_similarity")

    steps = column(rows(step=-0.05, seed=1), "semantic_similarity") - column(rows(), "semantic_similarity")
    order = [f"q{at}" for at in np.argsort(steps) if not np.isnan(steps[at])]
    assert [one.id for one in found.moved if one.difference < 0] == order[:10]
    assert [one.id for one in found.moved if one.difference > 0] == order[::-1][:10]
    sizes = [abs(one.difference) for one in found.moved]
    assert sizes == sorted(sizes, reverse=True)


def test_slices_are_compared_by_the_values_of_a_column(before: FinishedRun, after: FinishedRun) -> None:
    found = compare(before, after, by=["topic"])

    assert [one.slice for one in found.slices] == ["topic=even", "topic=odd"]
    even = np.array(rows()["topic"].to_pylist()) == "even"
    old = column(rows(), "semantic_similarity")[even]
    shift = next(one for one in found.slices[0].metrics if one.metric == "semantic_similarity")
    assert shift.before == pytest.approx(np.nanmean(old), abs=1e-9)
    assert found.tested.slices == 6


def test_rows_of_one_run_alone_are_counted_and_not_compared(folder: Path, before: FinishedRun) -> None:
    shorter = a_run(folder / "shorter", rows().slice(0, 500))
    found = compare(before, shorter)

    assert (found.n, found.removed, found.added) == (500, 100, 0)
    assert found.only_before == tuple(sorted(f"q{at}" for at in range(500, COUNT)))
    assert found.not_known == ("rows only before: 100",)


def test_of_too_few_rows_nobody_knows_whether_they_got_worse(folder: Path) -> None:
    few = [a_run(folder / name, rows(step=step).slice(0, 19)) for name, step in (("one", 0.0), ("two", -0.3))]
    found = compare(*few)

    shift = next(one for one in found.metrics if one.metric == "semantic_similarity")
    assert shift.difference == pytest.approx(-0.3)
    assert shift.effect is None  # all moved alike, so that there is no spread to measure by
    assert found.worse == ()
    assert found.not_known == ("fewer than 20 rows have a number in both, too few to claim a fall",)


def test_without_ids_rows_are_paired_by_their_place_in_the_same_inputs(folder: Path) -> None:
    old = a_run(folder / "placed", rows(), carried=("topic",))
    new = a_run(folder / "placed too", rows(seed=1), carried=("topic",))
    found = compare(old, new)

    assert (found.n, found.paired_by) == (COUNT, "their place in the inputs")
    assert ":" in found.moved[0].id
    other = a_run(folder / "elsewhere", rows(), carried=("topic",), inputs=("other.jsonl",))
    with pytest.raises(SpecError, match="name a column of both with `--key`"):
        compare(old, other)


def test_a_key_that_stands_twice_is_an_error_that_counts(folder: Path, before: FinishedRun) -> None:
    with pytest.raises(SpecError, match="2 of its 2 values stand in more than one row"):
        compare(before, before, key="topic")


def test_rows_without_a_key_are_told(folder: Path, before: FinishedRun) -> None:
    table = rows()
    ids = pa.array([None if at < 7 else f"q{at}" for at in range(COUNT)])
    nameless = a_run(folder / "nameless", table.set_column(2, "id", ids))
    found = compare(before, nameless)

    assert found.n == COUNT - 7
    assert any(note.startswith("7 rows of") for note in found.notes)


def test_numbers_of_another_encoder_are_not_compared(folder: Path, before: FinishedRun) -> None:
    readers = READERS | {"encoder": "mark-2"}
    other = a_run(folder / "other encoder", rows(), readers=readers)
    found = compare(before, other)

    assert [one.metric for one in found.metrics] == ["lexical_aggregate", "fact_agreement"]
    assert [one.metric for one in found.gone] == ["semantic_similarity", "means"]
    assert "the runs differ in: `encoder`" in found.notes


def test_runs_that_share_no_row_or_no_metric_are_refused(folder: Path, before: FinishedRun) -> None:
    table = rows().slice(0, 10)
    strange = table.set_column(2, "id", pa.array([f"other{at}" for at in range(10)]))
    with pytest.raises(SpecError, match="have no row in common"):
        compare(before, a_run(folder / "strangers", strange))
    lone = without_checks(rows()).rename_columns(
        ["bleu" if name == "lexical_aggregate" else name for name in without_checks(rows()).column_names]
    )
    with pytest.raises(SpecError, match="have no metric and no check in common"):
        compare(before, a_run(folder / "lone", lone, metrics=("bleu",)))
    with pytest.raises(SpecError, match="`alpha` must be a number"):
        compare(before, before, alpha=2)


@pytest.mark.slow
def test_more_rows_than_fit_into_memory_are_compared_on_the_disk(tmp_path: Path) -> None:
    """Ten numbers of each of 600,000 rows are 48 MB, and of both runs 96 MB."""
    count, names = 600_000, tuple(f"metric{at}" for at in range(10))

    def made(name: str, seed: int) -> FinishedRun:
        drawn, at = np.random.default_rng(seed), np.arange(count)
        columns = {"_input": pa.array(at * 0, pa.int32()), "_row": at, "id": at[::-1] if seed else at}
        columns |= {name: drawn.random(count) for name in names}
        told = {"status": pa.repeat("ok", count), "reason": pa.nulls(count, pa.string())}
        return a_run(tmp_path / name, pa.table(columns | told), metrics=names, carried=("id",))

    old, new = made("old", 0), made("new", 1)
    found = compare(old, new, limits=QueryLimits(64, threads=2))

    assert found.n == count
    first, other = (np.random.default_rng(seed).random(count) for seed in (0, 1))
    assert found.metrics[0].difference == pytest.approx((other[::-1] - first).mean(), abs=1e-12)
    assert not found.worse


def test_partitions_come_to_the_same_as_all_rows_at_once(
    before: FinishedRun, after: FinishedRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = a_run(tmp_path / "shorter", rows(step=-0.05, seed=1).slice(3, 500))
    pairs = ((before, after), (before, shorter), (shorter, before))
    wanted = [compare(*pair, by=["topic"]).to_data() for pair in pairs]
    monkeypatch.setattr(pairing_large, "PARTITION_ROWS", 100)

    for pair, one in zip(pairs, wanted, strict=True):
        found = compare(*pair, by=["topic"]).to_data()
        assert json.loads(json.dumps(found), parse_float=short) == json.loads(
            json.dumps(one), parse_float=short
        )


def short(number: str) -> float:
    """Without the digits that depend on which rows are summed first."""
    return round(float(number), 9)
