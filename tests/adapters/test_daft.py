"""The UDF inside the real Daft."""

from typing import Any

import pytest

daft = pytest.importorskip("daft", reason="Daft is not installed here; `just adapters daft` tests it")

from sensecheck.adapters.daft import assessed  # noqa: E402
from sensecheck.core.backends import Encoder  # noqa: E402
from sensecheck.core.errors import SpecError  # noqa: E402
from sensecheck.tables.order import TableOrder  # noqa: E402
from tests.adapters.guards import printed_by  # noqa: E402
from tests.adapters.pages import code_of  # noqa: E402
from tests.adapters.table_rows import ORDER, SETTINGS, assert_same, rows  # noqa: E402


def frame(**options: Any) -> Any:
    found = daft.from_arrow(rows()).with_column("found", assessed(ORDER, SETTINGS, **options))
    return found.select("number", *ORDER.columns, daft.col("found").unnest())


def test_daft_reads_what_we_read_row_by_row(minilm: Encoder) -> None:
    assert_same(frame().to_arrow(), minilm)


def test_small_batches_in_a_process_of_their_own_read_the_same(minilm: Encoder) -> None:
    assert_same(frame(batch_size=64, use_process=True).to_arrow(), minilm)


def test_the_columns_are_known_before_anything_is_read() -> None:
    types = {field.name: str(field.dtype) for field in frame().schema()}

    named = ("semantic_similarity", "means", "means_value", "status")
    assert [types[name] for name in named] == ["Float64", "String", "Float64", "String"]


def test_a_slip_in_the_order_is_told_when_the_expression_is_made() -> None:
    with pytest.raises(SpecError, match="semantic_similarity"):
        assessed(TableOrder(metrics=("semantic_similarty",), columns=ORDER.columns), SETTINGS)


def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("evaluate-at-scale.md", "daft"), page)

    assert [row["status"] for row in page["found"].to_pylist()] == ["ok", "ok"]


def test_the_example_runs() -> None:
    assert "by topic" in printed_by("evaluate-at-scale/in_daft.py")
