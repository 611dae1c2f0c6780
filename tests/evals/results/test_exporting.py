"""The rows of a large run for other tools: nothing lost."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.runs.large_rows import export_parquet, plain_rows
from tests.evals.results.made import CARRIED, COUNT, a_run, rows


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
