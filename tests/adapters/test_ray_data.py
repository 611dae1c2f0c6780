"""The callable inside the real Ray Data."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("ray", reason="Ray is not installed here; `just adapters ray-data` tests it")
pytest.importorskip("pandas", reason="Ray Data needs pandas; `just adapters ray-data` tests it")

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"

import pyarrow as pa
import ray
import ray.data

from sensecheck.adapters.tables import Assessing
from sensecheck.core.backends import Encoder
from tests.adapters.guards import printed_by
from tests.adapters.pages import code_of
from tests.adapters.table_rows import ORDER, SETTINGS, assert_same, rows


# First of all: beside the cluster of the other tests it would take twice as long.
def test_the_example_runs() -> None:
    assert "mean closeness" in printed_by("evaluate-at-scale/in_ray_data.py")


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Ray, with as many logical CPUs as two actors and their readers want."""
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
def test_ray_data_reads_what_we_read_row_by_row_in_two_actors(minilm: Encoder) -> None:
    pairs = ray.data.from_arrow(rows()).repartition(4)
    found = pairs.map_batches(
        Assessing,
        fn_constructor_args=(ORDER, SETTINGS),
        batch_format="pyarrow",
        batch_size=64,
        compute=ray.data.ActorPoolStrategy(size=2),
    )

    assert_same(pa.concat_tables(ray.get(found.to_arrow_refs())), minilm)


@pytest.mark.usefixtures("cluster")
def test_the_code_of_our_page_runs() -> None:
    page: dict[str, Any] = {}
    exec(code_of("evaluate-at-scale.md", "ray.data"), page)

    assert [row["status"] for row in page["found"].take_all()] == ["ok", "ok"]
