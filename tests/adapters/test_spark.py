"""The function inside the real Spark."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="Spark is not installed here; `just adapters spark` tests it")
if shutil.which("java") is None:
    pytest.skip("Spark must be Java, and there is no `java` on the path", allow_module_level=True)

from pyspark.sql import SparkSession

from sensecheck.adapters.spark import in_arrow, schema_of
from sensecheck.core.backends import Encoder
from tests.adapters.guards import printed_by
from tests.adapters.pages import code_of
from tests.adapters.table_rows import ORDER, SETTINGS, assert_same, rows


# First of all: beside the session of the other tests it would take twice as long.
def test_the_example_runs() -> None:
    assert "mean closeness" in printed_by("evaluate-at-scale/in_spark.py")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Spark in this process, with two workers that run the Python of the test."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    begun = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "64")
        .getOrCreate()
    )
    yield begun
    begun.stop()


def test_spark_reads_what_we_read_row_by_row_in_two_workers(spark: Any, minilm: Encoder) -> None:
    pairs = spark.createDataFrame(rows()).repartition(2)
    found = pairs.mapInArrow(in_arrow(ORDER, SETTINGS), schema_of(pairs.schema, ORDER))

    assert_same(found.toArrow(), minilm)


def test_the_code_of_our_page_runs(spark: Any) -> None:
    page: dict[str, Any] = {"spark": spark}
    exec(code_of("evaluate-at-scale.md", "spark"), page)

    assert [row["status"] for row in page["found"].collect()] == ["ok", "ok"]
