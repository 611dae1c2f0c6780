"""What comparing two large runs takes: `python benchmarks/scale/compare_rows.py --rows 10000000`.

Two runs of rows without texts are made, with an id and two metrics each, and compared in a process of its
own; its greatest memory is what the system says of that process.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from benchmarks.scale.reporting import keep

from sensecheck.execution.manifest import MANIFEST_FILE, Manifest, ResultFile, begun
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import Input, InputPiece, RunPlan
from sensecheck.runs.comparison import compare
from sensecheck.runs.parquet import QueryLimits, finished_run
from sensecheck.tables.aggregates import Aggregates
from sensecheck.tables.order import TableOrder

ABOUT = "Two runs without texts, paired by a text id and compared in a process with a limit of memory."
METRICS = ("semantic_similarity", "lexical_aggregate")
FILE_ROWS = 1_000_000


def made(folder: Path, rows: int, step: float, seed: int) -> None:
    """A finished run of so many rows."""
    order = TableOrder(METRICS, (), {"id": "id", "answer": "answer"})
    plan = RunPlan(
        order,
        {"encoder": "mark"},
        (Input("rows", "parquet", 1, "1"),),
        (InputPiece(0, 0, 1),),
        1,
        rows,
        ("id",),
    )
    place, entries, counted = location_of(str(folder)), [], []
    begun(place, plan)
    for number, first in enumerate(range(0, rows, FILE_ROWS)):
        table = part(first, min(FILE_ROWS, rows - first), step, seed + number)
        with place.scratch() as scratch:
            pq.write_table(table, scratch / "part.parquet")
            size = (scratch / "part.parquet").stat().st_size
            name = place.keep(scratch / "part.parquet", f"results/{plan.shard_id(number, 0)}.parquet")
        entries.append(ResultFile(plan.shard_id(number, 0), name, table.num_rows, 0, size))
        counted.append(Aggregates.of(table, order))
    merged = Aggregates.merged(counted).to_data()
    manifest = Manifest(plan, plan.fingerprint, rows, 0, tuple(entries), merged)
    place.write(MANIFEST_FILE, json.dumps(manifest.to_data()).encode())


def part(first: int, count: int, step: float, seed: int) -> pa.Table:
    """Some rows; the later run is a little lower."""
    drawn = np.random.default_rng(seed)
    at = np.arange(first, first + count)
    ids = pa.array(at).cast(pa.string())
    values = {name: np.clip(drawn.beta(5, 2, count) + step, 0, 1) for name in METRICS}
    return pa.table(
        {
            "_input": pa.array(np.zeros(count), pa.int32()),
            "_row": pa.array(at, pa.int64()),
            "id": ids,
            **{name: pa.array(one) for name, one in values.items()},
            "status": pa.array(["ok"] * count),
            "reason": pa.nulls(count, pa.string()),
        }
    )


def compared(folder: Path, memory_mb: int) -> dict[str, float]:
    """In this process: what it takes."""
    began = time.process_time()
    limits = QueryLimits(memory_mb, spill=folder)
    found = compare(finished_run(str(folder / "before")), finished_run(str(folder / "after")), limits=limits)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"rows": found.n, "peak_mb": round(peak), "cpu_seconds": round(time.process_time() - began, 1)}


def main() -> None:
    """Make, compare, print and keep."""
    options = argparse.ArgumentParser()
    options.add_argument("--rows", type=int, default=1_000_000)
    options.add_argument("--memory-mb", type=int, default=1024)
    options.add_argument("--compare", type=Path)
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    if given.compare is not None:
        print(json.dumps(compared(given.compare, given.memory_mb)))
        return
    with TemporaryDirectory(prefix="compare-rows-", dir=given.folder) as name:
        folder = Path(name)
        made(folder / "before", given.rows, 0.0, 1)
        made(folder / "after", given.rows, -0.001, 10_001)
        command = [sys.executable, __file__, "--compare", str(folder), "--memory-mb", str(given.memory_mb)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE)
    found = {**json.loads(done.stdout), "memory_limit_mb": given.memory_mb}
    print(json.dumps(found))
    keep("scale_compare", ABOUT, found)


if __name__ == "__main__":
    main()
