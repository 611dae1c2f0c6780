"""Lines of src that tests run, at two commits, and what was run before and is no longer.

`python benchmarks/coverage_lines.py BEFORE BEFORE_DATA AFTER AFTER_DATA`: two checked-out trees, and for each
the folder with the files that coverage.py wrote while its tests ran, in all their processes:

    coverage run --rcfile RC -m pytest -n 2 --dist worksteal

where RC has `source_pkgs = sensecheck`, `parallel = true`, `sigterm = true` and `patch = subprocess`.
The last of these needs coverage.py installed in the very environment of the tree: one that only shares the
packages of another leaves every worker unmeasured. `data_file` is `combined` in that folder.
`--keep FILE` writes down what ran before; later such a file takes the place of BEFORE_DATA.
A line counts as the same line when it stands in the same file among the same neighbours (difflib).
"""

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import NamedTuple

from coverage import Coverage

RESULTS = Path(__file__).parent / "results" / "coverage_lines.json"
SHOWN = 200
"""So many lost lines are written down; all of them are counted."""


class Module(NamedTuple):
    """One file: its lines, those that can run, and those that did."""

    lines: list[str]
    statements: frozenset[int]
    run: frozenset[int]


def modules(tree: Path, data: Path) -> dict[str, Module]:
    """Every module of a tree with the lines that any process ran."""
    if data.is_file():
        told = json.loads(gzip.decompress(data.read_bytes()))
        return {
            name: Module(_lines(tree / name), _spread(statements), _spread(run))
            for name, (statements, run) in told.items()
        }
    coverage = Coverage(data_file=str(data / "combined"), config_file=False)
    coverage.combine([str(data)], keep=True)
    found = {}
    for path in sorted((tree / "src" / "sensecheck").rglob("*.py")):
        _, statements, _, missing, _ = coverage.analysis2(str(path))
        run = frozenset(statements) - frozenset(missing)
        found[str(path.relative_to(tree))] = Module(_lines(path), frozenset(statements), run)
    return found


def keep(found: Mapping[str, Module], path: Path) -> None:
    """Write down which lines can run and which did, as first and last of each stretch."""
    told = {name: (_stretches(one.statements), _stretches(one.run)) for name, one in found.items()}
    path.write_bytes(gzip.compress(json.dumps(told, separators=(",", ":")).encode(), mtime=0))


def _stretches(numbers: Iterable[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def _spread(stretches: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(number for first, last in stretches for number in range(first, last + 1))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def lost(before: Module, after: Module) -> list[int]:
    """Lines of the later file that are statements still, and were run only before."""
    same = SequenceMatcher(None, before.lines, after.lines, autojunk=False).get_matching_blocks()
    return [
        block.b + at + 1
        for block in same
        for at in range(block.size)
        if block.a + at + 1 in before.run and block.b + at + 1 in after.statements - after.run
    ]


def share(found: Mapping[str, Module]) -> dict[str, float]:
    """How many statements there are, and how many of them ran."""
    statements = sum(len(one.statements) for one in found.values())
    run = sum(len(one.run) for one in found.values())
    return {"modules": len(found), "statements": statements, "run": run, "share": round(run / statements, 4)}


def main() -> None:
    """Compare both trees and keep the result."""
    parser = argparse.ArgumentParser(description="What tests run, before and after.")
    for name in ("before", "before_data", "after", "after_data"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write down what ran before, and stop")
    wanted = parser.parse_args()
    before = modules(wanted.before, wanted.before_data)
    if wanted.keep:
        keep(before, wanted.keep)
        print(f"kept: {json.dumps(share(before))}")
        return
    after = modules(wanted.after, wanted.after_data)
    for name, found in (("BEFORE_DATA", before), ("AFTER_DATA", after)):
        if not any(one.run for one in found.values()):
            sys.exit(f"`{name}` must hold what the tests' processes wrote; no line of src ran by it")
    gone = [
        f"{name}:{line}: {after[name].lines[line - 1].strip()}"
        for name in sorted(before.keys() & after.keys())
        for line in lost(before[name], after[name])
    ]
    figures = {"before": share(before), "after": share(after), "lost": len(gone), "lines": gone[:SHOWN]}
    RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(*gone, json.dumps({name: figures[name] for name in ("before", "after", "lost")}), sep="\n")


if __name__ == "__main__":
    main()
