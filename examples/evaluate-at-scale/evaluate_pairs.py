"""Evaluate a thousand answers on every core: `python examples/evaluate-at-scale/evaluate_pairs.py`.

Install with `pip install 'sensecheck[minilm,scale]'`. Writes `at-scale/pairs.parquet` to the working
directory, evaluates it into `at-scale/run`, and prints a summary. A second start repeats nothing.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

FOLDER = Path("at-scale")
LENT = {"book": 4, "map": 2, "tablet": 3, "camera": 5, "game": 4}
WORDS = ("nought", "one", "two", "three", "four", "five", "six")
WAYS = (
    "A {thing} is lent for {said} weeks.",
    "You may keep the {thing} for {number} weeks, desk {desk} says.",
    "Bring the {thing} back to desk {desk} within {said} weeks.",
    "I cannot say how long a {thing} may be kept.",
)


def main() -> None:
    """Generate the pairs, evaluate them, and print the summary."""
    FOLDER.mkdir(exist_ok=True)
    pairs, run = FOLDER / "pairs.parquet", FOLDER / "run"
    if not pairs.exists():  # a run resumes only with an unchanged input
        pq.write_table(pa.Table.from_pylist(list(rows())), pairs)
    # small shards, so that every core gets one; a real data set needs no such setting
    wanted = ("--metric", "semantic_similarity", "--metric", "fact_agreement", "--check", "means")
    ended = sensecheck(
        *("eval", str(pairs), "--store", f"parquet:{run}", "--slice", "topic", "--shard-rows", "100", *wanted)
    )
    if ended not in (0, 3):  # 3: the row without an answer
        sys.exit(ended)
    sys.exit(sensecheck("runs", "show", "latest", "--store", f"parquet:{run}", "--by", "topic"))


def rows() -> Iterator[dict[str, str | None]]:
    """Fifty desks answer five questions in four ways, every third time with a wrong number."""
    for desk in range(50):
        for at, (thing, weeks) in enumerate(LENT.items()):
            number = weeks + (1 if (desk + at) % 3 == 0 else 0)
            asked, expected = f"How long is a {thing} lent?", f"A {thing} is lent for {WORDS[weeks]} weeks."
            for way in WAYS:
                answer = way.format(thing=thing, said=WORDS[number], number=number, desk=desk % 10)
                said = None if (desk, at, way) == (7, 0, WAYS[0]) else answer
                yield {"topic": thing, "question": asked, "expected": expected, "answer": said}


def sensecheck(*words: str) -> int:
    """Run a command, and return its exit code."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    command = shutil.which("sensecheck", path=beside)
    if command is None:
        sys.exit("`sensecheck` is not installed; it comes with: pip install 'sensecheck[minilm,scale]'")
    print("$ sensecheck", *words, flush=True)
    return subprocess.run([command, *words], check=False).returncode


if __name__ == "__main__":
    main()
