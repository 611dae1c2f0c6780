"""Move and merge modules as a table says: `python tools/move_modules.py TABLE PACKAGE... [--dry-run]`.

TABLE is Markdown: under a heading `### package/` rows `| `module.py` | what it holds | lines | `old.one` |`.
Every row of the named packages is carried out: the old modules become the new one, each behind those that it
imports; imports are rewritten wherever there is Python, and dotted names in all texts. What would hide a name
is refused, and nothing is changed then; a line `# rename: old.module.name new_name` in TABLE settles it.
"""

import argparse
import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "sensecheck"
TEXTS = (".py", ".md", ".toml", ".yml", ".yaml", ".json", ".txt", ".cfg", ".mjs", ".ts", "")


@dataclass(frozen=True)
class Row:
    """A module to be, and what it is made of."""

    target: str
    holds: str
    sources: tuple[str, ...]


@dataclass
class Module:
    """A module of today, taken apart."""

    name: str
    text: str
    tree: ast.Module
    doc: str = ""
    imports: list[ast.stmt] = field(default_factory=list)
    typing_only: list[ast.stmt] = field(default_factory=list)
    defined: set[str] = field(default_factory=set)


def rows(table: Path) -> Iterator[tuple[str, Row]]:
    """The rows of a table with their packages."""
    package = ""
    for line in table.read_text("utf-8").splitlines():
        if heading := re.match(r"### (\S+?)/?\s*$", line):
            package = heading[1]
        elif row := re.match(r"\| `([^`]+)\.py` \| (.*?) \| [\d,]* ?\| (.*) \|", line):
            inside = "" if package == "top" else f"{package}."
            target = inside + row[1].replace("/", ".")
            yield package, Row(target, row[2], tuple(re.findall(r"`([^`]+)`", row[3])))


def renames(table: Path) -> dict[tuple[str, str], str]:
    """New names for what would be hidden, by module and old name."""
    found = re.findall(r"^# rename: (\S+)\.(\w+) (\w+)$", table.read_text("utf-8"), re.MULTILINE)
    return {(module, old): new for module, old, new in found}


def path_of(name: str) -> Path:
    """The file of a module, by its name below the package."""
    return SOURCE / (name.replace(".", "/") + ".py")


def taken_apart(name: str) -> Module:
    """The docstring, the imports and everything else of a module."""
    text = path_of(name).read_text("utf-8")
    tree = ast.parse(text)
    module = Module(name, text, tree)
    for at, statement in enumerate(tree.body):
        if at == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            module.doc = ast.get_docstring(tree) or ""
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            module.imports.append(statement)
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            module.typing_only += statement.body
        else:
            module.defined |= set(_names(statement))
    return module


def _names(statement: ast.stmt) -> Iterator[str]:
    """What a statement at the top of a module defines."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


class Moves:
    """Where everything goes."""

    def __init__(self, wanted: Iterable[Row], new_names: dict[tuple[str, str], str]) -> None:
        self.rows = list(wanted)
        self.target = {source: row.target for row in self.rows for source in row.sources}
        self.new_names = new_names

    def home(self, module: str) -> str:
        """The module that this one becomes; dotted, with the package's own name."""
        inner = module.removeprefix("sensecheck.")
        ours = inner != module and inner in self.target
        return f"sensecheck.{self.target[inner]}" if ours else module

    def name(self, module: str, name: str) -> str:
        """What a name of a module is called afterwards."""
        return self.new_names.get((module.removeprefix("sensecheck."), name), name)


def imported(statement: ast.stmt, moves: Moves) -> Iterator[tuple[str, str, str]]:
    """What an import brings after the move: module, name (empty for the module itself), and as what."""
    if isinstance(statement, ast.Import):
        for alias in statement.names:
            yield moves.home(alias.name), "", alias.asname or ""
        return
    if not isinstance(statement, ast.ImportFrom) or statement.level or not statement.module:
        raise ValueError(f"only absolute imports can be moved; got {ast.unparse(statement)}")
    for alias in statement.names:
        whole = f"{statement.module}.{alias.name}"
        if moves.home(whole) != whole:  # a module, brought under its own name
            package, _, last = moves.home(whole).rpartition(".")
            yield package, last, alias.asname or (alias.name if alias.name != last else "")
            continue
        new = moves.name(statement.module, alias.name)
        shown = alias.asname or (alias.name if new != alias.name else "")
        yield moves.home(statement.module), new, shown


def merged(row: Row, moves: Moves, faults: list[str]) -> str:
    """The text of a new module."""
    modules = _ordered([taken_apart(source) for source in row.sources])
    own = f"sensecheck.{row.target}"
    defined: dict[str, str] = {}
    for module in modules:
        for name in sorted(module.defined):
            new = moves.name(module.name, name)
            if new in defined and not _same(name, module, defined[new], modules, moves):
                faults.append(f"{row.target}: `{name}` of {module.name} hides that of {defined[new]}")
            defined[new] = module.name
    brought: dict[str, tuple[str, str]] = {}
    runtime: set[tuple[str, str, str]] = set()
    typing: set[tuple[str, str, str]] = set()
    parts: list[str] = []
    aliases: list[str] = []
    assigned: set[str] = set()
    for module in modules:
        local: dict[str, str] = {
            name: moves.name(module.name, name)
            for name in module.defined
            if moves.name(module.name, name) != name
        }
        for statements, kept in ((module.imports, runtime), (module.typing_only, typing)):
            for statement in statements:
                if not isinstance(statement, (ast.Import, ast.ImportFrom)):  # an alias that only types need
                    aliases.append(ast.unparse(statement))
                    continue
                for origin, name, shown in imported(statement, moves):
                    if origin == "__future__":
                        continue
                    if origin == own and name:
                        if (shown or name) != name:
                            local[shown] = name
                        continue
                    seen = shown or name or origin.partition(".")[0]
                    if brought.get(seen, (origin, name)) != (origin, name) and name:
                        faults.append(f"{row.target}: `{seen}` is {brought[seen]} and {(origin, name)}")
                    if seen in defined:
                        faults.append(
                            f"{row.target}: `{seen}` of {defined[seen]} hides what {module.name} imports"
                        )
                    brought[seen] = (origin, name)
                    kept.add((origin, name, shown))
        parts.append(_body(module, local, moves, own, assigned))
    doc = _docstring(row, modules)
    lines = [
        doc,
        "",
        *_written(runtime | ({("typing", "TYPE_CHECKING", "")} if typing - runtime or aliases else set())),
    ]
    if typing - runtime or aliases:
        lines += [
            "",
            "if TYPE_CHECKING:",
            *(f"    {line}" for line in (*_written(typing - runtime), *aliases)),
        ]
    return "\n".join([*lines, "", "", *(part.strip("\n") + "\n\n" for part in parts)])


def _ordered(modules: list[Module]) -> list[Module]:
    """The modules in the order of the table, but each behind those that it imports."""
    names = {module.name: module for module in modules}
    done: dict[str, Module] = {}

    def add(module: Module, above: frozenset[str]) -> None:
        for statement in module.imports:
            if isinstance(statement, ast.ImportFrom) and statement.module:
                inner = statement.module.removeprefix("sensecheck.")
                if inner in names and inner not in done and inner not in above:
                    add(names[inner], above | {module.name})
        done.setdefault(module.name, module)

    for module in modules:
        add(module, frozenset({module.name}))
    return list(done.values())


def _same(name: str, module: Module, other: str, modules: list[Module], moves: Moves) -> bool:
    """Whether a constant or an alias is the same in two modules, so that it is needed once."""
    (theirs,) = (one for one in modules if one.name == other)
    names = {old for old in theirs.defined if moves.name(other, old) == moves.name(module.name, name)}
    mine = _assigned(module.tree, name)
    return mine is not None and any(mine == _assigned(theirs.tree, old) for old in names)


def _assigned(tree: ast.Module, name: str) -> str | None:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name:
            return ast.unparse(statement.value)
    return None


def _docstring(row: Row, modules: list[Module]) -> str:
    if len(modules) == 1:
        told = modules[0].doc
    else:
        first = row.holds[:1].upper() + row.holds[1:] + "."
        told = "\n\n".join([first, *(module.doc for module in modules if module.doc)])
    return f'"""{told}\n"""' if "\n" in told else f'"""{told}"""'


def _written(found: Iterable[tuple[str, str, str]]) -> list[str]:
    lines = []
    for origin, name, shown in sorted(found):
        tail = f" as {shown}" if shown else ""
        lines.append(f"from {origin} import {name}{tail}" if name else f"import {origin}{tail}")
    return lines


def _body(module: Module, local: dict[str, str], moves: Moves, own: str, assigned: set[str]) -> str:
    """Everything of a module but its docstring and imports, with names and imports within functions moved.

    `assigned` are the constants that are there already, and are not written again.
    """
    text = rewritten(module.text, moves, own=own, local=local, inner_only=True)
    tree = ast.parse(text)
    lines, kept, last, twice = text.splitlines(), [], 0, False
    for at, statement in enumerate(tree.body):
        end = statement.end_lineno or statement.lineno
        is_doc = at == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        is_typing = isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"
        is_twice = isinstance(statement, ast.Assign) and ast.unparse(statement) in assigned
        if isinstance(statement, ast.Assign):
            assigned.add(ast.unparse(statement))
        if twice and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            is_twice = True  # what explains it
        twice = is_twice
        if not (is_doc or is_typing or is_twice or isinstance(statement, ast.Import | ast.ImportFrom)):
            kept += lines[last:end]
        last = end
    return "\n".join(kept)


def rewritten(
    text: str, moves: Moves, *, own: str = "", local: dict[str, str] | None = None, inner_only: bool = False
) -> str:
    """A file with its imports, and the names that move with them, as they are afterwards."""
    tree = ast.parse(text)
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    data = text.encode()

    def place(line: int, column: int) -> int:
        return starts[line - 1] + column

    edits: list[tuple[int, int, str]] = []
    top = {id(statement) for statement in tree.body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if inner_only and id(node) in top:
                continue
            if not _moved(node, moves):
                continue
            kept = [one for one in imported(node, moves) if not (own and one[0] == own and one[1])]
            if own and inner_only:
                for origin, name, shown in imported(node, moves):
                    if origin == own and name and shown and shown != name:
                        (local if local is not None else {})[shown] = name
            written = _written(kept)
            indent = " " * node.col_offset
            new = f"\n{indent}".join(written) if written else "pass"
            end = place(node.end_lineno or 0, node.end_col_offset or 0)
            edits.append((place(node.lineno, node.col_offset), end, new))
    for node in _uses(tree, local or {}):
        start = place(node.lineno, node.col_offset)
        edits.append((start, start + len(node.id.encode()), (local or {})[node.id]))
    for node in ast.walk(tree):
        is_definition = isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
        if is_definition and id(node) in top and node.name in (local or {}):
            start = data.index(node.name.encode(), place(node.lineno, node.col_offset))
            edits.append((start, start + len(node.name.encode()), (local or {})[node.name]))
    for start, end, new in sorted(set(edits), reverse=True):
        data = data[:start] + new.encode() + data[end:]
    return data.decode()


def _moved(node: ast.Import | ast.ImportFrom, moves: Moves) -> bool:
    if isinstance(node, ast.Import):
        return any(moves.home(alias.name) != alias.name for alias in node.names)
    if not node.module or node.level:
        return False
    return moves.home(node.module) != node.module or any(
        moves.home(f"{node.module}.{alias.name}") != f"{node.module}.{alias.name}" for alias in node.names
    )


def _uses(tree: ast.Module, wanted: dict[str, str]) -> Iterator[ast.Name]:
    """Where names of the module are used, but for functions that have a name of their own like that."""

    def bound(node: ast.AST) -> set[str]:
        found: set[str] = set()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            arguments = node.args
            every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
            found |= {one.arg for one in (*every, arguments.vararg, arguments.kwarg) if one}
            body = node.body if isinstance(node.body, list) else [node.body]
            for inner in body:
                found |= {
                    one.id
                    for one in ast.walk(inner)
                    if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                }
        return found

    def visit(node: ast.AST, hidden: frozenset[str]) -> Iterator[ast.Name]:
        hidden = hidden | bound(node)
        if isinstance(node, ast.Name) and node.id in wanted and node.id not in hidden:
            yield node
        for child in ast.iter_child_nodes(node):
            yield from visit(child, hidden)

    if wanted:
        yield from visit(tree, frozenset())


def files() -> Iterator[Path]:
    """Every file under version control that may name a module."""
    told = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in told.splitlines():
        path = ROOT / name
        if (
            path.suffix in TEXTS
            and path.is_file()
            and "everyday/" not in name
            and "benchmarks/results/" not in name
        ):
            yield path


def _slashed(name: str) -> str:
    return name.replace(".", "/")


def main() -> None:
    """Move as the command line says."""
    parser = argparse.ArgumentParser(description="Move and merge modules as a table says.")
    parser.add_argument("table", type=Path)
    parser.add_argument("packages", nargs="+", help="packages of the table, or `package/module` for one row")
    parser.add_argument("--dry-run", action="store_true", help="only say what stands in the way")
    wanted = parser.parse_args()
    chosen = [
        row
        for package, row in rows(wanted.table)
        if package in wanted.packages or row.target.replace(".", "/") in wanted.packages
    ]
    chosen = [row for row in chosen if row.sources != (row.target,)]
    moves = Moves(chosen, renames(wanted.table))
    faults: list[str] = []
    for row in chosen:
        faults += [
            f"{row.target}: there is no {source}" for source in row.sources if not path_of(source).is_file()
        ]
        if path_of(row.target).is_file() and row.target not in row.sources:
            faults.append(f"{row.target}: is there already, and no part of it")
        if moves.target.get(row.target, row.target) != row.target:
            faults.append(f"{row.target}: is there already, and goes elsewhere")
    if not faults:
        made = {row.target: merged(row, moves, faults) for row in chosen}
    if faults or wanted.dry_run:
        sys.exit("\n".join(faults) or "nothing stands in the way")
    for row in chosen:
        for source in row.sources:
            path_of(source).unlink()
    for target, text in made.items():
        path = path_of(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        if not (path.parent / "__init__.py").is_file():
            (path.parent / "__init__.py").write_text('""""""\n', "utf-8")
    written = {path_of(target) for target in made}
    dotted = sorted(moves.target, key=len, reverse=True)
    pattern = re.compile(r"sensecheck\.(" + "|".join(map(re.escape, dotted)) + r")(?!\w|\.[a-z])")
    paths = re.compile(
        r"sensecheck/(" + "|".join(re.escape(one.replace(".", "/")) for one in dotted) + r")\.py"
    )
    for path in [*files(), *written]:
        if not path.is_file():
            continue
        text = path.read_text("utf-8")
        new = text
        if path.suffix == ".py" and path not in written:
            new = rewritten(new, moves)
        new = pattern.sub(lambda found: f"sensecheck.{moves.target[found[1]]}", new)
        new = paths.sub(
            lambda found: f"sensecheck/{moves.target[found[1].replace('/', '.')].replace('.', '/')}.py", new
        )
        if new != text:
            path.write_text(new, "utf-8")


if __name__ == "__main__":
    main()
