"""Small changes to a module, each of which a test should notice.

A comparison is moved by its boundary or turned around, `and` becomes `or`, a condition is negated, an
operator becomes its opposite, a number, a text or a truth value becomes another one, a function returns
nothing, a call that stands by itself is left out. What only types, documents or decorates stays as it is.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Change = Callable[[ast.AST], ast.AST]
_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_UNTOUCHED = ("annotation", "returns", "decorator_list", "bases", "type_params", "format_spec")
_TYPING = ("TypeVar", "Literal", "NewType", "cast", "Protocol")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to one place."""

    module: str
    """Its path in the repository."""
    line: int
    """Where its statement begins."""
    last: int
    operator: str
    """Of which kind the change is."""
    change: str
    """`before -> after`."""
    scope: str
    """In which class, function and assignment it is: `Grounded.decide.mark`."""
    place: tuple[int, int]
    """Which node of the module, and which change to it."""

    @property
    def name(self) -> str:
        """What it is called in lists; it stays the same while lines move."""
        return f"{self.module.removeprefix('src/sensecheck/')} {self.scope}: {self.change}"


def mutants_of(path: Path, root: Path) -> list[Mutant]:
    """All mutants of a module, in the order of its nodes."""
    module = path.relative_to(root).as_posix()
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    for at, (node, scope, first) in enumerate(_places(tree)):
        for which, (operator, change) in enumerate(_changes(node)):
            before, after = _shown(node), _shown(change(copy.deepcopy(node)))
            last = getattr(node, "end_lineno", None) or node.lineno
            found.append(Mutant(module, first, last, operator, f"{before} -> {after}", scope, (at, which)))
    return found


def mutated(source: str, mutant: Mutant) -> ast.Module:
    """The module with the one change."""
    tree = ast.parse(source)
    at, which = mutant.place
    node, *_ = list(_places(tree))[at]
    changed = list(_changes(node))[which][1](node)
    if changed is not node:
        _Replace(node, changed).visit(tree)
    return ast.fix_missing_locations(tree)


class _Replace(ast.NodeTransformer):
    """Puts one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, ast.copy_location(new, old)

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)


def _places(node: ast.AST, scope: str = "", line: int = 0) -> Iterator[tuple[ast.stmt | ast.expr, str, int]]:
    """The nodes that may be changed, each with the scope that it is in and the line of its statement."""
    for name, value in ast.iter_fields(node):
        if name in _UNTOUCHED:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _says_nothing(child):
                continue
            within = ".".join(filter(None, (scope, _defined(child))))
            first = child.lineno if isinstance(child, ast.stmt) else line
            if isinstance(child, ast.stmt | ast.expr):
                yield child, within, first
            yield from _places(child, within, first)


def _says_nothing(node: ast.AST) -> bool:
    """Whether a node is an import, a text that documents, or there for types alone."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and _shown(node.test) == "TYPE_CHECKING":
        return True
    if isinstance(node, ast.ClassDef):
        return any("Protocol" in _shown(base) for base in node.bases)
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else node
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr) and _is_type(value):
        return True
    called = value.func if isinstance(value, ast.Call) else value
    named = called.value if isinstance(called, ast.Subscript) else called
    return _shown(named) in _TYPING if isinstance(named, ast.Name | ast.Attribute) else False


def _is_type(node: ast.expr) -> bool:
    """Whether `a | b` is a union of types: `str | None`."""
    names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name)]
    return bool(names) and all(name[:1].isupper() or name in _BUILTIN for name in names)


_BUILTIN = ("str", "int", "float", "bool", "list", "tuple", "dict", "set", "type", "bytes", "frozenset")


def _defined(node: ast.AST) -> str:
    """The name of a class, a function, or whatever is assigned to."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return node.name
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ""
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    return target.id if isinstance(target, ast.Name) else ""


def _changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The changes to a node; each takes it and returns what stands in its place."""
    match node:
        case ast.Compare():
            for at, op in enumerate(node.ops):
                for other in _COMPARED[type(op)]:
                    yield "comparison", _compared(at, other)
        case ast.BoolOp():
            yield "boolean", lambda one: ast.BoolOp(_opposite(one.op), one.values)  # type: ignore[attr-defined]
        case ast.UnaryOp(op=ast.Not()):
            yield "boolean", lambda one: one.operand  # type: ignore[attr-defined]
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATORS:
            yield "arithmetic", _operated
        case ast.Constant(value=value) if isinstance(value, bool | int | float | str):
            yield "constant", _another
        case ast.Return(value=value) if value is not None and _shown(value) != "None":
            yield "return", lambda one: ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()):
            yield "call", lambda one: ast.Pass()
        case ast.If() | ast.IfExp() | ast.While() if not isinstance(node.test, ast.Compare | ast.UnaryOp):
            yield "condition", _negated
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            if any(one.ifs for one in node.generators):
                yield "condition", _unfiltered


def _compared(at: int, other: type[ast.cmpop]) -> Change:
    def change(node: ast.AST) -> ast.AST:
        node.ops[at] = other()  # type: ignore[attr-defined]
        return node

    return change


def _opposite(op: ast.boolop) -> ast.boolop:
    return ast.Or() if isinstance(op, ast.And) else ast.And()


def _operated(node: ast.AST) -> ast.AST:
    node.op = _OPERATORS[type(node.op)]()  # type: ignore[attr-defined]
    return node


def _negated(node: ast.AST) -> ast.AST:
    node.test = ast.UnaryOp(ast.Not(), node.test)  # type: ignore[attr-defined]
    return node


def _unfiltered(node: ast.AST) -> ast.AST:
    for one in node.generators:  # type: ignore[attr-defined]
        one.ifs = []
    return node


def _another(node: ast.AST) -> ast.AST:
    value = node.value  # type: ignore[attr-defined]
    if isinstance(value, bool):
        return ast.Constant(not value)
    return ast.Constant(f"{value}XX" if isinstance(value, str) else value + 1)


def _shown(node: ast.AST) -> str:
    """A node as code in one line, shortened; of a statement that has others in it, its head."""
    text = ast.unparse(node).splitlines()[0]
    return text if len(text) <= 100 else f"{text[:97]}..."
