"""How many pairs a second can be trained here: `python models/reader/measure.py`, before a plan is made.

Written to `.cache/reader/speed.json`: pairs per second of computing, which does not depend on neighbours, and
per second of the clock, which does.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

import torch
from models.reader.network import UNKNOWN, Batch, reader
from models.reader.source import CACHE
from models.reader.train import Plan, Training

LENGTHS = (32, 64, 128)
CASES = (("minilm", 0), ("minilm", 2), ("mpnet", 0), ("mpnet", 4), ("mpnet", 6))
"""Sizes, each with how many of its lowest layers are frozen (the embeddings always are)."""
HALF = (("minilm", 0), ("mpnet", 4))
"""Those that are measured in bfloat16 too, which is faster on a CPU with AMX alone."""
SIZE = 12


def batch_of(length: int) -> Batch:
    """A batch of random tokens, none of them padding."""
    ids = torch.randint(1000, 20_000, (SIZE, length))
    allowed = torch.tensor([[True, False, False]] * SIZE)
    ones, types = torch.ones_like(ids), torch.zeros_like(ids)
    return Batch(ids, ones, types, allowed, torch.full(ids.shape, UNKNOWN))


def speed(
    size: str, frozen: int, threads: int, *, half: bool = False, lengths: tuple[int, ...] = LENGTHS
) -> list[dict[str, Any]]:
    """Pairs per second at every length, after one step to warm up."""
    torch.set_num_threads(threads)
    training = Training(Plan(size, frozen, 1e-5, half=half), reader(size, frozen=frozen))
    training.step(batch_of(16), 0.0)
    told = []
    for length in lengths:
        batch = batch_of(length)
        clock, spent = time.monotonic(), time.process_time()
        training.step(batch, 0.0)
        clock, spent = time.monotonic() - clock, time.process_time() - spent
        told.append({
            "size": size, "frozen": frozen, "passes in": "bfloat16" if half else "float32",
            "threads": threads, "tokens": length,
            "pairs per computing second": round(SIZE / spent * threads, 2),
            "pairs per clock second": round(SIZE / clock, 2),
        })  # fmt: skip
        print(told[-1], flush=True)
    return told


def main() -> None:
    """Measure every case with one thread, and the two likely ones with two, and in bfloat16."""
    told = [row for size, frozen in CASES for row in speed(size, frozen, 1)]
    told += [row for size, frozen in HALF for row in speed(size, frozen, 2)]
    told += [row for size, frozen in HALF for row in speed(size, frozen, 1, half=True)]
    (CACHE / "speed.json").write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
