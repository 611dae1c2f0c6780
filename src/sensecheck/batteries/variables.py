"""The variables of a test: lists give one test a value, files are read, and texts may refer to each other."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from sensecheck.batteries.files import Files
from sensecheck.documents.node import Node, Place
from sensecheck.documents.reading import names_file
from sensecheck.documents.templates import has_places, names_in, render
from sensecheck.documents.yaml import require_plain_style

_MISPLACED: Final = ("assert", "embedding_validation", "providerOutput")
"""What is a variable of this name was meant to stand alongside `vars`."""
_PROGRAMS: Final = (".py", ".js", ".cjs", ".mjs", ".ts")
_MEDIA: Final = (
    ".pdf",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".webp",
    ".bmp",
    ".svg",
    ".mp3",
    ".wav",
    ".mp4",
    ".mov",
)


def read_variables(node: Node, files: Files) -> Node:
    """The mapping under `vars`; it may stand in files of its own."""
    if not isinstance(node.value, str | tuple):
        variables = node
    else:
        documents = [
            files.document(path, node) for name in node.texts("`vars`") for path in files.matching(name, node)
        ]
        variables = Node(
            {k: v for document in documents for k, v in document.entries("`vars`").items()}, node.place
        )
    for key in variables.entries("`vars`"):
        if key in _MISPLACED:
            raise variables.error(
                f"`{key}` stands under `vars`; it belongs alongside it, less indented", key=key
            )
        if key == "env":
            raise variables.error("`env` is the name of the environment; give the variable another", key=key)
    return variables


def each_variables(
    node: Node, files: Files, environment: Mapping[str, str], *, expand: bool
) -> Iterator[dict[str, Any]]:
    """The variables of each test that is meant: one for every choice from the lists of texts."""
    entries = node.entries("`vars`")
    choices = [
        _choices(item, files) if expand else [_file_variable(item, files) if names_file(item) else item]
        for item in entries.values()
    ]
    for chosen in product(*choices):
        yield _filled_in(dict(zip(entries, chosen, strict=True)), files, environment)


@dataclass(frozen=True, slots=True)
class Filling:
    """The variables of one test: those that still wait, and those that are done."""

    waiting: Mapping[str, Node]
    done: dict[str, Any]
    read: Callable[[Node], str]
    """What is in the file that a text names."""

    def fill_in(self, name: str, on_the_way: tuple[str, ...] = ()) -> None:
        """Fill in a variable, after those that it refers to."""
        node = self.waiting.get(name)
        if node is None or name in self.done:
            return
        if name in on_the_way:
            circle = " → ".join(f"`{step}`" for step in (*on_the_way[on_the_way.index(name) :], name))
            raise node.error(f"the variables refer to one another in a circle: {circle}")
        for other in sorted(_names(node)):
            self.fill_in(other, (*on_the_way, name))
        self.done[name] = node.rendered(self._text).plain()

    def _text(self, text: str, place: Place) -> str:
        node = Node(text, place)
        return self.read(node) if names_file(node) else render(text, self.done, place)


@dataclass(frozen=True, slots=True)
class _FileVariable:
    """A variable whose text stands in a file."""

    node: Node
    path: Path


def _choices(node: Node, files: Files) -> list[Node | _FileVariable]:
    if isinstance(node.value, tuple) and node.value and isinstance(node.value[0].value, str):
        return [choice for item in node.value for choice in _choices(item, files)]
    if names_file(node):
        return [_FileVariable(node, path) for path in files.matching(node.text("a file"), node)]
    return [node]


def _file_variable(node: Node, files: Files) -> _FileVariable:
    return _FileVariable(node, files.path(node.text("a file")))


def _filled_in(
    chosen: Mapping[str, Node | _FileVariable], files: Files, environment: Mapping[str, str]
) -> dict[str, Any]:
    """The values; each text is filled in once, so what a variable or a file brings along stays as it is."""
    done: dict[str, Any] = {"env": environment}
    waiting: dict[str, Node] = {}
    for name, item in chosen.items():
        if isinstance(item, _FileVariable):
            done[name] = _content(item, files)
        else:
            require_plain_style(item)
            waiting[name] = item
    filling = Filling(waiting, done, lambda node: _content(_file_variable(node, files), files))
    for name in waiting:
        filling.fill_in(name)
    # without the last line break, which YAML adds to blocks
    filled = ((name, done[name]) for name in chosen)
    return {name: value.removesuffix("\n") if isinstance(value, str) else value for name, value in filled}


def _content(variable: _FileVariable, files: Files) -> str:
    suffix = variable.path.suffix.lower()
    if suffix in (*_PROGRAMS, *_MEDIA):
        message = (
            f"`{variable.path.name}` as a variable is a feature of promptfoo that sensecheck does not support"
        )
        raise variable.node.error(f"{message}; wanted a file of text")
    if suffix in (".yaml", ".yml"):
        return json.dumps(files.document(variable.path, variable.node).plain(), ensure_ascii=False)
    return files.text(variable.path, variable.node).strip()


def _names(node: Node) -> Iterator[str]:
    """The variables that a text refers to, or any text in a list or a mapping."""
    if isinstance(node.value, str):
        if has_places(node.value):
            yield from names_in(node.value, node.place)
    elif isinstance(node.value, tuple | Mapping):
        for item in node.value.values() if isinstance(node.value, Mapping) else node.value:
            yield from _names(item)
