"""The rows of a large run for other tools: nothing lost, and as data lakes take them."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.evals.results.exporting import export_parquet, plain_rows
from sensecheck.evals.results.lake_folder import export_folder
from sensecheck.evals.results.lake_schema import FIELD_ID, lake_schema
from tests.evals.results.made import CARRIED, COUNT, a_run, rows


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([("_input", "ascending"), ("_row", "ascending")])


def test_one_file_holds_every_row_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    assert export_parquet(run, tmp_path / "all.parquet") == COUNT

    found = pq.read_table(tmp_path / "all.parquet")
    assert found.to_pylist() == in_order(rows()).to_pylist()


def test_every_field_has_an_id_and_a_type_that_iceberg_has(tmp_path: Path) -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    table = rows(20)
    odd = {
        "small": pa.array([3] * 20, pa.uint8()),
        "large": pa.array([2**64 - 1] * 20, pa.uint64()),
        "kind": pa.array(["a", "b"] * 10).dictionary_encode(),
        "passages": pa.array([["one", "two"]] * 20, pa.large_list(pa.large_string())),
        "at": pa.array([moment] * 20, pa.timestamp("ns", "Europe/Berlin")),
    }
    for name, values in odd.items():
        table = table.append_column(name, values)
    run = a_run(tmp_path / "odd", table, carried=(*CARRIED, *odd))
    export_parquet(run, tmp_path / "all.parquet")

    schema = pq.read_schema(tmp_path / "all.parquet")
    ids = [int(schema.field(name).metadata[FIELD_ID]) for name in schema.names]
    element = schema.field("passages").type.value_field
    assert len({*ids, int(element.metadata[FIELD_ID])}) == len(ids) + 1
    assert schema.field("small").type == pa.int32()
    assert schema.field("large").type == pa.decimal128(20, 0)
    assert schema.field("kind").type == pa.string()
    assert schema.field("passages").type == pa.list_(element)
    assert schema.field("at").type == pa.timestamp("us", "UTC")
    assert pq.read_table(tmp_path / "all.parquet")["at"][0].as_py() == moment
    assert pq.read_table(tmp_path / "all.parquet")["large"][0].as_py() == 2**64 - 1


def test_nested_fields_have_ids_too() -> None:
    inner = pa.struct([("x", pa.int16()), ("y", pa.list_(pa.string()))])
    found = lake_schema(pa.schema([("a", inner), ("b", pa.null())]))

    assert found.field("a").type.field("x").type == pa.int32()
    assert found.field("a").type.field("y").type.value_field.metadata[FIELD_ID] == b"4"
    assert found.field("b").type == pa.string()


def test_a_folder_by_a_column_holds_a_folder_for_each_value(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows())
    assert export_folder(run, tmp_path / "lake", by="topic") == COUNT

    names = sorted(one.name for one in (tmp_path / "lake").iterdir())
    assert names == ["topic=__HIVE_DEFAULT_PARTITION__", "topic=even", "topic=odd"]
    files = sorted((tmp_path / "lake").rglob("*.parquet"))
    assert len({str(pq.read_schema(one)) for one in files}) == 1
    (odd,) = (tmp_path / "lake" / "topic=odd").iterdir()
    assert set(pq.read_table(odd, partitioning=None)["topic"].to_pylist()) == {"odd"}
    found = ds.dataset(files).to_table()
    assert in_order(found).to_pylist() == in_order(rows()).to_pylist()


def test_a_large_folder_has_several_files(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows(25_000))
    assert export_folder(run, tmp_path / "lake", file_rows=10_000) == 25_000

    sizes = [pq.read_metadata(one).num_rows for one in sorted((tmp_path / "lake").iterdir())]
    assert sum(sizes) == 25_000
    assert max(sizes) <= 10_000


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows(20))
    with pytest.raises(SpecError, match="wants to be a new folder"):
        export_folder(run, tmp_path / "one")
    with pytest.raises(SpecError, match="cannot be written"):
        export_folder(run, Path("/proc/nowhere/lake"))
    assert not list(tmp_path.glob(".*part"))


def test_rows_as_plain_data_are_ready_for_json(tmp_path: Path) -> None:
    table = rows(10).append_column("score", pa.array([float("nan")] * 10))
    table = table.append_column("at", pa.array([datetime(2026, 1, 2, tzinfo=UTC)] * 10))
    run = a_run(tmp_path / "one", table, carried=(*CARRIED, "score", "at"))

    with plain_rows(run) as (names, coming):
        found = list(coming)
    assert names == table.column_names
    assert found[0]["score"] is None
    assert found[0]["at"] == "2026-01-02T00:00:00+00:00"
