"""Lines and branches of the packages that decide, as far as their own tests reach them without a model.

`python benchmarks/coverage_core.py` runs their unmarked tests, and those that pin their lists and schemas,
in one process, lists what is not reached, and fails when less than 95% of lines or of branches is reached.
`--write` writes the figures to `benchmarks/results/coverage_core.json`.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("core", "checks", "calibration")
RESULTS = Path(__file__).parent / "results" / "coverage_core.json"
LEAST = 0.95
GOLDEN = ("tests/golden/test_checks.py", "tests/golden/test_contracts.py", "tests/golden/test_digests.py")
"""Which pin the lists, prompts, numbers and schemas of these packages, word for word."""
TESTS = [
    *("-m", "not (database or browser or cluster or fault or real_model or adapter or slow or walk)"),
    *(f"tests/{name}" for name in PACKAGES),
    *GOLDEN,
]
"""What pytest is given: the tests that need nothing but the packages and a moment."""
_ONLY_TYPES = (r"if TYPE_CHECKING:", r"^\s*\.\.\.$")


def measured() -> Mapping[str, Any]:
    """What coverage.py reports, file by file; the process ends when a test fails."""
    coverage = Coverage(
        data_file=None,
        branch=True,
        config_file=False,
        source_pkgs=[f"sensecheck.{name}" for name in PACKAGES],
    )
    for line in _ONLY_TYPES:
        coverage.exclude(line)
    coverage.start()
    code = pytest.main(["-q", "-n0", "-p", "no:cacheprovider", *TESTS])
    coverage.stop()
    if code != 0:
        sys.exit(int(code))
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        coverage.json_report(outfile=str(report))
        found: Mapping[str, Any] = json.loads(report.read_bytes())["files"]
        return found


def by_package(files: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The share of lines and of branches that were reached, package by package and in all."""
    rows = []
    for name in (*PACKAGES, "all"):
        sums = [
            file["summary"] for path, file in files.items() if name == "all" or f"sensecheck/{name}/" in path
        ]
        rows.append(
            {
                "package": name,
                "lines": _share(sums, "covered_lines", "num_statements"),
                "branches": _share(sums, "covered_branches", "num_branches"),
            }
        )
    return rows


def _share(sums: Sequence[Mapping[str, int]], reached: str, of: str) -> dict[str, int]:
    return {"reached": sum(one[reached] for one in sums), "of": sum(one[of] for one in sums)}


def main() -> None:
    """Measure, say what is missing, and fail below the least."""
    parser = argparse.ArgumentParser(description="Coverage of core, checks and calibration.")
    parser.add_argument("--write", action="store_true", help="write the figures down")
    write = bool(parser.parse_args().write)
    files = measured()
    for path, file in files.items():
        lines, branches = file["missing_lines"], file["missing_branches"]
        if lines or branches:
            print(f"{path}: not reached: lines {lines}, branches {[tuple(one) for one in branches]}")
    rows = by_package(files)
    below = []
    for row in rows:
        for what in ("lines", "branches"):
            share = row[what]["reached"] / row[what]["of"]
            print(f"{row['package']}: {share:.1%} of {row[what]['of']:,} {what}")
            below += [f"{row['package']} ({what})"] if share < LEAST else []
    if write:
        RESULTS.write_text(json.dumps({"least": LEAST, "packages": rows}, indent=2) + "\n", encoding="utf-8")
    if below:
        sys.exit(f"less than {LEAST:.0%} is reached of: {', '.join(below)}")


if __name__ == "__main__":
    main()
