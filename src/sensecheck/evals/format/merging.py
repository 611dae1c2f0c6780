"""What `defaultTest` adds to every test."""

from collections.abc import Mapping
from typing import Final

from sensecheck.evals.node import Node

_JOINED: Final = ("vars", "options", "metadata")
"""Mappings: the test's own entries stand over those of the default."""
_APPENDED: Final = ("assert", "embedding_validation")
"""Lists: those of the default come first."""


def merged(default: Mapping[str, Node], own: Mapping[str, Node], *, test: Node) -> dict[str, Node]:
    """The entries of a test together with those of the default."""
    made = {**default, **own}
    for key in _JOINED:
        if key in default and key in own:
            made[key] = _over(default[key], own[key], key)
    silent = _without_defaults(made.get("options"))
    for key in _APPENDED:
        if silent and key in default and key not in own:
            del made[key]
        elif key in default and key in own and not silent:
            made[key] = Node((*_items(default[key], key), *_items(own[key], key)), test.place)
    return made


def _over(below: Node, above: Node, key: str) -> Node:
    held = {**below.entries(f"`{key}`"), **above.entries(f"`{key}`")}
    return Node(held, above.place, {**below.keys, **above.keys})


def _items(node: Node, key: str) -> tuple[Node, ...]:
    """The entries of a list; a rule on embeddings may also stand alone."""
    alone = key == "embedding_validation" and not isinstance(node.held, tuple)
    return (node,) if alone else node.items(f"`{key}`")


def _without_defaults(options: Node | None) -> bool:
    if options is None:
        return False
    node = options.mapping("`options`").get("disableDefaultAsserts")
    return node is not None and node.truth("`disableDefaultAsserts`")
