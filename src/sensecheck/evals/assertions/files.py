"""Files that an assertion names, as `file://path`, wherever a text is wanted."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from sensecheck.core.errors import BatteryError
from sensecheck.evals.assertions.about import About
from sensecheck.evals.documents.content import SCHEME, content_of, decoded, names_file
from sensecheck.evals.documents.reading import read_file
from sensecheck.evals.node import Node, Place

_TEXT = (".txt", ".md")
_DATA = (".json", ".yaml", ".yml")


def loaded(node: Node, about: About) -> Node:
    """The value itself, or what is in the file that it names.

    Each entry of a list may name one; within a mapping, where none is looked for, a name is an error.
    """
    if isinstance(node.held, tuple):
        return Node(tuple(loaded(item, about) for item in node.held), node.place)
    if not names_file(node):
        _must_hold_no_name(node)
        return node
    path = about.folder / node.text("a file").removeprefix(SCHEME)
    if path.suffix.lower() not in (*_TEXT, *_DATA):
        wanted = ", ".join(f"`{suffix}`" for suffix in (*_TEXT, *_DATA))
        raise node.wrong(f"a value may come from a file that ends in one of {wanted}; found `{path.name}`")
    content = _content(path, node)
    _must_hold_no_name(content)
    return content


def must_name_no_file(node: Node) -> None:
    """Raise for a text that is meant as a file's name, where none is looked for."""
    if isinstance(node.held, Mapping):
        for item in node.held.values():
            must_name_no_file(item)
    elif isinstance(node.held, tuple):
        for item in node.held:
            must_name_no_file(item)
    elif names_file(node):
        raise node.wrong(f"no file is read here; put in what `{node.held}` holds")


def _must_hold_no_name(node: Node) -> None:
    """Raise for a file's name within data; a text of its own is what it is."""
    if isinstance(node.held, tuple | Mapping):
        must_name_no_file(node)


def _content(path: Path, node: Node) -> Node:
    """A text, or data whose places are those in its own file; read again only when the file has changed."""
    try:
        mark = path.stat()
        held = _read(path, mark.st_mtime_ns, mark.st_size)
    except OSError as unread:
        raise node.wrong(f"the file `{path}` cannot be read: {unread.strerror or unread}") from unread
    except BatteryError as wrong:
        raise node.wrong(str(wrong)) from wrong
    return held if isinstance(held, Node) else Node(held, node.place)


@lru_cache(maxsize=64)
def _read(path: Path, changed: int, size: int) -> Node | str:
    text = decoded(content_of(path, Node(None, Place(str(path), 1))), path)
    return read_file(text, path) if path.suffix.lower() in _DATA else text.strip()
