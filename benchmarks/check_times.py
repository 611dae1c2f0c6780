"""What the checks take, CPU and clock: `python benchmarks/check_times.py NAME RECIPE… [--tree FOLDER]`.

`NAME` is the column that is written: `before` or `after`. Each recipe of `just` is run in the tree, which has
an environment of its own; beside its times stand the sizes of the tree and what collecting its tests takes.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "check_times.json"


@dataclass(frozen=True, slots=True)
class Times:
    """What a command took, with all processes that it waited for."""

    cpu_seconds: float
    wall_seconds: float
    exit_code: int


def main() -> None:
    """Run the recipes, and write what they took."""
    parser = argparse.ArgumentParser(description="Measure what the checks take.")
    parser.add_argument("name", help="the column of the table: before, after")
    parser.add_argument("recipes", nargs="*", help="recipes of just, such as check")
    parser.add_argument("--tree", type=Path, default=ROOT, help="a checkout with a .venv of its own")
    parser.add_argument("--commit", default="", help="what to call the tree; its commit, if nothing is named")
    given = parser.parse_args()
    known = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    row = known.setdefault(given.name, {})
    row |= {"commit": given.commit or commit_of(given.tree), "cores": os.cpu_count(), **sizes(given.tree)}
    row["collection"] = collection(given.tree)
    for recipe in given.recipes:
        times = run([str(given.tree / ".venv/bin/just"), recipe], given.tree)
        row.setdefault("recipes", {})[recipe] = asdict(times)
        print(f"{recipe}: {times}", flush=True)
    RESULTS.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


def run(command: list[str], tree: Path) -> Times:
    """Run a command in a tree; its output goes where ours goes."""
    path = f"{tree / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"
    began, spent = time.monotonic(), _children_cpu()
    done = subprocess.run(command, cwd=tree, env={**os.environ, "PATH": path}, check=False)
    wall, cpu = time.monotonic() - began, _children_cpu() - spent
    return Times(round(cpu, 1), round(wall, 1), done.returncode)


def collection(tree: Path) -> dict[str, float]:
    """How many tests there are, and the CPU time in which one process finds them."""
    command = [str(tree / ".venv/bin/pytest"), "--collect-only", "-q", "--ignore", "tests/bare"]
    spent = _children_cpu()
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    found = re.search(r"(\d+) tests collected", done.stdout)
    if found is None:
        sys.exit(f"the tests of `{tree}` could not be collected:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return {"tests": int(found[1]), "cpu_seconds": round(_children_cpu() - spent, 1)}


def sizes(tree: Path) -> dict[str, int]:
    """Modules and lines of the package and of its tests."""
    counted: dict[str, int] = {}
    for name, folder in (("src", tree / "src"), ("tests", tree / "tests")):
        files = [path.read_text(encoding="utf-8") for path in folder.rglob("*.py")]
        counted |= {f"{name}_modules": len(files), f"{name}_lines": sum(map(_lines, files))}
    return counted


def commit_of(tree: Path) -> str:
    """The commit that is checked out, short."""
    command = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True).stdout.strip()


def _lines(text: str) -> int:
    return text.count("\n")


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
