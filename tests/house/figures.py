"""How the package is cut into modules, in figures: `python -m tests.house.figures`, or `just house`.

`figures.json` has those that were committed last. `test_figures.py` fails when one of them gets worse;
`just house --write` commits to the present ones.
"""

import ast
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src"
COMMITTED = Path(__file__).with_name("figures.json")
MEDIAN_AIM = (100, 200)
"""Lines."""
FEW_LINES = 40
FEWER_IS_BETTER = ("files_under_40_lines", "single_importers", "class_names_used_twice")


@dataclass(frozen=True, slots=True)
class Figures:
    """What can be counted about the modules of the package; files called `__init__.py` are not counted."""

    modules: int
    lines: int
    median_lines: float
    p90_lines: float
    largest_lines: int
    files_under_40_lines: int
    single_importers: int
    """Modules that exactly one other module imports, unless it is a loader: it takes what people name."""
    class_names_used_twice: int
    """Names that more than one class of the package has."""

    @property
    def from_median_aim(self) -> float:
        """How many lines the median lies outside what we aim at."""
        low, high = MEDIAN_AIM
        return max(low - self.median_lines, self.median_lines - high, 0.0)


def figures_of(sources: Path = SOURCES) -> Figures:
    """The figures of a folder that holds packages."""
    trees = {_module(path, sources): ast.parse(path.read_text()) for path in sorted(sources.rglob("*.py"))}
    sizes = [
        len(path.read_text().splitlines()) for path in sources.rglob("*.py") if path.name != "__init__.py"
    ]
    importers = Counter(imported for name, tree in trees.items() for imported in _imports(name, tree, trees))
    loaded = {
        imported
        for name, tree in trees.items()
        if name.endswith("loaders")
        for imported in _imports(name, tree, trees)
    }
    packages = {_module(path, sources) for path in sources.rglob("__init__.py")}
    classes = Counter(
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
    )
    return Figures(
        modules=len(sizes),
        lines=sum(sizes),
        median_lines=statistics.median(sizes),
        p90_lines=round(statistics.quantiles(sizes, n=10)[-1], 1),
        largest_lines=max(sizes),
        files_under_40_lines=sum(size < FEW_LINES for size in sizes),
        single_importers=sum(importers[name] == 1 for name in trees if name not in packages | loaded),
        class_names_used_twice=sum(count > 1 for count in classes.values()),
    )


def got_worse(before: Figures, now: Figures) -> list[str]:
    """What may not be: one line a figure."""
    found = [
        f"`{name}` was {getattr(before, name)} and is {getattr(now, name)}; it may only fall"
        for name in FEWER_IS_BETTER
        if _weighed(now, name) > _weighed(before, name)
    ]
    if now.from_median_aim > before.from_median_aim:
        low, high = MEDIAN_AIM
        found.append(
            f"`median_lines` was {before.median_lines} and is {now.median_lines}; "
            f"it may only come closer to {low} to {high}"
        )
    return found


def _weighed(figures: Figures, name: str) -> float:
    """A count of modules as a share of all of them: a package that grows may have more."""
    value: float = getattr(figures, name)
    return value / figures.modules if name in FEWER_IS_BETTER[:2] else value


def committed() -> Figures:
    """The figures that may not get worse."""
    return Figures(**json.loads(COMMITTED.read_text()))


def main(write: bool) -> None:
    """Print them beside those that were committed; or commit to them."""
    before, now = asdict(committed()) if COMMITTED.exists() else {}, figures_of()
    if write:
        COMMITTED.write_text(json.dumps(asdict(now), indent=2) + "\n")
    for name, value in asdict(now).items():
        share = f"  {value / now.modules:.0%} of modules" if name in FEWER_IS_BETTER[:2] else ""
        aim = "  (aim: {} to {})".format(*MEDIAN_AIM) if name == "median_lines" else ""
        was = f"  was {before[name]:,}" if before.get(name, value) != value else ""
        print(f"{name.replace('_', ' '):24}{value:>10,}{share}{aim}{was}")


def _module(path: Path, sources: Path) -> str:
    parts = path.relative_to(sources).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(name: str, tree: ast.Module, known: Mapping[str, ast.Module]) -> Iterator[str]:
    """The modules of the package that a module imports, each once."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= inner & known.keys() or {node.module}
    yield from (found & known.keys()) - {name}


if __name__ == "__main__":
    main("--write" in sys.argv[1:])
