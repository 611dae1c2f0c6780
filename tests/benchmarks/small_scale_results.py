"""Results of large runs, with rates that are easy to reckon with."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.scale.cost import computed

HERE = Path(__file__).parents[2] / "benchmarks" / "scale"
THROUGHPUT = {
    "rows": 1_000,
    "distinct": 1_500,
    "tokens": 30_000,
    "rows_by_cpu_second": 100.0,
    "tokens_by_cpu_second": 3_000.0,
    "memory_bytes_a_row": 120.0,
    "input_bytes_a_row": 60.0,
    "routed_bytes_a_row": 80.0,
    "result_bytes_a_row": 20.0,
    "manifest_bytes_a_file": 200.0,
}
NULL_ROWS = {"measured": [{"name": "CPU time of a row", "ratio": 20.0}]}
MEASURED = {
    "name": "ray",
    "about": "this by that",
    "ratio": 1.2,
    "low": 1.1,
    "high": 1.4,
    "rounds": 3,
    "goal": "at most 1.3",
    "met": True,
    "notes": {
        "CPU seconds before workers are ready": [9.0, 10.0, 11.0],
        "CPU seconds": [100.0, 110.0, 120.0],
        "of these, of daemons": [2.0, 3.0, 4.0],
    },
}
_PRICES, _PUBLISHED = (json.loads((HERE / name).read_bytes()) for name in ("prices.json", "published.json"))
_MEMORY = {"megabytes at 100,000": 500, "megabytes at 10,000,000": 520}

SCALE: Mapping[str, Mapping[str, Any]] = {
    "scale_cost": computed(THROUGHPUT, NULL_ROWS, _PRICES, _PUBLISHED),
    "scale_overhead": {"rows": 12_000, "texts": 20_000, "distinct": 18_001, "measured": [MEASURED]},
    "scale_null_rows": {"measured": [MEASURED, MEASURED | {"notes": _MEMORY, "rounds": 1}]},
    "scale_throughput": {"measured": [MEASURED]},
    "scale_identical": {"rows": 50_000, "distinct": 75_000, "same": True, "digests": {"ray": "ab" * 32}},
    "scale_simulated": {
        "rows": 10**8,
        "microseconds_a_row": 18.24,
        "seconds": 1_200.0,
        "megabytes": 600,
        "files": 2_000,
        "routed_bytes": 4_500_000_000,
        "result_bytes": 500_000_000,
        "manifest_bytes": 400_000,
    },
    "scale_killed": {
        "nodes": 6,
        "actors": 7,
        "drivers": 7,
        "rows": 20_000,
        "shards": 40,
        "other_tables": 0,
        "most_redone": 2,
        "finished_again": 2.34,
    },
    "scale_distinct": {
        "sets": [
            {
                "name": "a set",
                "rows": 1_000,
                "references": 200,
                "answers": 900,
                "tokens": 50_000,
                "left_by_references": 0.55,
                "left": 0.5,
            }
        ]
    },
}
"""By file."""
