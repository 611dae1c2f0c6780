"""What a row costs beside the encoder, and whether memory stays flat: `python benchmarks/scale/null_rows.py`.

An encoder that does no work; all of a run is measured: routing, assessing, writing, the manifest. `--short`
is for CI. `--rows 100000000` is one large run, kept as the simulation; it takes some 10 GB of disk meanwhile.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.made_rows import write_rows
from benchmarks.scale.reporting import keep, report
from benchmarks.scale.turns import Turn, whole_run
from benchmarks.speed.measured import Goal, Measured

ABOUT = (
    "Rows of about a hundred characters by an encoder that does no work, two processes; CPU time of all of "
    "them, without start-up; memory is the most that all of them held at once, looked at ten times a second."
)
WORKERS = 2
MICROSECONDS = Goal(25, "below")
FLAT = Goal(1.1, "below", slack=0.95)
SIZES = {"full": ((100_000, 1), (1_000_000, 3), (10_000_000, 1)), "short": ((100_000, 1), (300_000, 1))}
"""So many rows, so often."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Rows without an encoder.")
    parser.add_argument("--short", action="store_true", help="a minute; fails on what is clearly broken")
    parser.add_argument("--rows", type=int, help="one run of so many rows, kept as the simulation")
    asked = parser.parse_args()
    if asked.rows:
        simulate(asked.rows)
        return
    taken = {rows: turns(rows, often) for rows, often in SIZES["short" if asked.short else "full"]}
    report("scale_null_rows", ABOUT, measured(taken), short=asked.short, more={"turns": _data(taken)})


def simulate(rows: int) -> None:
    """One large run; what it took is kept, and its files are not."""
    (turn,) = turns(rows, 1)
    keep("scale_simulated", ABOUT, {"rows": rows, **_figures(rows, turn), "turn": asdict(turn)})
    print(_figures(rows, turn))


def turns(rows: int, often: int) -> list[Turn]:
    """Runs of the same rows."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"writing {rows:,} rows …", file=sys.stderr, flush=True)
        inputs = write_rows(Path(folder), rows, at_least=WORKERS)  # all of them route, however few the rows
        return [_turn(inputs, rows, number) for number in range(often)]


def _turn(inputs: Sequence[Path], rows: int, number: int) -> Turn:
    with tempfile.TemporaryDirectory() as out:
        turn = whole_run(
            inputs, Path(out) / "run", watch=True, on="processes", workers=WORKERS, encoder="null"
        )
    told = turn.told or {}
    if (told["rows"], told["errors"]) != (rows, 0):
        sys.exit(f"wanted {rows:,} rows without errors; found {told['rows']:,} with {told['errors']:,}")
    print(f"{rows:,} rows, turn {number + 1}: {_figures(rows, turn)}", file=sys.stderr, flush=True)
    return turn


def measured(taken: dict[int, list[Turn]]) -> list[Measured]:
    """The CPU time of a row where it was measured most often, and how memory grows."""
    rows = max(taken, key=lambda rows: len(taken[rows]))
    fewest, most = min(taken), max(taken)
    each = [turn.cpu / rows * 1e6 for turn in taken[rows]]
    grown = [taken[most][0].peak / taken[fewest][0].peak]
    starts = [round(turn.start, 1) for turn in taken[rows]]
    peaks = {f"megabytes at {count:,}": round(max(one.peak for one in taken[count]) / 1e6) for count in taken}
    return [
        Measured.of(
            "CPU time of a row",
            f"microseconds of CPU time a row, {rows:,} rows",
            ratios=each,
            goal=MICROSECONDS,
            notes={"rows": rows, "CPU seconds before workers are ready": starts},
        ),
        Measured.of(
            "memory as rows grow",
            f"peak memory of all processes at {most:,} rows, by that at {fewest:,}",
            ratios=grown,
            goal=FLAT,
            notes=peaks,
        ),
    ]


def _figures(rows: int, turn: Turn) -> dict[str, object]:
    told = turn.told or {}
    return {
        "microseconds_a_row": round(turn.cpu / rows * 1e6, 2),
        "seconds": round(turn.wall, 1),
        "megabytes": round(turn.peak / 1e6),
        "files": told["files"],
        "routed_bytes": told["routed"],
        "result_bytes": told["results"],
        "manifest_bytes": told["manifest"],
    }


def _data(taken: dict[int, list[Turn]]) -> list[dict[str, object]]:
    return [{"rows": rows, **_figures(rows, turn)} for rows in taken for turn in taken[rows]]


if __name__ == "__main__":
    main()
