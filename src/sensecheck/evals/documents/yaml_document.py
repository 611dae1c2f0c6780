"""YAML into nodes: every value knows its line and column, and nothing in the text is overlooked."""

from collections.abc import Iterator
from typing import Any, Final

from sensecheck.core.errors import BatteryError
from sensecheck.core.extras import extra
from sensecheck.evals.documents.depth import DEEPEST, too_deep
from sensecheck.evals.documents.scalars import MERGE, TAG, TEXT, spelling_of, tag_of, value_of
from sensecheck.evals.node import Node, Place

# ruff: noqa: PLC0415 - YAML is needed by those who have batteries

MOST_VALUES: Final = 5_000_000
"""So many values, counted with what aliases repeat, are no battery but an attack."""


def read_document(text: str, file: str) -> Node:
    """The one document that the text of a YAML file holds."""
    with extra("battery"):
        import yaml
    loader: Any = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    try:
        return _Reader(file, yaml.parse(text, Loader=loader)).document()
    except yaml.MarkedYAMLError as wrong:
        mark = wrong.problem_mark or wrong.context_mark
        place = Place(file, 1) if mark is None else Place(file, mark.line + 1, mark.column + 1)
        why = " ".join(part for part in (wrong.context, wrong.problem) if part)
        raise BatteryError(f"{place}: this is not YAML: {why}") from wrong
    except yaml.YAMLError as wrong:
        raise BatteryError(f"{Place(file, 1)}: this is not YAML: {' '.join(str(wrong).split())}") from wrong


class _Reader:
    """Goes once through what a parser tells, and sees to it that aliases neither circle nor explode."""

    def __init__(self, file: str, events: Iterator[Any]) -> None:
        self._file = file
        self._events = (event for event in events if not type(event).__name__.startswith("Stream"))
        self._anchors: dict[str, tuple[Node, int] | None] = {}
        """By name, with how many values each holds; None while it is being read."""
        self._values = 0

    def document(self) -> Node:
        """The only document."""
        if next(self._events, None) is None:
            raise BatteryError(f"{Place(self._file, 1)}: the file is empty")
        node = self._node(next(self._events), 0)
        next(self._events)
        another = next(self._events, None)
        if another is not None:
            raise self._wrong(another, "a file wants one document; here begins another")
        return node

    def _node(self, event: Any, depth: int) -> Node:
        if depth > DEEPEST:
            raise too_deep(self._place(event))
        kind = type(event).__name__
        if kind == "AliasEvent":
            return self._aliased(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        before = self._values
        self._count(event, 1)
        node = self._held(kind, event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node, self._values - before
        return node

    def _held(self, kind: str, event: Any, depth: int) -> Node:
        if kind == "SequenceStartEvent":
            return self._sequence(event, depth)
        return self._mapping(event, depth) if kind == "MappingStartEvent" else self._scalar(event)

    def _scalar(self, event: Any) -> Node:
        text = self._text(event)
        try:
            value = value_of(text, _tag(event))
            return Node(value, self._place(event), spelling=spelling_of(text, value))
        except ValueError as wrong:
            raise self._wrong(event, str(wrong)) from wrong

    def _sequence(self, event: Any, depth: int) -> Node:
        self._must_be(event, "seq")
        held = []
        while type(item := next(self._events)).__name__ != "SequenceEndEvent":
            held.append(self._node(item, depth + 1))
        return Node(tuple(held), self._place(event))

    def _mapping(self, event: Any, depth: int) -> Node:
        self._must_be(event, "map")
        own: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        merged: list[Node] = []
        while type(key := next(self._events)).__name__ != "MappingEndEvent":
            name = self._name(key)
            item = self._node(next(self._events), depth + 1)
            if name is None:
                merged += item.items("`<<`") if isinstance(item.held, tuple) else (item,)
            elif name in own:
                raise self._wrong(key, f"the key `{name}` stands there twice; see {keys[name]}")
            else:
                own[name], keys[name] = item, self._place(key)
        for node in merged:
            own = {**node.entries("`<<`"), **own}
            keys = {**node.keys, **keys}
        return Node(own, self._place(event), keys)

    def _name(self, key: Any) -> str | None:
        """The text of a key; None for the one that merges."""
        if type(key).__name__ != "ScalarEvent":
            raise self._wrong(key, "a key wants a text; found something else")
        if _tag(key) == MERGE:
            return None
        if _tag(key) != TEXT:
            raise self._wrong(key, f"a key wants a text; found `{key.value}`; write it in quotes")
        return self._text(key)

    def _text(self, event: Any) -> str:
        text: str = event.value
        if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
            raise self._wrong(event, "the text holds half of a surrogate pair; write the character itself")
        return text

    def _aliased(self, event: Any) -> Node:
        if event.anchor not in self._anchors:
            raise self._wrong(event, f"there is no anchor `&{event.anchor}` before this")
        held = self._anchors[event.anchor]
        if held is None:
            raise self._wrong(event, f"the anchor `&{event.anchor}` contains itself")
        self._count(event, held[1])
        return held[0]

    def _must_be(self, event: Any, kind: str) -> None:
        if event.tag not in (None, "!", f"{TAG}{kind}"):
            raise self._wrong(event, f"the tag `{event.tag.replace(TAG, '!!')}` is not known here")

    def _count(self, event: Any, values: int) -> None:
        self._values += values
        if self._values > MOST_VALUES:
            raise self._wrong(event, f"there are more than {MOST_VALUES:,} values up to here")

    def _place(self, event: Any) -> Place:
        return Place(self._file, event.start_mark.line + 1, event.start_mark.column + 1)

    def _wrong(self, event: Any, message: str) -> BatteryError:
        return BatteryError(f"{self._place(event)}: {message}")


def _tag(event: Any) -> str:
    if event.tag is not None and event.tag != "!":
        return str(event.tag)
    return tag_of(event.value) if event.implicit[0] and event.tag is None else TEXT
