"""What runs cost in lines before their three families became one, and now: `python benchmarks/run_family.py`.

`data/run_family.json` says what belongs to the family, below `src/sensecheck`, and which of it serves one
feature alone: features that came since, and features that went. An entry is a path, a pattern, or `path:name`
for a part of a module: a function, a class, a method (`Class.method`), a constant, an entry of a table or a
parameter; `!` before it leaves it out. Lines are counted as `house.py` does, without files called
`__init__.py`; parts without the blank lines around them. In a clone without the earlier commit, what was
counted there stays.
"""

import ast
import io
import json
import subprocess
import tarfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FAMILY = Path(__file__).parent / "data" / "run_family.json"
RESULTS = Path(__file__).parent / "results" / "run_family.json"

Lines = set[tuple[str, int]]
"""Lines, each by the path of its module and its number."""


def parts(body: Sequence[ast.stmt], inside: str = "") -> Iterator[tuple[str, int, int]]:
    """The names of what stands in a module or a class, each with its first and its last line."""
    for earlier, statement in pairwise((ast.Pass(), *body)):
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            first = min(first, *(decorator.lineno for decorator in statement.decorator_list), first)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            statement = earlier  # what explains it
        for name in names(statement):
            yield inside + name, first, last
        if isinstance(statement, ast.ClassDef):
            yield from parts(statement.body, f"{inside}{statement.name}.")
        elif isinstance(statement, ast.FunctionDef):
            for parameter in (*statement.args.args, *statement.args.kwonlyargs):
                yield f"{inside}{statement.name}.{parameter.arg}", parameter.lineno, parameter.end_lineno or 0
        elif isinstance(statement, ast.Assign | ast.AnnAssign) and isinstance(statement.value, ast.Dict):
            for key, value in zip(statement.value.keys, statement.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    table = names(statement)[0]
                    yield f"{inside}{table}.{key.value}", key.lineno, value.end_lineno or 0


def names(statement: ast.stmt) -> list[str]:
    """What a statement defines; a call that stands alone belongs to what it is called on."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    called: ast.expr | None = statement.value if isinstance(statement, ast.Expr) else None
    while isinstance(called, ast.Call | ast.Attribute):
        called = called.func if isinstance(called, ast.Call) else called.value
    return [called.id] if isinstance(called, ast.Name) else []


def lines_of(sources: Path, entries: Iterable[str]) -> Lines:
    """The lines of these entries; one that is not there any more is an error."""
    lines: Lines = set()
    for entry in entries:
        pattern, _, name = entry.partition(":")
        found: Lines = set()
        for path in sources.glob(pattern):
            text, module = path.read_text(encoding="utf-8"), str(path.relative_to(sources))
            spans = parts(ast.parse(text).body) if name else [("", 1, len(text.splitlines()))]
            for part, first, last in spans if path.name != "__init__.py" else ():
                found |= {(module, line) for line in range(first, last + 1) if part == name}
        if not found:
            raise SystemExit(f"`{entry}` of `{FAMILY.name}` is not in `{sources}`")
        lines |= found
    return lines


def counted(sources: Path, family: Sequence[str], features: Mapping[str, Sequence[str]]) -> list[Any]:
    """Modules and lines of the family, the same without these features, and the lines of each of these."""
    every = lines_of(sources, (entry for entry in family if entry[0] != "!"))
    every -= lines_of(sources, (entry[1:] for entry in family if entry[0] == "!"))
    by_feature = {name: lines_of(sources, entries) for name, entries in features.items()}
    if outside := {module for lines in by_feature.values() for module, _ in lines - every}:
        raise SystemExit(f"features have lines outside the family: {', '.join(sorted(outside))}")
    rest = every - {line for lines in by_feature.values() for line in lines}
    whole = {module for module, number in every if number == 1}
    return [
        {"modules": len(whole), "lines": len(every)},
        {"modules": len(whole & {module for module, _ in rest}), "lines": len(rest)},
        [
            {"feature": name, "lines": len(lines)}
            for name, lines in sorted(by_feature.items(), key=lambda one: -len(one[1]))
        ],
    ]


def main() -> None:
    """Count, say it and keep it."""
    family = json.loads(FAMILY.read_text("utf-8"))
    found = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    archive = ["git", "archive", family["commit"], "src/sensecheck"]
    packed = subprocess.run(archive, cwd=ROOT, capture_output=True, check=False).stdout
    if not packed and "before" not in found:
        raise SystemExit(f"{family['commit']} is not in this clone, and nothing was counted there before")
    if packed:
        with TemporaryDirectory() as folder, tarfile.open(fileobj=io.BytesIO(packed)) as tree:
            tree.extractall(folder, filter="data")
            sources = Path(folder) / "src" / "sensecheck"
            counts = counted(sources, family["before"], family["before_removed_features"])
        found |= dict(zip(("before", "before_same", "removed_features"), counts, strict=True))
    counts = counted(ROOT / "src" / "sensecheck", family["now"], family["now_new_features"])
    found |= dict(zip(("now", "now_same", "new_features"), counts, strict=True))
    RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
