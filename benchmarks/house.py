"""Modules and lines by package, before, as planned and now: `python benchmarks/house.py [--before TREE]`.

`TREE` is a checkout from before the modules were merged; without it, what was counted there stays.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script finds only what lies beside it

from tests.house.figures import SOURCES, figures_of

RESULTS = Path(__file__).parent / "results" / "house.json"
PLANNED = {
    "core": 16, "io": 11, "text": 6, "stats": 7, "encoders": 21, "judges": 4, "measures": 54,
    "calibration": 10, "checks": 13, "store": 26, "datasets": 7, "documents": 5, "sources": 11, "tables": 4,
    "execution": 16, "runs": 27, "batteries": 20, "evaluation": 5, "grounding": 11, "retrieval": 27, "": 4,
    "rag_eval": 4, "references": 3, "adapters": 11, "pytest_plugin": 2, "mcp": 6, "server": 44, "cli": 36,
}  # fmt: skip
"""Modules by package, as they were planned before they were merged; the empty name stands for the top."""


def main() -> None:
    """Count, and write it down."""
    parser = argparse.ArgumentParser(description="Count the modules of the packages.")
    parser.add_argument("--before", type=Path, metavar="TREE", help="a checkout from before the merge")
    tree: Path | None = parser.parse_args().before
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if tree is not None:
        found["before"] = asdict(figures_of(tree / "src"))
    if "before" not in found:
        parser.error("nothing was counted before: pass `--before TREE`")
    found |= {"planned": PLANNED, "now": asdict(figures_of()), "packages": packages(SOURCES / "sensecheck")}
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps({name: found[name] for name in ("before", "now")}, indent=1))


def packages(sources: Path) -> dict[str, tuple[int, int]]:
    """Modules and lines by package."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(sources.rglob("*.py")):
        if path.name != "__init__.py":
            package = path.relative_to(sources).parts[0] if path.parent != sources else ""
            modules, lines = found.get(package, (0, 0))
            found[package] = modules + 1, lines + len(path.read_text(encoding="utf-8").splitlines())
    return found


if __name__ == "__main__":
    main()
