"""Rows of a large run, kept in a store and exported."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs import large_rows as storing
from sensecheck.runs.large_rows import export_parquet, keep_in_store, plain_rows
from sensecheck.runs.large_summary import summary_of
from sensecheck.runs.record import RunTable
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import totals_of
from tests.databases import postgresql_database
from tests.ready_tables import make_tables
from tests.runs.large_runs import CARRIED, COUNT, a_run, column, rows


@contextmanager
def a_store(kind: str, folder: Path) -> Iterator[EvalStore]:
    if kind == "sqlite":
        store = EvalStore.open(str(folder / "evals.sqlite3"))
        yield store
        store.close()
        return
    with postgresql_database() as address:
        make_tables(address)
        store = EvalStore.open(address)
        yield store
        store.close()


@pytest.mark.database
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_its_history_tells_what_its_summary_tells(kind: str, tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    heard: list[int] = []
    with a_store(kind, tmp_path) as store:
        kept = keep_in_store(
            run, store, project="atlas", name="nightly", slices=("topic",), on_kept=heard.append
        )
        table, totals = store.table(kept), totals_of(store, kept)

    assert (kept.whole, kept.test.project, kept.name, sum(heard)) == (True, "atlas", "nightly", COUNT)
    wanted = {one.metric: one for one in summary_of(run).totals.metrics}
    for one in totals.metrics:
        same = wanted[one.metric]
        assert (one.n, one.unread, one.unanswered, one.inapplicable) == (
            same.n,
            same.unread,
            same.unanswered,
            same.inapplicable,
        )
        assert one.mean == pytest.approx(same.mean, abs=1e-12)
    numbers = dict(zip(table.names, column_of(table, "semantic_similarity"), strict=True))
    given = column(rows(), "semantic_similarity")
    assert all(np.isnan(given[at]) or numbers[f"q{at}"] == given[at] for at in range(COUNT))
    assert table.slices[table.names.index("q3")] == {"topic": "odd"}


def column_of(table: RunTable, name: str) -> list[float]:
    found = table.column(name)
    assert found is not None
    return [float(one) for one in found]


@pytest.mark.database
def test_what_a_store_cannot_take_is_refused_before_anything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with a_store("sqlite", tmp_path) as store:
        bare = a_run(tmp_path / "bare", rows(20), carried=("id",))
        with pytest.raises(SpecError, match="carries no answers"):
            keep_in_store(bare, store, project="atlas")
        monkeypatch.setattr(storing, "MOST", 10)
        with pytest.raises(SpecError, match="has 20 rows; a store takes runs of at most 10"):
            keep_in_store(bare, store, project="atlas")
        assert store.runs() == []


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("_input", "ascending"), ("_row", "ascending")])


def test_one_file_holds_every_row_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    assert export_parquet(run, tmp_path / "all.parquet") == COUNT

    found = pq.read_table(tmp_path / "all.parquet")
    assert found.to_pylist() == in_order(rows()).to_pylist()


def test_types_and_moments_come_back_as_they_were(tmp_path: Path) -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    table = rows(20)
    odd = {
        "small": pa.array([3] * 20, pa.uint8()),
        "large": pa.array([2**64 - 1] * 20, pa.uint64()),
        "kind": pa.array(["a", "b"] * 10).dictionary_encode(),
        "passages": pa.array([["one", "two"]] * 20, pa.large_list(pa.large_string())),
        "at": pa.array([moment] * 20, pa.timestamp("us", "Europe/Berlin")),
    }
    for name, values in odd.items():
        table = table.append_column(name, values)
    run = a_run(tmp_path / "odd", table, carried=(*CARRIED, *odd))
    export_parquet(run, tmp_path / "all.parquet")

    found = pq.read_table(tmp_path / "all.parquet")
    assert found.to_pylist() == in_order(table).to_pylist()
    assert found["at"][0].as_py() == moment


def test_rows_as_plain_data_are_ready_for_json(tmp_path: Path) -> None:
    table = rows(10).append_column("score", pa.array([float("nan")] * 10))
    table = table.append_column("at", pa.array([datetime(2026, 1, 2, tzinfo=UTC)] * 10))
    run = a_run(tmp_path / "one", table, carried=(*CARRIED, "score", "at"))

    with plain_rows(run) as (names, coming):
        found = list(coming)
    assert names == table.column_names
    assert found[0]["score"] is None
    assert found[0]["at"] == "2026-01-02T00:00:00+00:00"
