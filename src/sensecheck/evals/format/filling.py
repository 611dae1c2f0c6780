"""Variables that refer to one another, filled in one after the other."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.evals.documents.content import names_file
from sensecheck.evals.node import Node, Place
from sensecheck.evals.templates import has_places, names_in, render


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
            circle = " → ".join(f"`{one}`" for one in (*on_the_way[on_the_way.index(name) :], name))
            raise node.wrong(f"the variables refer to one another in a circle: {circle}")
        for other in sorted(_names(node)):
            self.fill_in(other, (*on_the_way, name))
        self.done[name] = node.rendered(self._text).plain()

    def _text(self, text: str, place: Place) -> str:
        node = Node(text, place)
        return self.read(node) if names_file(node) else render(text, self.done, place)


def _names(node: Node) -> Iterator[str]:
    """The variables that a text refers to, or any text in a list or a mapping."""
    if isinstance(node.held, str):
        if has_places(node.held):
            yield from names_in(node.held, node.place)
    elif isinstance(node.held, tuple | Mapping):
        for item in node.held.values() if isinstance(node.held, Mapping) else node.held:
            yield from _names(item)
