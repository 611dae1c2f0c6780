"""How much more two workers do than one: `python benchmarks/scale/throughput.py`, or `--short` for CI.

Two cores of one machine share its memory, and often more: two bare loops at once show what there was to win.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import pyarrow.parquet as pq
from benchmarks.scale.real_pairs import pairs, texts_of, write_pairs
from benchmarks.scale.reporting import report
from benchmarks.scale.turns import Turn, bare_loop, take_turns, whole_run
from benchmarks.speed.measured import Measured
from benchmarks.speed.rounds import paired

from sensecheck.config import Settings
from sensecheck.encoders.token_counter import token_counter

ABOUT = (
    "Rows a second on the clock by two workers, by those by one, beside the same of bare loops; tokens of "
    "the distinct texts by CPU second of all processes. The real model; in turns; without start-up."
)
SIZES = {"full": (4_800, 2, 600), "short": (480, 1, 120)}
"""Rows, rounds, rows of a shard."""
ADDED = 4 + 8 + 8 + 4
"""Bytes that routing adds to a row: the number of its input, its own, its hash, and that nothing is wrong."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Two workers beside one.")
    parser.add_argument("--short", action="store_true", help="a minute")
    asked = parser.parse_args()
    data = Settings.from_environment().data
    rows, rounds, shard_rows = SIZES["short" if asked.short else "full"]
    with tempfile.TemporaryDirectory() as folder:
        found, more = measure(Path(folder), Path(data) if data else None, (rows, rounds, shard_rows))
    report("scale_throughput", ABOUT, found, short=asked.short, more=more)


def measure(
    folder: Path, data: Path | None, size: tuple[int, int, int]
) -> tuple[list[Measured], dict[str, object]]:
    """Two by one, of runs and of bare loops."""
    count_rows, rounds, shard_rows = size
    rows = pairs(data, count_rows)
    texts = texts_of(rows)
    tokens = sum(map(token_counter("minilm"), texts)) + 2 * len(texts)  # the two that open and close a text
    input_file, texts_file = folder / "pairs.parquet", folder / "texts.json"
    write_pairs(input_file, rows)
    texts_file.write_text(json.dumps(texts), encoding="utf-8")
    contestants: dict[str, Callable[[], Turn]] = {}
    for many in (1, 2):
        contestants[f"run {many}"] = partial(_run, input_file, folder, many, shard_rows, count())
        contestants[f"bare {many}"] = partial(bare_loop, texts_file, many)
    taken = take_turns(contestants, rounds)
    return _measured(taken, count_rows), _rates(taken, count_rows, len(texts), tokens, input_file)


def _run(file: Path, folder: Path, workers: int, shard_rows: int, numbers: "count[int]") -> Turn:
    out = folder / f"run-{workers}-{next(numbers)}"
    return whole_run([file], out, on="processes", workers=workers, shard_rows=shard_rows)


def _measured(taken: Mapping[str, Sequence[Turn]], rows: int) -> list[Measured]:
    about = {"run": "rows a second by two workers, by those by one", "bare": "the same of bare loops"}
    return [
        Measured.of(
            what,
            said,
            ratios=paired([one.wall for one in taken[f"{what} 1"]], [two.wall for two in taken[f"{what} 2"]]),
            notes={
                f"rows a second by {many}": [round(rows / turn.wall, 1) for turn in taken[f"{what} {many}"]]
                for many in (1, 2)
            },
        )
        for what, said in about.items()
    ]


def _rates(
    taken: Mapping[str, Sequence[Turn]], rows: int, distinct: int, tokens: int, file: Path
) -> dict[str, object]:
    """What one core does, and what a row weighs: all that a plan is computed from."""
    runs = [*taken["run 1"], *taken["run 2"]]
    told = runs[0].told or {}
    return {
        "rows": rows,
        "distinct": distinct,
        "tokens": tokens,
        "rows_by_cpu_second": rows / median(turn.cpu for turn in runs),
        "tokens_by_cpu_second": tokens / median(turn.cpu for turn in runs),
        "bare_tokens_by_cpu_second": tokens / median(turn.cpu for turn in taken["bare 1"]),
        "memory_bytes_a_row": pq.read_table(file).nbytes / rows + ADDED,
        "input_bytes_a_row": file.stat().st_size / rows,
        "routed_bytes_a_row": told["routed"] / rows,
        "result_bytes_a_row": told["results"] / rows,
        "manifest_bytes_a_file": told["manifest"] / told["files"],
    }


if __name__ == "__main__":
    main()
