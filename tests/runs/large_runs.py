"""Finished runs to read: real files and a real manifest, whose numbers are made up."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sensecheck.checks.presets import means
from sensecheck.checks.spec import check_to_data
from sensecheck.execution.manifest import MANIFEST_FILE, Gap, Manifest, ResultFile, begun
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import Input, InputPiece, RunPlan
from sensecheck.runs.parquet import FinishedRun, finished_run
from sensecheck.tables.aggregates import Aggregates
from sensecheck.tables.order import TableOrder

METRICS = ("semantic_similarity", "lexical_aggregate", "fact_agreement")
CARRIED = ("id", "question", "expected", "answer", "topic")
COUNT = 600
NOBODY_READ = "the answer is missing"
BROKE = "fact_agreement: it broke"
READERS = {"encoder": "mark-1", "sensecheck": "0.1.0"}


def rows(count: int = COUNT, *, step: float = 0.0, seed: int = 0) -> pa.Table:
    """So many rows of two topics; some could not be read, some have no facts to compare."""
    ease, drawn = np.random.default_rng(9).beta(5, 2, count), np.random.default_rng(seed)
    at = np.arange(count)
    semantic = np.clip(ease + step + drawn.normal(0, 0.02, count), 0, 1)
    lexical = np.clip(ease * 0.6 + drawn.normal(0, 0.02, count), 0, 1)
    faulty, broken, without = at % 50 == 7, at % 50 == 9, at % 10 == 3
    outcomes = np.where(faulty, "error", np.where(semantic >= 0.6, "pass", "fail"))
    return pa.table(
        {
            "_input": pa.array(at % 2, pa.int32()),
            "_row": pa.array(at // 2, pa.int64()),
            "id": [f"q{one}" for one in at],
            "question": [f"What is {one}?" for one in at],
            "expected": [f"It is {one}." for one in at],
            "answer": pa.array([f"I think {one}." for one in at], mask=faulty),
            "topic": pa.array(np.where(at % 3 == 0, "odd", "even"), mask=at % 100 == 0),
            "semantic_similarity": pa.array(semantic, mask=faulty),
            "lexical_aggregate": pa.array(lexical, mask=faulty),
            "fact_agreement": pa.array((at % 4 != 0).astype(float), mask=faulty | broken | without),
            "means": outcomes,
            "means_value": pa.array(semantic, mask=faulty),
            "status": np.where(faulty | broken, "error", "ok"),
            "reason": pa.array(np.where(faulty, NOBODY_READ, BROKE), mask=~(faulty | broken)),
        }
    )


def a_run(
    address: Path | str,
    table: pa.Table,
    *,
    metrics: Sequence[str] = METRICS,
    carried: Sequence[str] = CARRIED,
    readers: Mapping[str, str] = READERS,
    inputs: Sequence[str] = ("data/first.jsonl", "data/second.jsonl"),
    gaps: Sequence[Gap] = (),
    files: int = 3,
) -> FinishedRun:
    """A run with these results, in a few files; a file that no manifest lists lies beside them."""
    checks = (check_to_data(means()),) if "means" in table.column_names else ()
    order = TableOrder(tuple(metrics), checks, {"id": "id", "answer": "answer", "expected": "expected"})
    given = tuple(Input(name, "jsonl", 100, "1") for name in inputs)
    pieces = tuple(InputPiece(at, 0, 100) for at in range(len(given)))
    plan = RunPlan(order, readers, given, pieces, files, 50_000, tuple(carried))
    place = location_of(str(address))
    begun(place, plan)
    size = max(1, -(-table.num_rows // files))
    parts = [table.slice(at, size) for at in range(0, table.num_rows, size)]
    kept = [_entry(place, plan.shard_id(at, 0), part) for at, part in enumerate(parts)]
    _entry(place, "0" * 32, table.slice(0, 1))
    aggregates = Aggregates.merged([Aggregates.of(part, order) for part in parts])
    errors = sum(one.errors for one in kept)
    manifest = Manifest(
        plan, plan.fingerprint, table.num_rows, errors, tuple(kept), aggregates.to_data(), tuple(gaps)
    )
    place.write(MANIFEST_FILE, json.dumps(manifest.to_data(), allow_nan=False).encode())
    return finished_run(str(address))


def column(table: pa.Table, name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The numbers of a column; NaN where there is none."""
    numbers: np.ndarray[Any, np.dtype[np.float64]] = table[name].to_numpy(zero_copy_only=False)
    return numbers.astype(np.float64)


def _entry(place: Any, shard: str, part: pa.Table) -> ResultFile:
    with place.scratch() as scratch:
        written = scratch / "part.parquet"
        pq.write_table(part, written, row_group_size=65_536)
        size = written.stat().st_size
        name = place.keep(written, f"results/{shard}.parquet")
    errors = sum(one == "error" for one in part["status"].to_pylist())
    return ResultFile(shard, name, part.num_rows, errors, size)
