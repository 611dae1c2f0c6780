"""What a whole run costs beside the bare encoder: `python benchmarks/scale/overhead.py`, or `--short` for CI.

The executors take turns with a plain loop over the distinct texts, all with the real model. A core that has a
busy neighbour is slower, so that two workers are held against two loops at once that share the texts, and in
the notes against a loop that has the machine for itself; one process beside that loop is measured once.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.real_pairs import pairs, texts_of, write_pairs
from benchmarks.scale.reporting import report
from benchmarks.scale.turns import Turn, bare_loop, take_turns, whole_run
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import paired

from sensecheck.config import Settings

ABOUT = (
    "CPU time of all processes of a whole run by that of the bare encoder over the distinct texts; the real "
    "model; contestants take turns; what it takes until workers are ready stands apart, in the notes."
)
BARE, TWO = "bare loop", "two bare loops"
GOALS = {
    "inline": None,
    "processes": Goal(1.15, "below", slack=0.75),
    "ray": Goal(1.3, "below", slack=0.75),
}
BESIDE = {"inline": BARE, "processes": TWO, "ray": TWO}


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    rows: int
    rounds: int
    shard_rows: int
    in_turn: tuple[str, ...]
    once: tuple[str, ...]


FULL = Size(12_000, 2, 1_500, (TWO, "processes", "ray"), (BARE, "inline"))
SHORT = Size(480, 1, 120, (TWO, "processes"), (BARE,))


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Whole runs beside the bare encoder.")
    parser.add_argument("--short", action="store_true", help="a minute; fails on what is clearly broken")
    parser.add_argument("--rounds", type=int, help="more or fewer rounds")
    asked = parser.parse_args()
    size = SHORT if asked.short else FULL
    data = Settings.from_environment().data
    with tempfile.TemporaryDirectory() as folder:
        found, more = measure(Path(folder), Path(data) if data else None, size, asked.rounds or size.rounds)
    report("scale_overhead", ABOUT, found, short=asked.short, more=more)


def measure(
    folder: Path, data: Path | None, size: Size, rounds: int
) -> tuple[list[Measured], dict[str, object]]:
    """Every executor by the bare loop."""
    rows = pairs(data, size.rows)
    texts = texts_of(rows)
    write_pairs(folder / "pairs.parquet", rows)
    (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    bare = {
        BARE: partial(bare_loop, folder / "texts.json"),
        TWO: partial(bare_loop, folder / "texts.json", 2),
    }
    runs = {on: _run(folder, on, size, count()) for on in GOALS}
    contestants: dict[str, Callable[[], Turn]] = {**bare, **runs}
    taken = take_turns({name: contestants[name] for name in size.in_turn}, rounds)
    taken |= take_turns({name: contestants[name] for name in size.once}, 1)
    more = {
        "rows": len(rows),
        "texts": len(rows) + len({row.expected for row in rows}),
        "distinct": len(texts),
        "data": "public" if data else "made up",
    }
    return [_measured(on, taken) for on in GOALS if on in taken], more | {"bare_cpu": _cpu(taken[BARE])}


def _run(folder: Path, on: str, size: Size, numbers: "count[int]") -> Callable[[], Turn]:
    def turn() -> Turn:
        out = folder / f"{on}-{next(numbers)}"
        return whole_run([folder / "pairs.parquet"], out, on=on, workers=2, shard_rows=size.shard_rows)

    return turn


def _measured(on: str, taken: dict[str, list[Turn]]) -> Measured:
    ours, beside = _cpu(taken[on]), _cpu(taken[BESIDE[on]])
    told = [turn.told or {} for turn in taken[on]]
    notes = {
        "CPU seconds": [round(cpu, 1) for cpu in ours],
        f"CPU seconds of the {BESIDE[on]}": [round(cpu, 1) for cpu in beside],
        "CPU seconds before workers are ready": [round(turn.start, 1) for turn in taken[on]],
        "of these, of daemons": [round(one["daemons"], 1) for one in told],
        "by one bare loop": [round(cpu / taken[BARE][0].cpu, 3) for cpu in ours],
        "files of results": told[0]["files"],
    }
    about = f"a run by `{on}`, by the {BESIDE[on]}"
    return Measured.of(on, about, ratios=paired(ours, beside), goal=GOALS[on], notes=notes)


def _cpu(turns: Sequence[Turn]) -> list[float]:
    return [turn.cpu for turn in turns]


if __name__ == "__main__":
    main()
