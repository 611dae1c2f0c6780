"""What a million, a billion and ten billion pairs take and cost: `python benchmarks/scale/cost.py`.

Computed from what was measured here (`results/scale_*.json`), from prices (`prices.json`), and from what
others published of accelerators (`published.json`); nothing is measured, and nobody is asked.
"""

import json
import sys
from math import ceil
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.reporting import RESULTS, keep
from benchmarks.scale.run_shape import RunShape

ABOUT = "Computed from measured rates and published prices; dollars, without transfer between regions."
SIZES = (10**6, 10**9, 10**10)
CORES = 1_000
"""Of the cluster whose hours are told."""
GPUS = 32
MONTH_HOURS = 730
DIMENSION = 384
KEY_BYTES = 32
"""Of the digest by which a vector is found in a cache."""
Data = dict[str, Any]


def main() -> None:
    """Compute, tell and keep."""
    throughput, null_rows = (_read(RESULTS / f"scale_{name}.json") for name in ("throughput", "null_rows"))
    here = Path(__file__).resolve().parent
    prices, published = _read(here / "prices.json"), _read(here / "published.json")
    found = computed(throughput, null_rows, prices, published)
    print(json.dumps(found, indent=2))
    keep("scale_cost", ABOUT, found)


def computed(throughput: Data, null_rows: Data, prices: Data, published: Data) -> Data:
    """All that the docs show."""
    return {
        "prices_of": prices["date"],
        "rates": rates(throughput, null_rows),
        "machines": machines(throughput, null_rows, prices, published),
        "sizes": [size(rows, throughput, prices) for rows in SIZES],
        "failures": failures(SIZES[1], throughput, prices),
        "published": published["rates"],
    }


def rates(throughput: Data, null_rows: Data) -> Data:
    """What one core does."""
    return {
        "tokens_by_core_second": throughput["tokens_by_cpu_second"],
        "rows_by_core_second": throughput["rows_by_cpu_second"],
        "tokens_a_row": throughput["tokens"] / throughput["rows"],
        "distinct_a_row": throughput["distinct"] / throughput["rows"],
        "null_rows_by_core_second": 1e6 / _microseconds(null_rows),
    }


def machines(throughput: Data, null_rows: Data, prices: Data, published: Data) -> list[Data]:
    """What a million and a billion pairs cost, by machine, at the full price and where capacity is spare."""
    found = []
    for one in prices["machines"]:
        each_second = one["cores"] * throughput["rows_by_cpu_second"]
        if one["gpus"]:
            each_second = one["gpus"] * _rows_by_gpu(throughput, published)
            each_second = min(each_second, one["cores"] * 1e6 / _microseconds(null_rows))
        hours = 1e6 / each_second / 3600
        million = hours * one["hour"]
        found.append(
            {
                "name": one["name"],
                "about": one["about"],
                "measured_by_us": not one["gpus"],
                "rows_a_second": each_second,
                "million": million,
                "million_spot": million * prices["spot_share"],
                "billion": million * 1e3,
                "billion_spot": million * 1e3 * prices["spot_share"],
                "billion_hours": hours * 1e3 / (GPUS if one["gpus"] else CORES / one["cores"]),
                "together": GPUS if one["gpus"] else CORES,
                "of": "GPUs" if one["gpus"] else "cores",
            }
        )
    return found


def size(rows: int, throughput: Data, prices: Data) -> Data:
    """Files, requests, bytes, and what the driver has to hold."""
    shape, store = shape_of(rows, throughput), prices["storage"]
    texts = rows * throughput["distinct"] / throughput["rows"]
    held = {
        "input": rows * throughput["input_bytes_a_row"],
        "routed": rows * throughput["routed_bytes_a_row"],
        "results": rows * throughput["result_bytes_a_row"],
        "vectors_float32": texts * (4 * DIMENSION + KEY_BYTES),
        "vectors_float16": texts * (2 * DIMENSION + KEY_BYTES),
    }
    requests = shape.puts / 1e3 * store["thousand_puts"] + shape.gets / 1e3 * store["thousand_gets"]
    return {
        "rows": rows,
        "gigabytes": {name: value / 1e9 for name, value in held.items()},
        "storage_a_month": held["results"] / 1e9 * store["gigabyte_month"],
        "puts": shape.puts,
        "gets": shape.gets,
        "requests": requests,
        "hours_of_gets": shape.gets / store["gets_a_second"] / 3600,
        "pieces": shape.pieces,
        "shards": shape.shards,
        "groups": shape.groups,
        "rows_of_a_group": rows / shape.groups,
        "driver_megabytes": shape.driver_bytes / 1e6,
        "manifest_megabytes": shape.shards * throughput["manifest_bytes_a_file"] / 1e6,
        "listings": ceil((shape.pieces + shape.shards) / 1_000),
    }


def failures(rows: int, throughput: Data, prices: Data) -> Data:
    """How many machines go away while a run lasts, where capacity is spare, and what is done again."""
    cores = prices["machines"][0]["cores"]
    machine_hours = rows / throughput["rows_by_cpu_second"] / cores / 3600
    lost = machine_hours / MONTH_HOURS * prices["spot_lost_a_month"]
    shape = shape_of(rows, throughput)
    again = 2 * cores * shape.shard_rows  # one that was worked on and one that waited, for each worker
    return {
        "rows": rows,
        "machine_hours": machine_hours,
        "lost": lost,
        "shard_minutes": shape.shard_rows / throughput["rows_by_cpu_second"] / 60,
        "done_again": lost * again / rows,
    }


def shape_of(rows: int, throughput: Data) -> RunShape:
    """A run of such pairs as were measured."""
    return RunShape(rows, throughput["input_bytes_a_row"], throughput["memory_bytes_a_row"])


def _rows_by_gpu(throughput: Data, published: Data) -> float:
    planned = published["planned"]
    rate = next(one for one in published["rates"] if planned.items() <= one.items())
    return float(rate["texts_a_second"] / (throughput["distinct"] / throughput["rows"]))


def _microseconds(null_rows: Data) -> float:
    return next(float(one["ratio"]) for one in null_rows["measured"] if one["name"] == "CPU time of a row")


def _read(file: Path) -> Data:
    if not file.is_file():
        sys.exit(f"wanted `{file.name}`, which nobody has measured yet; see benchmarks/README.md")
    return dict(json.loads(file.read_bytes()))


if __name__ == "__main__":
    main()
