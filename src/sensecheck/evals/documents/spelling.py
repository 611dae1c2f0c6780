"""Numbers that stand where a text is wanted: what was written must not change in silence."""

from collections.abc import Mapping

from sensecheck.evals.documents.scalars import written
from sensecheck.evals.node import Node


def must_be_written_so(node: Node) -> None:
    """Raise for a number, at any depth, that would be written back otherwise than it stands in the file."""
    if isinstance(node.held, Mapping):
        for item in node.held.values():
            must_be_written_so(item)
    elif isinstance(node.held, tuple):
        for item in node.held:
            must_be_written_so(item)
    elif node.spelling and isinstance(node.held, int | float):
        number = f"a number is written {written(node.held)}"
        raise node.wrong(f"`{node.spelling}` is a text only in quotes; {number}")


def text_of(node: Node, what: str) -> str:
    """A text, or a number as it is written."""
    if isinstance(node.held, int | float) and not isinstance(node.held, bool):
        must_be_written_so(node)
        return written(node.held)
    return node.text(what)
