"""Whether all executors give the same bytes: `python benchmarks/scale/identical.py`, or `--short` for CI."""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.real_pairs import repeated, texts_of, write_pairs
from benchmarks.scale.reporting import keep
from benchmarks.scale.sorted_results import digest_of, sorted_results
from benchmarks.scale.turns import whole_run

from sensecheck.config import Settings
from sensecheck.execution.object_store import location_of

ABOUT = (
    "The results of the same pairs by each executor, with the real model: the digest of the whole table, "
    "sorted by input and row, as an Arrow stream."
)
FULL, SHORT = ("inline", "processes", "ray"), ("inline", "processes")


def main() -> None:
    """Run the pairs by each executor, and compare."""
    parser = argparse.ArgumentParser(description="The same pairs by each executor.")
    parser.add_argument("--short", action="store_true", help="a minute; fails where they differ")
    asked = parser.parse_args()
    data = Settings.from_environment().data
    rows = repeated(Path(data) if data else None, 600 if asked.short else 50_000)
    with tempfile.TemporaryDirectory() as folder:
        write_pairs(Path(folder) / "pairs.parquet", rows)
        shard_rows = max(100, len(rows) // 10)
        digests = {on: digest(Path(folder), on, shard_rows) for on in (SHORT if asked.short else FULL)}
    same = len(set(digests.values())) == 1
    print(f"{len(rows):,} pairs: {'byte for byte the same' if same else 'DIFFERENT'}: {digests}")
    if not asked.short:
        found = {"rows": len(rows), "distinct": len(texts_of(rows)), "same": same, "digests": digests}
        keep("scale_identical", ABOUT, found)
    if not same:
        sys.exit("the executors differ")


def digest(folder: Path, on: str, shard_rows: int) -> str:
    """Of the results of a run by an executor."""
    print(f"running by {on} …", file=sys.stderr, flush=True)
    whole_run([folder / "pairs.parquet"], folder / on, on=on, workers=2, shard_rows=shard_rows)
    return digest_of(sorted_results(location_of(str(folder / on))))


if __name__ == "__main__":
    main()
